// Routes of detections and forecasts without a model: what they call and what they answer.
import { test } from "bun:test";
import {
  createFakeApp,
  type Expected,
  expectAnswer,
  JOB_ID,
  type RequestInput,
} from "../../support/fake-app.ts";

const json = (value: unknown): RequestInput => ({ body: JSON.stringify(value) });
const body = { series: [{ timestamp: "2026-01-31", value: 1 }], sensitivity: "90" };
const asker = (background: boolean) => JSON.stringify({ background, signal: {} });

const cases: [line: string, input: RequestInput, expected: Expected][] = [
  [
    "POST /_detect?sensitivity=5",
    json(body),
    {
      status: 200,
      body: { period: 0, missing: 0 },
      call: `detections.detect[${JSON.stringify(body)},${asker(false)}]`,
    },
  ],
  [
    "POST /_predict",
    json(body),
    {
      status: 200,
      body: { period: 0, missing: 0 },
      call: `detections.predict[${JSON.stringify(body)},${asker(false)}]`,
    },
  ],
  ["POST /_detect", json([1]), { status: 200, call: `detections.detect[[1],${asker(false)}]` }],
  ["POST /_detect", {}, { status: 200, call: `detections.detect[null,${asker(false)}]` }],
  ["POST /_detect?bg=True", json(body), { status: 200, body: JOB_ID as never }],
  ["POST /_predict?bg=1", json(body), { status: 200, body: JOB_ID as never }],
  ["POST /_detect?bg=maybe", json(body), { status: 400, holds: ["bg"] }],
  ["POST /_detect", { body: "{" }, { status: 400, holds: ["must be valid JSON"] }],
  ["GET /_detect", {}, { status: 405, holds: ['"allow":"POST"'] }],
  ["GET /_predict", {}, { status: 405, holds: ['"allow":"POST"'] }],
];

test("a request that a job works on waits for its result", async () => {
  const app = createFakeApp({
    detections: { detect: async () => ({ jobId: JOB_ID }) },
    jobs: { wait: async () => ({ period: 7 }) },
  });
  await expectAnswer(app, ["POST /_detect", json(body)], { status: 200, body: { period: 7 } });
});

for (const [line, input, expected] of cases) {
  test(`${line} -> ${expected.status}`, () => expectAnswer(createFakeApp(), [line, input], expected));
}
