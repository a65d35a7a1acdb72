// Route of backtests: what it calls and what it answers.
import { expect, test } from "bun:test";
import {
  createFakeApp,
  type Expected,
  expectAnswer,
  JOB_ID,
  type RequestInput,
  send,
} from "../../support/fake-app.ts";

const json = (value: unknown): RequestInput => ({ body: JSON.stringify(value) });

const cases: [line: string, input: RequestInput, expected: Expected][] = [
  [
    "POST /models/a/_backtest?from=now-60d&train_share=0.7",
    {},
    {
      status: 200,
      body: JOB_ID,
      call: 'backtests.submit["a",{"from":"now-60d","train_share":"0.7"},{"foreground":false}]',
    },
  ],
  [
    "POST /models/a/_backtest?from=1",
    json({ from: 2, labels: [{ from: 3, to: 4 }] }),
    {
      status: 200,
      body: JOB_ID,
      call: 'backtests.submit["a",{"from":2,"labels":[{"from":3,"to":4}]},{"foreground":false}]',
    },
  ],
  ["POST /models/a/_backtest?bg=false", {}, { status: 200, holds: ["timestamps"] }],
  ["POST /models/a/_backtest?bg=perhaps", {}, { status: 400, holds: ['"path":"bg"'] }],
  ["POST /models/a/_backtest", json([1]), { status: 400, holds: ["must be a JSON object"] }],
  ["POST /models/x/_backtest", {}, { status: 404 }],
  ["POST /models/a;b/_backtest", {}, { status: 400, holds: ["one name"] }],
  ["GET /models/a/_backtest", {}, { status: 405, holds: ['"allow":"POST"'] }],
];

for (const [line, input, expected] of cases) {
  test(`${line} -> ${expected.status}`, () => expectAnswer(createFakeApp(), [line, input], expected));
}

test("only a request that waits holds its connection open", async () => {
  const app = createFakeApp();
  await send(app, "POST /models/a/_backtest?from=1");
  expect(app.held).toHaveLength(0);
  await send(app, "POST /models/a/_backtest?from=1&bg=no");
  expect(app.held).toHaveLength(1);
});
