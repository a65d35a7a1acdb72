// Routes of models that leave and arrive: what they call and what they answer.
import { expect, test } from "bun:test";
import {
  createFakeApp,
  type Expected,
  expectAnswer,
  type RequestInput,
  send,
} from "../../support/fake-app.ts";

const json = (value: unknown): RequestInput => ({ body: JSON.stringify(value) });
const file = { status: 200, type: "application/octet-stream" };

const cases: [line: string, input: RequestInput, expected: Expected][] = [
  [
    "GET /models/a/_export?version=01&feature=f",
    {},
    {
      ...file,
      call: 'modelTransfer.exportNetwork["a",{"version":"01","feature":"f"}]',
      holds: ['attachment; filename=\\"a-00-f.onnx\\"'],
    },
  ],
  ["GET /models/a/_export?format=onnx", {}, file],
  ["HEAD /models/a/_export", {}, file],
  [
    "GET /models/a/_export?format=bundle",
    {},
    {
      status: 200,
      body: { format: "torus-model" },
      call: 'modelTransfer.exportBundle["a",{"format":"bundle"}]',
    },
  ],
  ["GET /models/a/_export?format=zip", {}, { status: 400, holds: ['"path":"format"'] }],
  ["GET /models/a;b/_export", {}, { status: 400, holds: ["one name"] }],
  ["GET /models/x/_export", {}, { status: 404 }],
  ["POST /models/a/_export", {}, { status: 405, holds: ['"allow":"GET, HEAD"'] }],
  [
    "POST /models/_import?name=n",
    json({ format: "torus-model" }),
    {
      status: 201,
      body: "success",
      call: 'modelTransfer.importBundle[{"format":"torus-model"},{"name":"n"}]',
    },
  ],
  ["POST /models/_import", { body: "x", type: "text/plain" }, { status: 415 }],
  // A model may be called so: only POST means the import.
  ["GET /models/_import", {}, { status: 404, call: 'models.get[["_import"],{}]' }],
  ["PUT /models/_import", json({}), { status: 405, holds: ['"allow":"DELETE, GET, HEAD, PATCH, POST"'] }],
];

for (const [line, input, expected] of cases) {
  test(`${line} -> ${expected.status}`, () => expectAnswer(createFakeApp(), [line, input], expected));
}

test("an exported file is its bytes", async () => {
  const response = await send(createFakeApp(), "GET /models/a/_export?pretty=true");
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([8, 8]));
});
