// Guards against hostile or broken requests: statuses, and how much of a request is read.
import { describe, expect, test } from "bun:test";
import {
  createFakeApp,
  type Expected,
  expectAnswer,
  type RequestInput,
  send,
} from "../../support/fake-app.ts";

type Case = [name: string, line: string, input: RequestInput, expected: Expected];
const secret = "hunter2";
const stream = (text: string, times: number) => {
  const chunk = new TextEncoder().encode(text);
  let left = times;
  return new ReadableStream({
    pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
  });
};

const cases: Case[] = [
  [
    "JSON in capitals",
    "POST /models",
    { body: "{}", type: "Application/JSON; charset=UTF-8" },
    { status: 201 },
  ],
  ["a dialect of JSON", "POST /models", { body: "{}", type: "application/vnd.torus+json" }, { status: 201 }],
  ["text", "POST /models", { body: "{}", type: "text/plain" }, { status: 415, lacks: ["{}"] }],
  ["a form", "POST /models", { body: "name=a", type: "application/x-www-form-urlencoded" }, { status: 415 }],
  [
    "a parts form",
    "POST /models",
    { body: new FormData(), type: "multipart/form-data; boundary=x" },
    { status: 415 },
  ],
  ["no content type", "POST /models", { body: "{}", type: "" }, { status: 415 }],
  ["almost JSON", "POST /models", { body: "{}", type: "application/jsonp" }, { status: 415 }],
  [
    "a compressed body",
    "POST /models",
    { body: "{}", headers: { "content-encoding": "gzip" } },
    { status: 415 },
  ],
  ["text where no body is needed", "DELETE /models/a", { body: "x", type: "text/plain" }, { status: 415 }],
  ["an empty body", "POST /models/a/_train", { body: "", type: "application/json" }, { status: 200 }],
  ["an empty body on DELETE", "DELETE /models/a", { type: "application/json" }, { status: 204, type: null }],
  ["an empty body on GET", "GET /models", { type: "application/json" }, { status: 200 }],
  ["white space for a body", "POST /models/a/_train", { body: " \n" }, { status: 200 }],
  ["a byte order mark", "POST /models", { body: "\ufeff{}" }, { status: 201 }],
  [
    "broken JSON",
    "POST /models",
    { body: `{"password":"${secret}"` },
    { status: 400, holds: ['"path":"body"'], lacks: [secret] },
  ],
  [
    "invalid UTF-8",
    "POST /models",
    { body: new Uint8Array([0x22, 0xff, 0x22]) },
    { status: 400, holds: ["UTF-8"] },
  ],
  ["deep nesting", "POST /models", { body: "[".repeat(500) }, { status: 400, holds: ["10 levels"] }],
  [
    "brackets in a string",
    "POST /models",
    { body: JSON.stringify({ a: '\\"'.concat("[".repeat(100)) }) },
    { status: 201 },
  ],
  ["just deep enough", "POST /models", { body: `${"[".repeat(10)}${"]".repeat(10)}` }, { status: 201 }],
  [
    "a prototype key",
    "POST /models",
    { body: '{"__proto__":{"polluted":1}}' },
    { status: 400, holds: ["__proto__"] },
  ],
  ["a prototype key in escapes", "POST /models", { body: '{"a":{"\\u005f_proto__":1}}' }, { status: 400 }],
  ["a prototype in the query", "GET /models?__proto__=1&constructor=2", {}, { status: 200 }],
  [
    "a large body",
    "POST /models",
    { body: JSON.stringify("x".repeat(1000)) },
    { status: 413, holds: ['"limit":1000'] },
  ],
  [
    "a large body announced",
    "POST /models",
    { body: "{}", headers: { "content-length": "5000" } },
    { status: 413 },
  ],
  ["a large body without length", "POST /models", { body: stream("x".repeat(100), 1e9) }, { status: 413 }],
  ["a bad escape", "GET /models/%ZZ", {}, { status: 400, holds: ['"path":"path"'] }],
  ["a slash in a name", "GET /models/..%2F..", {}, { status: 400 }],
  ["a backslash in a name", "GET /models/..%5c..", {}, { status: 400 }],
  ["bytes that are no UTF-8", "GET /models/%ff", {}, { status: 400 }],
  ["a control character", "GET /models/a%0Ab", {}, { status: 400, lacks: ["a\nb", "a%0Ab"] }],
  ["a name with a dot", "GET /models/a.b", {}, { status: 200, call: 'models.get[["a.b"],{}]' }],
  [
    "a host with its port",
    "GET /models/a.example.org:9100",
    {},
    { status: 200, call: 'models.get[["a.example.org:9100"],{}]' },
  ],
  [
    "a host with its port, escaped",
    "GET /models/a.example.org%3A9100",
    {},
    { status: 200, call: 'models.get[["a.example.org:9100"],{}]' },
  ],
  ["a dot among names", "GET /models/a;.", {}, { status: 400, holds: ["not . or .. alone"] }],
  ["two dots among names", "GET /models/a;%2e%2e", {}, { status: 400 }],
  ["a bad escape in the query", "GET /models?x=%ZZ", {}, { status: 200 }],
  ["a path that is not there", "GET /nowhere", {}, { status: 404, lacks: ["nowhere"] }],
  [
    "a method that is not there",
    "PUT /models/a",
    { body: "{}" },
    { status: 405, holds: ['"allow":"DELETE, GET, HEAD, PATCH"'] },
  ],
  ["OPTIONS", "OPTIONS /models", {}, { status: 405, holds: ["allow"], lacks: ["access-control"] }],
  [
    "another site's page",
    "GET /models",
    { headers: { origin: "http://evil.example" } },
    { status: 403, lacks: ["access-control"] },
  ],
  [
    "one parameter twice",
    "GET /models?page=1&page=2",
    {},
    { status: 200, call: 'models.list[{"page":"2"}]' },
  ],
];

test.each(cases)("%s", (_name, line, input, expected) =>
  expectAnswer(createFakeApp(), [line, input], expected));

test("a large body is not read to its end", async () => {
  let pulled = 0;
  const body = new ReadableStream({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(100));
    },
  });
  const response = await send(createFakeApp(), "POST /models", { body });
  expect(response.status).toBe(413);
  expect(pulled).toBeLessThan(100);
});

test("a body that is not read to its end costs the connection, not the server", async () => {
  const closes = async (line: string, input: RequestInput) =>
    (await send(createFakeApp(), line, input)).headers.get("connection");
  expect(await closes("POST /models", { body: "x".repeat(2000) })).toBe("close");
  expect(await closes("POST /models", { body: stream("x", 2000) })).toBe("close");
  expect(await closes("POST /models", { body: "x", type: "text/plain" })).toBe("close");
  expect(await closes("POST /nowhere", { body: "{}" })).toBe("close");
  expect(await closes("POST /models", { body: "{" })).toBeNull();
  expect(await closes("GET /nowhere", {})).toBeNull();
});

test("no prototype is polluted", async () => {
  await send(createFakeApp(), "PATCH /models/a", { body: '{"constructor":{"prototype":{"polluted":1}}}' });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test.each([
  ["POST /models", "models.create["],
  ["POST /buckets", "buckets.put["],
  ["POST /templates?name=t", 'templates.create["t",'],
  ["POST /scheduled_jobs", "scheduledJobs.put["],
  ["PUT /models/a/hooks", 'hooks.put["a",'],
])("a body of %s that is no object stays what it is", async (line, call) => {
  for (const body of ["[1]", '"x"', "5", "null"]) {
    const app = createFakeApp();
    await send(app, line, { body });
    expect(app.calls.length).toBe(1);
    expect(app.calls[0]!.replace(/,\{"check":false\}/, "")).toBe(`${call}${body}]`);
  }
});

test("what a client sent reaches the resource as it was", async () => {
  const app = createFakeApp();
  const body = { n: "1", yes: "true", extra: [null, 1.5], nested: { a: "2" } };
  await send(app, "POST /models", { body: JSON.stringify(body) });
  expect(app.calls).toEqual([`models.create${JSON.stringify([body])}`]);
});

test("HEAD has no body, found or not", async () => {
  for (const path of ["/", "/buckets/a", "/nowhere"]) {
    const response = await createFakeApp().handle(new Request(`http://localhost${path}`, { method: "HEAD" }));
    expect(await response.text()).toBe("");
  }
});

describe("request id", () => {
  const ids: [string, boolean][] = [
    ["abc-123", true],
    ["a b", false],
    ["x".repeat(200), false],
    ["<script>", false],
  ];
  test.each(ids)("%s is kept: %p", async (id, kept) => {
    const response = await send(createFakeApp(), "GET /", { headers: { "x-request-id": id } });
    const answered = response.headers.get("x-request-id");
    if (kept) expect(answered).toBe(id);
    else expect(answered).toMatch(/^[0-9a-f-]{36}$/);
  });
});
