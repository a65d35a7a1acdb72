// Numbers and words of requests: each operation accepts what `/openapi.json` publishes of them, and refuses the rest.
import { beforeAll, expect, test } from "bun:test";
import { examples } from "../../src/http/docs/examples/index.ts";
import type { ApiDocument, JsonSchema } from "../../src/http/docs/openapi-document.ts";
import { resolve } from "../support/api-check.ts";
import { aModel } from "../support/builders.ts";
import { send as ask, createFakeApp } from "../support/fake-app.ts";
import { useTestServer } from "./server.ts";

const TEST_MS = 180_000;
const HOUR_S = 3600;
const POINTS = 240;
const server = useTestServer({ settings: "training: {epochs: 1}\n" });
const document = (await (await ask(createFakeApp(), "GET /openapi.json")).json()) as ApiDocument;

/** Numbers without bounds, by the name they have everywhere, and why. */
const unbounded: Readonly<Record<string, string>> = {
  id: "an id of JSON-RPC, which is answered as it was sent",
  min: "a value of the data: any that is finite",
  max: "a value of the data: any that is finite",
};

/** What else may speak against a number within its bounds: another parameter, or the points. */
const otherRules: Readonly<Record<string, RegExp>> = {
  from: /must not be after to|the range has|the range must not|before to: choose a shorter|reaches over|must lie in/,
  to: /must be after from|the range has|must lie in|must not be in the future/,
  train_to: /must leave at least one interval/,
  train_share: /must leave at least one interval/,
  bucket_interval: /must not be given beside granularity|is of a scan/,
  customInterval: /needs a granularity/,
  period: /half of the|or at least 2/,
  stableTrendWindow: /half of the/,
  horizon: /with \d+ levels|beyond the year 9999/,
  min_threshold: /must not be above max_threshold/,
  series_ttl: /must not be shorter than bucket_interval/,
  // Stored settings of earlier versions keep longer times, which requests cannot set.
  silence: /must not be shorter than bucket_interval|must be at most 365d/,
  interval: /must be at least (1s|bucket_interval)|must be at most 365d/,
  offset: /must be at most 365d/,
  grace_period: /must be at most 365d/,
  group_wait: /must be at most 2d/,
  group_interval: /must be at most 2d/,
};

/** Parameters that an operation needs beside the one under test. */
const webhook = { type: "webhook", config: { url: "https://example.com/" } };
const range = { from: 0, to: HOUR_S * POINTS };
const companions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "PATCH /models/{names}": { bucket_interval: "1h" },
  "GET /prometheus/api/v1/series": { "match[]": "x" },
  ...Object.fromEntries(
    ["PUT", "POST"].map((method) => [`${method} /calendars`, { ical: undefined, url: "https://192.0.2.1/" }]),
  ),
  "GET /models/{names}/_series": { series: "host:a", ...range },
  "POST /models/{names}/_backtest": { series: "host:a", ...range, labels: undefined },
  "POST /models/{names}/_train": range,
  "POST /models/{names}/_eval": { from: HOUR_S, to: 2 * HOUR_S },
  "POST /models/{names}/_forecast": { from: HOUR_S, to: 2 * HOUR_S },
  "POST /buckets/{names}/_read": {
    from: 0,
    to: HOUR_S,
    bucket_interval: 60,
    features: "avg(x)",
    group_by: "host",
  },
  "GET /anomalies/_lanes": { from: 0, to: HOUR_S },
  "GET /related": { from: 0, to: HOUR_S },
};

const names: Readonly<Record<string, string>> = {
  buckets: "numbers",
  models: "fleet",
  hooks: "h",
  calendars: "sales",
  templates: "t",
  jobs: "3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10",
  scheduled_jobs: "j",
  tokens: "t",
};

const json = { "content-type": "application/json" };
let headers: Readonly<Record<string, string>> = {};

interface Operation {
  readonly name: string;
  readonly path: string;
  readonly method: string;
}

/** A parameter of an operation, or a key of its body. */
interface Input extends Operation {
  readonly place: "query" | "body";
  readonly key: string;
  readonly schema: JsonSchema;
}

function membersOf(schema: JsonSchema): readonly JsonSchema[] {
  const found = typeof schema.$ref === "string" ? resolve(document, schema.$ref) : schema;
  const members = (found.anyOf ?? found.oneOf) as readonly JsonSchema[] | undefined;
  return members ? members.flatMap(membersOf) : [found];
}

function* inputsOf(): Generator<Input> {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { parameters, requestBody }] of Object.entries(methods)) {
      const operation = { name: `${method.toUpperCase()} ${path}`, path, method: method.toUpperCase() };
      for (const { in: place, name: key, schema } of parameters)
        if (place !== "header") yield { ...operation, place: "query", key, schema };
      const body = requestBody?.content["application/json"]?.schema;
      const [only, ...others] = body ? membersOf(body) : [];
      if (others.length > 0) continue;
      for (const [key, schema] of Object.entries((only?.properties ?? {}) as Record<string, JsonSchema>))
        yield { ...operation, place: "body", key, schema };
    }
}

const isNumber = ({ type, const: only }: JsonSchema) =>
  only === undefined && (type === "number" || type === "integer");
const inputs = [...inputsOf()];
const numbers = inputs.flatMap((input) =>
  membersOf(input.schema)
    .filter(isNumber)
    .map((schema): [title: string, Input] => [
      `${input.name} ${input.place} ${input.key}`,
      { ...input, schema },
    ]),
);
const words = inputs.flatMap((input): [title: string, Input, string[]][] => {
  const members = membersOf(input.schema);
  const isClosed = members.every(({ const: only }) => typeof only === "string");
  const listed = members.map(({ const: only }) => String(only));
  return input.place === "query" && isClosed ? [[`${input.name} ${input.key}`, input, listed]] : [];
});

interface Sample {
  readonly value: number;
  readonly isWithin: boolean;
}

/** Each published bound, and the number beyond it. */
function samplesOf({ type, minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonSchema): Sample[] {
  const step = type === "integer" ? 1 : 0.001;
  const at = (bound: unknown, sign: number, isOpen: boolean): Sample[] => {
    if (typeof bound !== "number") return [];
    // Of great bounds what a double can tell apart.
    const away = sign * Math.max(step, Math.abs(bound) * 2 ** -50);
    return isOpen
      ? [
          { value: bound - away, isWithin: true },
          { value: bound, isWithin: false },
        ]
      : [
          { value: bound, isWithin: true },
          { value: bound + away, isWithin: false },
        ];
  };
  return [
    ...at(minimum ?? exclusiveMinimum, -1, minimum === undefined),
    ...at(maximum ?? exclusiveMaximum, 1, maximum === undefined),
  ];
}

interface Answered {
  readonly status: number;
  readonly path: string | undefined;
  readonly text: string;
}

/** Sends the example of an operation with one value changed. */
async function send({ name, path, method, place, key }: Input, value: unknown): Promise<Answered> {
  const [, noun = ""] = path.split("/");
  const known: Record<string, string> = {
    names: method === "PATCH" && noun === "models" ? "patched" : names[noun]!,
    name: "host",
    hook: "h",
    version: "v1.1",
    ...names,
  };
  const target = path.replace(/\{(\w+)\}/g, (_, part: string) => known[part] ?? part);
  const example = examples[name.replace(/\{(\w+)\}/g, ":$1")]!.request;
  const more = companions[name] ?? (path.includes("/hooks") && place === "body" ? webhook : {});
  const query = new URLSearchParams();
  const sent = place === "query" ? { ...more, [key]: value } : more;
  for (const [name, part] of Object.entries(sent)) if (part !== undefined) query.set(name, String(part));
  const base = typeof example === "object" && place === "body" ? { ...example, ...more } : {};
  const body = place === "body" ? JSON.stringify({ ...base, [key]: value }) : undefined;
  const response = await fetch(`${server.url}${target}?${query}`, {
    method,
    headers: { ...headers, ...(body !== undefined && json) },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const job = /^"([\w-]{36})"$/.exec(text);
  if (job) await fetch(`${server.url}/jobs/${job[1]}/_cancel`, { method: "POST", headers });
  const problem = response.status >= 400 ? (JSON.parse(text) as Problem) : {};
  const { path: named = fieldIn(problem) } = problem;
  return { status: response.status, path: named, text };
}

interface Problem {
  readonly path?: string;
  readonly error?: string;
  readonly message?: string;
}

/** The field that an error of another dialect names: of Prometheus, of Azure. */
function fieldIn({ error, message = "" }: Problem): string | undefined {
  return /parameter "(\w+)"/.exec(String(error))?.[1] ?? /^(\w+): /.exec(message)?.[1];
}

async function call(method: string, path: string, body: unknown, status: number): Promise<unknown> {
  const init = { method, headers: { ...headers, ...json }, body: JSON.stringify(body) };
  const response = await fetch(`${server.url}${path}`, init);
  const text = await response.text();
  expect([path, response.status, text]).toEqual([path, status, expect.any(String)]);
  return text && JSON.parse(text);
}

beforeAll(async () => {
  // One operation makes tokens, from which on all others need one.
  const { token } = (await call("POST", "/tokens", { name: "numbers", scope: "admin" }, 201)) as {
    token: string;
  };
  headers = { authorization: `Bearer ${token}` };
  await call("POST", "/buckets", { name: names.buckets, type: "local" }, 201);
  const points = Array.from({ length: POINTS }, (_, i) =>
    ["a", "b"].map((host) => ({ timestamp: i * HOUR_S, x: 5 + Math.sin(i / 4), tags: { host } })),
  ).flat();
  await call("POST", `/buckets/${names.buckets}/_write?bg=false`, points, 202);
  const model = aModel({
    name: "fleet",
    default_bucket: "numbers",
    bucket_interval: "1h",
    span: 8,
    max_evals: 1,
    group_by: ["host"],
    features: [{ name: "x", metric: "avg", field: "x" }],
  });
  await call("POST", "/models", model, 201);
  await call("POST", "/models", { ...model, name: "patched" }, 201);
  await call("PUT", "/models/fleet/hooks/h", webhook, 200);
  await call("PUT", "/hooks/h", webhook, 200);
  const id = await call("POST", "/models/fleet/_train?from=0&to=864000", {}, 200);
  for (let state = "waiting"; state !== "done"; await Bun.sleep(20)) {
    const [job] = (await (await fetch(`${server.url}/jobs/${id}`, { headers })).json()) as [
      { state: string },
    ];
    state = job.state;
    expect(["waiting", "running", "done"]).toContain(state);
  }
}, TEST_MS);

test.each(numbers)(
  "%s",
  async (_title, input) => {
    const reason = unbounded[input.key];
    if (reason !== undefined) return;
    const samples = samplesOf(input.schema);
    expect([input.schema, samples.length]).toEqual([input.schema, 4]);
    for (const { value, isWithin } of samples) {
      const { status, path, text } = await send(input, value);
      const context = `${input.name} ${input.key}=${value} -> ${status} ${text.slice(0, 300)}`;
      expect(status < 500 ? "" : context).toBe("");
      const isRefused = path === input.key && !(isWithin && otherRules[input.key]?.test(text));
      expect(isRefused === isWithin ? context : "").toBe("");
    }
  },
  TEST_MS,
);

test.each(words)(
  "%s",
  async (_title, input, listed) => {
    for (const word of [...listed, "no_such_word"]) {
      const { status, path, text } = await send(input, word);
      const context = `${input.name} ${input.key}=${word} -> ${status} ${text.slice(0, 300)}`;
      expect((path === input.key) === listed.includes(word) ? context : "").toBe("");
    }
  },
  TEST_MS,
);
