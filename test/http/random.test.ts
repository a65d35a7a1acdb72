// Random templates, hooks and scheduled jobs: no 5xx, always JSON, and refusals change nothing.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { useTestServer } from "../contract/server.ts";
import { aModel } from "../support/builders.ts";

const RUNS = 300;
setDefaultTimeout(60_000);
const lists = [
  "/models",
  "/templates",
  "/scheduled_jobs?fields=next_run_timestamp",
  "/models/known/hooks?full=true",
];
const server = useTestServer();

const model = aModel({ name: "known" });
const job = { name: "known", method: "get", relative_url: "/jobs", every: { unit: "day" } };
const marks = { name: "known", type: "annotations", config: { type: "t", bucket: "b" } };

beforeAll(async () => {
  for (const [path, body] of [
    ["/models", model],
    ["/templates?name=known", { ...model, name: "{{name}}" }],
    ["/models/known/hooks", marks],
    ["/scheduled_jobs", job],
  ] as const)
    expect((await send("POST", path, JSON.stringify(body))).status).toBe(201);
});

function send(method: string, path: string, body?: string): Promise<Response> {
  const init = body === undefined ? {} : { body, headers: { "content-type": "application/json" } };
  return fetch(`${server.url}${path}`, { method, ...init });
}

async function snapshot(): Promise<string> {
  const answers = await Promise.all(lists.map((path) => send("GET", path)));
  expect(answers.map(({ status }) => status)).toEqual(lists.map(() => 200));
  return (await Promise.all(answers.map((answer) => answer.text()))).join("\n");
}

async function probe(method: string, path: string, body?: string): Promise<void> {
  const before = await snapshot();
  const response = await send(method, path, body);
  const text = await response.text();
  const context = `${method} ${path} ${body?.slice(0, 300)} -> ${response.status} ${text.slice(0, 300)}`;
  expect(response.status < 500 ? "" : context).toBe("");
  if (text !== "") JSON.parse(text);
  if (response.status >= 400) expect(await snapshot()).toBe(before);
}

const value = fc.oneof(
  fc.constantFrom(
    "",
    "known",
    "{{x}}",
    "{{model_name}}",
    "{model}",
    "{",
    "a\r\nb",
    "/jobs",
    "1d",
    ":30",
    null,
    true,
  ),
  fc.constantFrom(0, -1, 1.5, 1e308, 2 ** 53),
  fc.string({ maxLength: 12, unit: "binary" }),
  fc.jsonValue({ maxDepth: 3 }),
);
const some = <T>(...choices: T[]) => fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...choices) }, value);
const part = <T extends Record<string, fc.Arbitrary<unknown>>>(shape: T) =>
  fc.record(shape, { requiredKeys: [], noNullPrototype: true });

const every = part({
  count: some(1, 2, 1_000_000),
  unit: some("seconds", "minute", "hours", "day", "weeks", "friday"),
  at: some(":30", "10:30", "23:59:59"),
  cron: some("* * * * *", "0 0 30 2 *", "0 0 31 * 1", "*/7 3-5 L * MON#2"),
});
const scheduled = part({
  name: some("known", "a b", "(x)"),
  method: some("get", "post", "head"),
  relative_url: some("/jobs", "/models/known/_train"),
  params: fc.oneof(fc.dictionary(fc.string(), value, { noNullPrototype: true }), value),
  json: value,
  every: fc.oneof({ weight: 4, arbitrary: every }, value),
  extra: fc.constant(undefined),
});
const text = fc.oneof(fc.constantFrom("{model} {score}", "{{literal}}", "{reason"), value);
const message = part({ subject: text, content: text });
const mailbox = part({ name: value, address: some("a@example.org", "x@y\n.z") });
const hook = part({
  name: some("known", "a.b"),
  type: some("mail", "annotations"),
  config: fc.oneof(
    part({
      from: mailbox,
      to: fc.oneof(mailbox, fc.array(mailbox, { maxLength: 3 })),
      templates: part({ anomaly_start: message, anomaly_end: message }),
    }),
    part({ id: value, type: some("t"), text: value, bucket: some("b") }),
    value,
  ),
});
const template = part({
  name: some("{{name}}", "m"),
  type: some("donut", "{{t}}"),
  bucket_interval: some("1m", "{{i}}"),
  span: value,
  features: fc.oneof(
    fc.array(part({ name: some("f"), metric: some("avg", "{{m}}"), field: some("x"), default: value }), {
      maxLength: 2,
    }),
    value,
  ),
});
const params = fc.dictionary(fc.constantFrom("name", "x", "t", "i", "m", "constructor"), value, {
  noNullPrototype: true,
});

const cases: [string, fc.Arbitrary<string>, fc.Arbitrary<unknown>, string[]][] = [
  ["scheduled jobs", fc.constantFrom("/scheduled_jobs"), scheduled, ["POST"]],
  [
    "changes of scheduled jobs",
    fc.constantFrom("/scheduled_jobs/known", "/scheduled_jobs/known;x"),
    scheduled,
    ["PATCH"],
  ],
  [
    "hooks",
    fc.constantFrom("/models/known/hooks", "/models/x/hooks", "/models/known/hooks/known"),
    hook,
    ["PUT", "POST"],
  ],
  ["templates", fc.nat().map((n) => `/templates?name=t${n}`), template, ["POST"]],
  ["models of templates", fc.constantFrom("/models?from_template=known"), params, ["POST"]],
];

test.each(cases)("random %s", async (_name, paths, bodies, methods) => {
  const whole = fc.oneof({ weight: 6, arbitrary: bodies }, value);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), paths, whole, async (method, path, body) => {
      await probe(method, path, JSON.stringify(body) ?? "");
    }),
    { numRuns: RUNS },
  );
});

const segment = fc.oneof(
  fc.constantFrom("known", "a;b", ";", "%2e%2e", "%00", "%C3%28", "+", "%2B", "a+b;c", "é", "__proto__"),
  fc.string({ maxLength: 12, unit: "binary" }).map((name) => encodeURIComponent(name.toWellFormed())),
);

test("random names and methods", async () => {
  const paths = fc.oneof(
    segment.map((name) => `/scheduled_jobs/${name}`),
    segment.map((name) => `/templates/${name}`),
    segment.map((name) => `/models/known/hooks/${name}`),
    segment.map((name) => `/models/${name}/hooks`),
    segment.map((name) => `/models?from_template=${name}`),
  );
  const methods = fc.constantFrom("GET", "HEAD", "PUT", "POST", "PATCH", "OPTIONS");
  await fc.assert(
    fc.asyncProperty(methods, paths, async (method, path) => probe(method, path)),
    { numRuns: RUNS * 2 },
  );
});
