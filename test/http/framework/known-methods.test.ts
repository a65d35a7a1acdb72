// Every route: what it calls and what it answers.
import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { durationSchema } from "../../../src/core/input/schema.ts";
import {
  createFakeApp,
  type Expected,
  expectAnswer,
  JOB_ID,
  type RequestInput,
} from "../../support/fake-app.ts";

type Case = [line: string, input: RequestInput, expected: Expected];
const json = (value: unknown): RequestInput => ({ body: JSON.stringify(value) });

const root: Case[] = [
  ["GET /", {}, { status: 200, body: { version: "2.0.0", tagline: expect.any(String), host_id: "h1" } }],
  ["HEAD /", {}, { status: 200 }],
  [
    "GET /_nodes/_all/http",
    {},
    { status: 200, holds: ['"publish_address":"localhost:8077"', '"cluster_name":"c1"', '"ip":"127.0.0.1"'] },
  ],
  ["GET /_nodes/h1/http", {}, { status: 200, holds: ['"h1":{', '"roles":["master","compute"]'] }],
  ["GET /_nodes/h2/http", {}, { status: 404 }],
];

const buckets: Case[] = [
  ["GET /buckets", {}, { status: 200, body: [{ name: "a" }, { name: "b" }], call: "buckets.list[{}]" }],
  ["GET /buckets/", {}, { status: 200 }],
  [
    "GET /buckets?page=1&fields=x;y&sort=None",
    {},
    { status: 200, call: 'buckets.list[{"page":"1","fields":"x;y"}]' },
  ],
  ["GET /buckets?sort=name:-1", {}, { status: 200, call: 'buckets.list[{"sort":"name:-1"}]' }],
  ["GET /buckets/a", {}, { status: 200, body: [{ name: "a" }], call: 'buckets.get[["a"],{}]' }],
  ["GET /buckets/a;b;a", {}, { status: 200, body: [{ name: "a" }, { name: "b" }, { name: "a" }] }],
  ["GET /buckets/a%3Bb", {}, { status: 200, body: [{ name: "a" }, { name: "b" }] }],
  ["HEAD /buckets/a;b", {}, { status: 200 }],
  ["HEAD /buckets/a;x", {}, { status: 404 }],
  ["GET /buckets/a;x;y", {}, { status: 404, holds: ["x does not exist"] }],
  ["GET /buckets/a;;b", {}, { status: 400, holds: ['"path":"name"'] }],
  [
    "POST /buckets",
    json({ name: "n" }),
    { status: 201, body: "success", call: 'buckets.put[{"name":"n"},{"check":false}]' },
  ],
  [
    "POST /buckets?check=true",
    json({ name: "n" }),
    { status: 201, call: 'buckets.put[{"name":"n"},{"check":true}]' },
  ],
  ["POST /buckets?check=maybe", json({ name: "n" }), { status: 400, holds: ['"path":"check"'] }],
  ["POST /buckets/a/_test", {}, { status: 200, body: { ok: true }, call: 'buckets.test["a"]' }],
  ["POST /buckets/x/_test", {}, { status: 404 }],
  ["POST /buckets/a;b/_test", {}, { status: 400, holds: ["one name"] }],
  [
    "GET /buckets/a/_explore?measurement=m",
    {},
    { status: 200, call: 'buckets.explore["a",{"measurement":"m"}]' },
  ],
  ["GET /buckets/a/_explore", {}, { status: 200, holds: ['"truncated":false'] }],
  [
    "PATCH /buckets/a;b",
    json({ x: 1 }),
    { status: 204, type: null, call: 'buckets.patch[["a","b"],{"x":1}]' },
  ],
  ["DELETE /buckets/a", {}, { status: 204, type: null, call: 'buckets.remove[["a"],{"force":false}]' }],
  [
    "DELETE /buckets/a?force=True",
    {},
    { status: 204, type: null, call: 'buckets.remove[["a"],{"force":true}]' },
  ],
  ["DELETE /buckets/a?force=maybe", {}, { status: 400, holds: ['"path":"force"'] }],
  ["DELETE /buckets", {}, { status: 405, holds: ['"allow":"GET, HEAD, POST"'] }],
  [
    "POST /buckets/a/_write",
    json([{ timestamp: 1, x: 2 }]),
    { status: 202, body: JOB_ID, call: 'buckets.write["a",[{"timestamp":1,"x":2}],{}]' },
  ],
  [
    "POST /buckets/a/_write?measurement=m",
    json([]),
    { status: 202, call: 'buckets.write["a",[],{"measurement":"m"}]' },
  ],
  ["POST /buckets/a;b/_write", json([]), { status: 400, holds: ["one name"] }],
  ["POST /buckets/x/_write", json([]), { status: 404 }],
  [
    "POST /buckets/a/_read?from=now-1h&features=avg(x);count(m.y)",
    {},
    { status: 202, body: JOB_ID, call: 'buckets.read["a",{"from":"now-1h","features":"avg(x);count(m.y)"}]' },
  ],
  [
    "POST /buckets/a/_read?from=1",
    json({ to: 2 }),
    { status: 202, call: 'buckets.read["a",{"from":"1","to":2}]' },
  ],
  ["POST /buckets/a/_read", json([1]), { status: 400, holds: ["must be a JSON object"] }],
  [
    "POST /buckets/a/_clear",
    { type: "application/json" },
    { status: 204, type: null, call: 'buckets.clear["a"]' },
  ],
];

const models: Case[] = [
  ["GET /models", {}, { status: 200, call: "models.list[{}]" }],
  ["GET /models/a", {}, { status: 200, body: [{ name: "a" }] }],
  ["HEAD /models/a", {}, { status: 200 }],
  ["HEAD /models/x", {}, { status: 404 }],
  [
    "POST /models",
    json({ name: "n", span: 20 }),
    { status: 201, body: "success", call: 'models.create[{"name":"n","span":20}]' },
  ],
  [
    "POST /models",
    json({ name: "n", spam: "20" }),
    { status: 201, call: 'models.create[{"name":"n","spam":"20"}]' },
  ],
  [
    "PATCH /models/a",
    json({ span: "20" }),
    { status: 204, type: null, call: 'models.patch[["a"],{"span":"20"}]' },
  ],
  ["DELETE /models/a;b", {}, { status: 204, type: null, call: 'models.remove[["a","b"]]' }],
  [
    "POST /models/a/_train?from=now-30d",
    {},
    { status: 200, body: JOB_ID, call: 'models.trainAll[["a"],{"from":"now-30d"}]' },
  ],
  ["POST /models/a;b/_train?from=1", {}, { status: 200, body: [JOB_ID, JOB_ID] }],
  ["GET /models/a/training", {}, { status: 200, body: { name: "a" } }],
  ["GET /models/a/versions?page=0", {}, { status: 200, call: 'models.versions["a",{"page":"0"}]' }],
  ["GET /models/a/versions/01", {}, { status: 200, body: { name: "a", version: "01" } }],
  ["HEAD /models/a/versions/01", {}, { status: 200 }],
  ["HEAD /models/x/versions/01", {}, { status: 404 }],
  ["POST /models/a/_restore?version=01", {}, { status: 204, type: null, call: 'models.restore["a","01"]' }],
  [
    "POST /models/a/_restore",
    json({ version: "02" }),
    { status: 204, type: null, call: 'models.restore["a","02"]' },
  ],
  [
    "POST /models/a/_forecast?bg=True&to=now+1h",
    {},
    {
      status: 200,
      body: JOB_ID,
      call: 'models.forecast["a",{"bg":"True","to":"now 1h"},{"foreground":false}]',
    },
  ],
  ["POST /models/a/_forecast?bg=perhaps", {}, { status: 400, holds: ['"path":"bg"'] }],
  [
    "POST /models/a/_forecast",
    {},
    { status: 200, body: { timestamps: [0], observed: { f: [null] }, predicted: {} } },
  ],
  [
    "POST /models/a/_eval?bg=1",
    {},
    { status: 200, body: JOB_ID, call: 'models.evaluate["a",{"bg":"1"},{"foreground":false}]' },
  ],
  ["POST /models/a/_eval?from=1", json({ bg: true }), { status: 200, body: JOB_ID }],
  ["POST /models/a/_eval", {}, { status: 200, holds: ["timestamps"] }],
  ["GET /models/a/_eval", {}, { status: 405, holds: ['"allow":"POST"'] }],
];

const templates: Case[] = [
  ["GET /templates", {}, { status: 200, body: [{ name: "a" }], call: "templates.list[{}]" }],
  ["GET /templates/a;b", {}, { status: 200, body: [{ name: "a" }, { name: "b" }] }],
  ["HEAD /templates/a", {}, { status: 200 }],
  ["HEAD /templates/x", {}, { status: 404 }],
  [
    "POST /templates?name=t",
    json({ name: "{{n}}" }),
    { status: 201, body: "success", call: 'templates.create["t",{"name":"{{n}}"}]' },
  ],
  ["POST /templates", json({ name: "{{n}}" }), { status: 400, holds: ['"path":"name"'] }],
  ["POST /templates?name=a;b", json({}), { status: 400, holds: ["one name"] }],
  ["PATCH /templates/a", json({}), { status: 405, holds: ['"allow":"DELETE, GET, HEAD"'] }],
  ["DELETE /templates/a;b", {}, { status: 204, type: null, call: 'templates.remove[["a","b"]]' }],
  [
    "POST /models?from_template=a",
    json({ host: "h" }),
    { status: 201, body: "success", call: 'models.create[{"name":"a","host":"h"}]' },
  ],
  ["POST /models?from_template=a", {}, { status: 201, call: 'templates.fill["a",null]' }],
  ["POST /models?from_template=x", json({}), { status: 404, holds: ["x does not exist"] }],
  ["POST /models?from_template=", json({ name: "n" }), { status: 201, call: 'models.create[{"name":"n"}]' }],
];

const hooks: Case[] = [
  ["GET /models/a/hooks", {}, { status: 200, body: ["h"], call: 'hooks.list["a",{}]' }],
  ["GET /models/a/hooks?full=true", {}, { status: 200, call: 'hooks.list["a",{"full":"true"}]' }],
  ["GET /models/x/hooks", {}, { status: 404 }],
  ["GET /models/a;b/hooks", {}, { status: 400, holds: ["one name"] }],
  ...["PUT", "POST"].flatMap((method): Case[] => [
    [
      `${method} /models/a/hooks`,
      json({ name: "h" }),
      { status: 201, body: "success", call: 'hooks.put["a",{"name":"h"}]' },
    ],
    [
      `${method} /models/a/hooks/h.1`,
      json({ type: "mail" }),
      { status: 200, body: "success", call: 'hooks.replace["a","h.1",{"type":"mail"}]' },
    ],
  ]),
  ["GET /models/a/hooks/h", {}, { status: 200, body: { name: "h", type: "mail", config: {} } }],
  ["HEAD /models/a/hooks/h", {}, { status: 200 }],
  ["DELETE /models/a/hooks/b", {}, { status: 200, body: "success", call: 'hooks.remove["a","b"]' }],
  ["PATCH /models/a/hooks/h", json({}), { status: 405, holds: ['"allow":"DELETE, GET, HEAD, POST, PUT"'] }],
  ["POST /models/a/hooks/h/_test", {}, { status: 200, body: "success", call: 'hooks.test["a","h"]' }],
  [
    "GET /models/a/hooks/h/deliveries?per_page=2",
    {},
    { status: 200, call: 'hooks.deliveries["a","h",{"per_page":"2"}]' },
  ],
];

const called = (method: string, names: string[]) => `scheduledJobs.${method}${JSON.stringify([names])}`;
const scheduledJobs: Case[] = [
  ["GET /scheduled_jobs", {}, { status: 200, body: [{ name: "a" }], call: "scheduledJobs.list[{}]" }],
  ["POST /scheduled_jobs", json({ x: 1 }), { status: 201, call: 'scheduledJobs.put[{"x":1}]' }],
  ["DELETE /scheduled_jobs", {}, { status: 204, type: null, call: "scheduledJobs.clear[]" }],
  ["PATCH /scheduled_jobs", json({}), { status: 405, holds: ['"allow":"DELETE, GET, HEAD, POST"'] }],
  ["GET /scheduled_jobs/a;b", {}, { status: 200, body: [{ name: "a" }, { name: "b" }] }],
  ["GET /scheduled_jobs/a;b?page=1", {}, { status: 200, body: [] }],
  ["HEAD /scheduled_jobs/a", {}, { status: 200 }],
  [
    "PATCH /scheduled_jobs/a",
    json({ every: {} }),
    { status: 204, type: null, call: 'scheduledJobs.patch[["a"],{"every":{}}]' },
  ],
  ["DELETE /scheduled_jobs/a", {}, { status: 204, type: null, call: called("remove", ["a"]) }],
  [
    "DELETE /scheduled_jobs/every+night",
    {},
    { status: 204, type: null, call: called("remove", ["every night"]) },
  ],
  [
    "DELETE /scheduled_jobs/every%20night/",
    {},
    { status: 204, type: null, call: called("remove", ["every night"]) },
  ],
  ["DELETE /scheduled_jobs/a%2Bb", {}, { status: 204, type: null, call: called("remove", ["a+b"]) }],
  [
    "DELETE /scheduled_jobs/_eval(m)%3B%5Bn%5D",
    {},
    { status: 204, type: null, call: called("remove", ["_eval(m)", "[n]"]) },
  ],
  [
    "DELETE /scheduled_jobs/n%C3%A4chtlich?x=/y",
    {},
    { status: 204, type: null, call: called("remove", ["nächtlich"]) },
  ],
  ["DELETE /scheduled_jobs/a%25b", {}, { status: 204, type: null, call: called("remove", ["a%b"]) }],
  ["DELETE /scheduled_jobs/a;", {}, { status: 400, holds: ["printable"] }],
  ["GET /scheduled_jobs/a%09b", {}, { status: 400, holds: ['"path":"name"'] }],
  ["GET /scheduled_jobs/a%2Fb", {}, { status: 400 }],
];

const jobs: Case[] = [
  ["GET /jobs", {}, { status: 200, body: [{ id: JOB_ID }] }],
  [
    `GET /jobs/${JOB_ID}?include_fields=True&fields=result`,
    {},
    {
      status: 200,
      body: [{ id: JOB_ID }],
      call: `jobs.get[["${JOB_ID}"],{"include_fields":"True","fields":"result"}]`,
    },
  ],
  [`GET /jobs/${JOB_ID};${JOB_ID}`, {}, { status: 200, body: [{ id: JOB_ID }, { id: JOB_ID }] }],
  [`HEAD /jobs/${JOB_ID}`, {}, { status: 200 }],
  ["HEAD /jobs/x", {}, { status: 404 }],
  [`POST /jobs/${JOB_ID}/_cancel`, {}, { status: 204, type: null, call: `jobs.cancel[["${JOB_ID}"]]` }],
];

describe.each([
  ["root", root],
  ["buckets", buckets],
  ["models", models],
  ["templates", templates],
  ["hooks", hooks],
  ["jobs", jobs],
  ["scheduled jobs", scheduledJobs],
] as [string, Case[]][])("%s", (_noun, cases) => {
  test.each(cases)("%s", (line, input, expected) => expectAnswer(createFakeApp(), [line, input], expected));
});

test("named entries are one page: old clients ask on until a page is empty", async () => {
  const app = createFakeApp();
  const both = [{ name: "a" }, { name: "b" }];
  await expectAnswer(app, ["GET /models/a;b?page=0&per_page=1", {}], { status: 200, body: both });
  await expectAnswer(app, ["GET /models/a;b?page=1&per_page=1", {}], { status: 200, body: [] });
  await expectAnswer(app, ["GET /models/a;b?page=x", {}], { status: 400, holds: ['"path":"page"'] });
});

test("HEAD has no body, found or not", async () => {
  for (const path of ["/", "/buckets/a", "/buckets/x", "/nowhere"]) {
    const response = await createFakeApp().handle(new Request(`http://localhost${path}`, { method: "HEAD" }));
    expect(await response.text()).toBe("");
  }
});

test("pretty=true indents answers and errors", async () => {
  await expectAnswer(createFakeApp(), ["GET /buckets?pretty=True", {}], {
    status: 200,
    holds: ['\n  {\n    "name": "a"'],
  });
  await expectAnswer(createFakeApp(), ["GET /buckets/x?pretty=1", {}], {
    status: 404,
    holds: ['\n  "status": 404'],
  });
  await expectAnswer(createFakeApp(), ["GET /buckets?pretty", {}], { status: 200, lacks: ["\n  "] });
  await expectAnswer(createFakeApp(), ["GET /buckets?pretty=x", {}], {
    status: 400,
    holds: ['"path":"pretty"'],
  });
});

test("durations mean what core says, although the framework has a format of that name", () => {
  const schema = durationSchema({ description: "" });
  expect(Value.Check(schema, "5m")).toBe(true);
  expect(Value.Check(schema, "P1D")).toBe(false);
});

test("a short host name is not taken for a path", async () => {
  const response = await createFakeApp().handle(new Request("http://ml/buckets/a"));
  expect(response.status).toBe(200);
});
