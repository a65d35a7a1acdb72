// Guards against hostile or broken requests: statuses, and how much of a request is read.
import { describe, expect, test } from "bun:test";
import {
  createFakeApp,
  type Expected,
  expectAnswer,
  type RequestInput,
  send,
} from "../../support/fake-app.ts";

type Case = [name: string, line: string, status: number, input?: RequestInput, rest?: Partial<Expected>];
const secret = "hunter2";
const stream = (text: string, times: number) => {
  const chunk = new TextEncoder().encode(text);
  let left = times;
  return new ReadableStream({
    pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
  });
};

const cases: Case[] = [
  ["JSON in capitals", "POST /models", 201, { body: "{}", type: "Application/JSON; charset=UTF-8" }],
  ["a dialect of JSON", "POST /models", 201, { body: "{}", type: "application/vnd.torus+json" }],
  ["text", "POST /models", 415, { body: "{}", type: "text/plain" }, { lacks: ["{}"] }],
  ["a form", "POST /models", 415, { body: "name=a", type: "application/x-www-form-urlencoded" }],
  ["a parts form", "POST /models", 415, { body: new FormData(), type: "multipart/form-data; boundary=x" }],
  ["no content type", "POST /models", 415, { body: "{}", type: "" }],
  ["almost JSON", "POST /models", 415, { body: "{}", type: "application/jsonp" }],
  ["a compressed body", "POST /models", 415, { body: "{}", headers: { "content-encoding": "gzip" } }],
  ["text where no body is needed", "DELETE /models/a", 415, { body: "x", type: "text/plain" }],
  ["an empty body", "POST /models/a/_train", 200, { body: "", type: "application/json" }],
  ["an empty body on DELETE", "DELETE /models/a", 204, { type: "application/json" }, { type: null }],
  ["an empty body on GET", "GET /models", 200, { type: "application/json" }],
  ["white space for a body", "POST /models/a/_train", 200, { body: " \n" }],
  ["a byte order mark", "POST /models", 201, { body: "\ufeff{}" }],
  [
    "broken JSON",
    "POST /models",
    400,
    { body: `{"password":"${secret}"` },
    { holds: ['"path":"body"'], lacks: [secret] },
  ],
  ["invalid UTF-8", "POST /models", 400, { body: new Uint8Array([0x22, 0xff, 0x22]) }, { holds: ["UTF-8"] }],
  ["deep nesting", "POST /models", 400, { body: "[".repeat(500) }, { holds: ["10 levels"] }],
  [
    "brackets in a string",
    "POST /models",
    201,
    { body: JSON.stringify({ a: '\\"'.concat("[".repeat(100)) }) },
  ],
  ["just deep enough", "POST /models", 201, { body: `${"[".repeat(10)}${"]".repeat(10)}` }],
  [
    "a prototype key",
    "POST /models",
    400,
    { body: '{"__proto__":{"polluted":1}}' },
    { holds: ["__proto__"] },
  ],
  ["a prototype key in escapes", "POST /models", 400, { body: '{"a":{"\\u005f_proto__":1}}' }],
  ["a prototype in the query", "GET /models?__proto__=1&constructor=2", 200],
  [
    "a large body",
    "POST /models",
    413,
    { body: JSON.stringify("x".repeat(1000)) },
    { holds: ['"limit":1000'] },
  ],
  ["a large body announced", "POST /models", 413, { body: "{}", headers: { "content-length": "5000" } }],
  ["a large body without length", "POST /models", 413, { body: stream("x".repeat(100), 1e9) }],
  ["a bad escape", "GET /models/%ZZ", 400, {}, { holds: ['"path":"path"'] }],
  ["a slash in a name", "GET /models/..%2F..", 400],
  ["a backslash in a name", "GET /models/..%5c..", 400],
  [
    "a slash and a backslash in the tags of a series",
    "GET /models/m/series/dev:%2Fsda%5C%2C1",
    200,
    {},
    { call: 'fleetSeries.get["m","dev:/sda\\\\,1"]' },
  ],
  ["a slash in the name of a series' model", "GET /models/a%2Fb/series/x:1", 400],
  ["a NUL in the tags of a series", "GET /models/m/series/x:%00", 400],
  ["bytes that are no UTF-8", "GET /models/%ff", 400],
  ["a control character", "GET /models/a%0Ab", 400, {}, { lacks: ["a\nb", "a%0Ab"] }],
  ["a name with a dot", "GET /models/a.b", 200, {}, { call: 'models.get[["a.b"],{}]' }],
  [
    "a host with its port",
    "GET /models/a.example.org:9100",
    200,
    {},
    { call: 'models.get[["a.example.org:9100"],{}]' },
  ],
  [
    "a host with its port, escaped",
    "GET /models/a.example.org%3A9100",
    200,
    {},
    { call: 'models.get[["a.example.org:9100"],{}]' },
  ],
  ["a dot among names", "GET /models/a;.", 400, {}, { holds: ["not . or .. alone"] }],
  ["two dots among names", "GET /models/a;%2e%2e", 400],
  ["a bad escape in the query", "GET /models?x=%ZZ", 200],
  ["a path that is not there", "GET /nowhere", 404, {}, { lacks: ["nowhere"] }],
  [
    "a method that is not there",
    "PUT /models/a",
    405,
    { body: "{}" },
    { holds: ['"allow":"DELETE, GET, HEAD, PATCH"'] },
  ],
  ["OPTIONS", "OPTIONS /models", 405, {}, { holds: ["allow"], lacks: ["access-control"] }],
  [
    "another site's page",
    "GET /models",
    403,
    { headers: { origin: "http://evil.example" } },
    { lacks: ["access-control"] },
  ],
  ["one parameter twice", "GET /models?page=1&page=2", 200, {}, { call: 'models.list[{"page":"2"}]' }],
];

test.each(cases)("%s", (_name, line, status, input = {}, rest = {}) =>
  expectAnswer(createFakeApp(), [line, input], { status, ...rest }));

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
