// Random requests: no 5xx, every answer is JSON, and refusals change nothing.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { aModel } from "../support/builders.ts";
import { roundsOf } from "../support/rounds.ts";
import { createProber } from "./prober.ts";
import { useTestServer } from "./server.ts";

const RUNS = roundsOf(400);
setDefaultTimeout(180_000);
/** Routes that would start real work have nothing to work on here: models are untrained, ranges empty. */
const server = useTestServer();
const { send, probeAll } = createProber(server, ["/buckets", "/models"]);

beforeAll(async () => {
  await send("POST", "/buckets", JSON.stringify({ name: "known", type: "local" }));
  await send("POST", "/models", JSON.stringify(aModel({ name: "known", default_bucket: "known" })));
});

const words = fc.constantFrom(
  "name",
  "type",
  "features",
  "metric",
  "field",
  "span",
  "bucket_interval",
  "from",
  "to",
  "tags",
  "timestamp",
  "match_all",
  "__proto__",
  "constructor",
  "max_evals",
  "retention",
);
const values = fc.oneof(
  fc.constantFrom(
    "donut",
    "local",
    "known",
    "avg",
    "1m",
    "now",
    "now-1d",
    "auto",
    "",
    "NaN",
    null,
    true,
    -1,
    0,
    1e308,
    1.5,
  ),
  fc.string({ maxLength: 20 }),
  fc.double(),
);
const tree = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, values, fc.array(tie("value"), { maxLength: 4 }), tie("record")),
  record: fc.dictionary(words, tie("value"), { maxKeys: 6, noNullPrototype: true }),
}));

/** Close to valid, so that more than the first rule is reached. */
const settings = fc.record(
  {
    name: fc.constantFrom("known", "fuzz", "a b", ""),
    type: fc.constantFrom("donut", "local", "x"),
    bucket_interval: values,
    span: values,
    min_threshold: values,
    features: fc.oneof(fc.array(tree.record!, { maxLength: 2 }), tree.value!),
  },
  { requiredKeys: [] },
);

const bodies = fc.oneof(
  tree.value!.map((value) => JSON.stringify(value)),
  settings.map((value) => JSON.stringify(value)),
  fc.string({ maxLength: 40 }),
  fc.constantFrom("", "null", "[]", '{"a":1e999}', "[[[[", "\u0000", '{"__proto__":{}}'),
);
const paths = fc.constantFrom(
  "/buckets",
  "/buckets/known/_write",
  "/buckets/known/_read",
  "/models",
  "/models/known/_train",
  "/models/known/_forecast",
  "/models/known/_eval",
  "/models/known/_backtest",
  "/models/known/_restore",
  "/models/_import",
  "/_detect",
  "/_predict",
  "/jobs/known/_cancel",
);

test("random bodies", () => probeAll(fc.tuple(fc.constant("POST"), paths, bodies), RUNS));

test("random changes of settings", async () => {
  const target = fc.constantFrom("/buckets/known", "/models/known", "/models/known;none");
  await probeAll(fc.tuple(fc.constant("PATCH"), target, bodies), RUNS);
});

const segment = fc.oneof(
  fc.constantFrom("known", "..", ".", "a;b", ";", "%2e%2e", "%00", "%C3%28", "_train", "é"),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
);
const parameters = fc.dictionary(
  fc.constantFrom(
    "from",
    "to",
    "page",
    "per_page",
    "sort",
    "fields",
    "include_fields",
    "pretty",
    "bg",
    "p_val",
    "level",
    "constraint",
    "bucket_interval",
    "features",
    "max_evals",
    "version",
    "force",
  ),
  fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom("now", "0", "-1", "1e9", "true", "avg(x)", "f:low:1"),
  ),
  { maxKeys: 4, noNullPrototype: true },
);

test("random names, parameters and methods", async () => {
  const nouns = fc.constantFrom("", "buckets", "models", "jobs", "_nodes");
  const tails = fc.constantFrom(
    "",
    "/_train",
    "/_forecast",
    "/_eval",
    "/_backtest",
    "/_export",
    "/versions",
    "/training",
    "/_read",
    "/_restore",
  );
  const methods = fc.constantFrom("GET", "POST", "PATCH", "HEAD", "PUT", "OPTIONS");
  const requests = fc
    .tuple(methods, nouns, segment, tails, parameters)
    .map(([method, noun, name, tail, query]): [string, string] => [
      method,
      `/${noun}/${name}${tail}?${new URLSearchParams(query)}`,
    ]);
  await probeAll(requests, RUNS);
});

const monsters: readonly [string, () => string | Uint8Array<ArrayBuffer>, number][] = [
  ["20 MB of brackets", () => "[".repeat(20_000_000), 413],
  ["a body that is too large", () => `"${"x".repeat(17_000_000)}"`, 413],
  ["invalid UTF-8", () => new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 400],
  [
    "a hundred thousand keys",
    () => JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]))),
    400,
  ],
  ["a very long name", () => JSON.stringify({ name: "x".repeat(1_000_000), type: "local" }), 400],
];

for (const [name, body, status] of monsters) {
  test(`${name} is refused with ${status}`, async () => {
    const response = await fetch(`${server.url}/buckets`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: body(),
    });
    expect(response.status).toBe(status);
    expect((await response.text()).length).toBeLessThan(5000);
    expect((await fetch(`${server.url}/`)).status).toBe(200);
  });
}
