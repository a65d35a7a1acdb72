// Random templates, hooks and scheduled jobs: no 5xx, always JSON, and refusals change nothing.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { createProber } from "../contract/prober.ts";
import { useTestServer } from "../contract/server.ts";
import { aModel } from "../support/builders.ts";
import { roundsOf } from "../support/rounds.ts";

const RUNS = roundsOf(300);
setDefaultTimeout(180_000);
const lists = [
  "/models",
  // Readings go on by themselves.
  "/calendars?fields=name;url;refresh;verify_ssl&include_fields=true",
  "/templates",
  "/scheduled_jobs?fields=next_run_timestamp",
  "/models/known/hooks?full=true",
];
const { send, probeAll } = createProber(useTestServer(), lists);

const model = aModel({ name: "known" });
const job = { name: "known", method: "get", relative_url: "/jobs", every: { unit: "day" } };
const marks = { name: "known", type: "annotations", config: { type: "t", bucket: "b" } };

beforeAll(async () => {
  for (const [path, body] of [
    ["/models", model],
    ["/calendars", { name: "known", url: "http://203.0.113.1:9/x" }],
    ["/templates?name=known", { ...model, name: "{{name}}" }],
    ["/models/known/hooks", marks],
    ["/scheduled_jobs", job],
  ] as const)
    expect((await send("POST", path, JSON.stringify(body))).status).toBe(201);
});

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
const rule = fc
  .tuple(
    fc.constantFrom("YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "SECONDLY", "X"),
    fc.constantFrom(
      "",
      ";COUNT=0",
      ";UNTIL=1",
      ";INTERVAL=-1",
      ";BYDAY=9ZZ",
      ";BYMONTHDAY=32",
      ";BYSETPOS=0",
    ),
  )
  .map((parts) => parts.join(""));
const calendar = part({
  name: fc.constantFrom("known", "a"),
  ical: fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom("20260101", "20260101T000000Z", "99999999", ""), rule)
      .map(
        ([start, each]) =>
          `BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:${start}\nRRULE:FREQ=${each}\nEND:VEVENT\nEND:VCALENDAR`,
      ),
  ),
  url: fc.constantFrom("http://203.0.113.1:9/x", "http://", "x"),
  refresh: fc.constantFrom("1h", 1, "x"),
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
  ["calendars", fc.constantFrom("/calendars"), calendar, ["PUT", "POST"]],
  ["changes of calendars", fc.constantFrom("/calendars/known", "/calendars/x"), calendar, ["PATCH"]],
  ["templates", fc.nat().map((n) => `/templates?name=t${n}`), template, ["POST"]],
  ["models of templates", fc.constantFrom("/models?from_template=known"), params, ["POST"]],
];

test.each(cases)("random %s", async (_name, paths, bodies, methods) => {
  const whole = fc.oneof({ weight: 6, arbitrary: bodies }, value).map((body) => JSON.stringify(body) ?? "");
  await probeAll(fc.tuple(fc.constantFrom(...methods), paths, whole), RUNS);
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
  await probeAll(fc.tuple(methods, paths), RUNS * 2);
});
