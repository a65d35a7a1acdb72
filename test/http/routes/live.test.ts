// Routes of live detection: what they call and what they answer.
import { test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import { createFakeApp, type Expected, expectAnswer, type RequestInput } from "../../support/fake-app.ts";

type Case = [line: string, input: RequestInput, expected: Expected];
const json = (value: unknown): RequestInput => ({ body: JSON.stringify(value) });
const nothing = { status: 204, type: null };

const cases: Case[] = [
  ["POST /models/a/_start", {}, { ...nothing, call: 'live.startAll[["a"],{}]' }],
  ["POST /models/a/_start", { type: "application/json" }, { ...nothing, call: 'live.startAll[["a"],{}]' }],
  [
    "POST /models/a;b/_start?detect_anomalies=True",
    json({ save_output_data: true, output_bucket: "o" }),
    {
      ...nothing,
      call: 'live.startAll[["a","b"],{"detect_anomalies":"True","save_output_data":true,"output_bucket":"o"}]',
    },
  ],
  ["POST /models/a;x/_start", {}, { status: 404, holds: ["x does not exist"] }],
  ["POST /models/a/_start", json([]), { status: 400, holds: ["must be a JSON object"] }],
  ["GET /models/a/_start", {}, { status: 405, holds: ['"allow":"POST"'] }],
  ["POST /models/a;b/_stop", {}, { ...nothing, call: 'live.stopAll[["a","b"]]' }],
  ["POST /models/x/_stop", {}, { status: 404 }],
  [
    "GET /models/a/anomalies?from=now-1d&page=1",
    {},
    { status: 200, body: [{ name: "a" }], call: 'anomalies.list[{"from":"now-1d","page":"1"},"a"]' },
  ],
  ["GET /models/a;b/anomalies", {}, { status: 400, holds: ["one name"] }],
  ["GET /models/x/anomalies", {}, { status: 404 }],
  [
    "POST /models/a/anomalies/e1/_feedback",
    json({ anomaly: false, note: "batch" }),
    { ...nothing, call: 'anomalies.judge["a","e1",{"anomaly":false,"note":"batch"}]' },
  ],
  ["POST /models/a;b/anomalies/e1/_feedback", json({ anomaly: true }), { status: 400, holds: ["one name"] }],
  ["POST /models/x/anomalies/e1/_feedback", json({ anomaly: true }), { status: 404 }],
  ["GET /models/a/anomalies/e1/_feedback", {}, { status: 405, holds: ['"allow":"POST"'] }],
  ["GET /anomalies?to=now", {}, { status: 200, body: [{ name: "a" }], call: 'anomalies.list[{"to":"now"}]' }],
  ["DELETE /anomalies", {}, { status: 405, holds: ['"allow":"GET, HEAD"'] }],
];

for (const [line, input, expected] of cases)
  test(`${line} ${typeof input.body === "string" ? input.body : ""}`, () =>
    expectAnswer(createFakeApp(), [line, input], expected));

test("a model that is not trained is the client's mistake: 400", async () => {
  const startAll = () => Promise.reject(new TorusError("not_trained", "model a is not trained"));
  const expected = { status: 400, holds: ['"code":"not_trained"'] };
  await expectAnswer(createFakeApp({ live: { startAll } }), ["POST /models/a/_start", {}], expected);
});
