// Mutated requests: every place of the bodies and parameters in `/openapi.json` gets values that no client should send.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { examples } from "../../src/http/docs/examples/index.ts";
import type { ApiDocument, ApiOperation } from "../../src/http/docs/openapi-document.ts";
import { aModel } from "../support/builders.ts";
import { send as ask, createFakeApp } from "../support/fake-app.ts";
import { roundsOf } from "../support/rounds.ts";
import { useTestServer } from "./server.ts";
import { type Place, placesIn, placesOf, strangeJson, strangeText, writeAt } from "./strange.ts";

setDefaultTimeout(300_000);
/** Of each operation. */
const RUNS = roundsOf(250);
/** Some hundred times what the slowest takes alone: work without a bound takes longer. */
const LONGEST_MS = 15_000;
const HOUR_S = 3600;
const server = useTestServer();
const document = (await (await ask(createFakeApp(), "GET /openapi.json")).json()) as ApiDocument;

/** Streams without an end, downloads, an address that later requests would be held to, and what leaves this machine. */
const left = new Set([
  "GET /events",
  "GET /_backup",
  "PUT /external_url",
  "POST /hooks/{hook}/_test",
  "POST /models/{names}/hooks/{hook}/_test",
]);
/** Of dialects whose senders log the answer as it is. */
const plain = new Set(["POST /api/v1/write"]);
const inPath: Readonly<Record<string, string>> = { version: "v1.1", series: "host:a", id: "1" };
/** Parameters that many operations need; others are left out. */
const needed: Readonly<Record<string, string>> = {
  bucket: "known",
  db: "known",
  query: "rate(x[1h])",
  "match[]": "x",
  start: "0",
  end: String(24 * HOUR_S),
  step: "60",
  from: "0",
  to: String(24 * HOUR_S),
  bucket_interval: "1h",
  features: "avg(x)",
  field: "x",
};
let headers: Readonly<Record<string, string>> = { "content-type": "application/json" };

interface Operation {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly described: ApiOperation;
}

const operations = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const title = `${method.toUpperCase()} ${path}`;
      return { title, method: method.toUpperCase(), path, described };
    }),
  )
  .filter(({ title }) => !left.has(title));

interface Mutated {
  readonly path: string;
  readonly query: string;
  readonly body: string | undefined;
}

function mutationsOf(operation: Operation): fc.Arbitrary<Mutated> {
  const { path, described } = operation;
  const fill = (text: string | undefined) =>
    path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(text ?? inPath[part] ?? "known"));
  const names = strangeText.filter((text) => !/^\.{0,2}$/.test(text)).map(fill);
  const target = path.includes("{") ? rarely(names, fc.constant(fill(undefined))) : fc.constant(path);
  const parameters = described.parameters
    .filter(({ in: place }) => place === "query")
    .map(({ name }) => name);
  const usual = parameters.filter((name) => needed[name] !== undefined).map((name) => [name, needed[name]!]);
  const changed = fc.tuple(fc.constantFrom(...parameters, "unknown"), strangeText);
  const query = fc
    .array(changed, { maxLength: 2 })
    .map((pairs) => new URLSearchParams({ ...Object.fromEntries(usual), ...Object.fromEntries(pairs) }))
    .map(String);
  return fc.record({ path: target, query, body: bodiesOf(operation) });
}

function bodiesOf({ title, described }: Operation): fc.Arbitrary<string | undefined> {
  const [[type, media] = []] = Object.entries(described.requestBody?.content ?? {});
  if (!media) return fc.constant(undefined);
  const example = examples[title.replace(/\{(\w+)\}/g, ":$1")]?.request ?? {};
  const text = typeof example === "string" ? example : JSON.stringify(example);
  const spoiled = fc
    .tuple(fc.nat(text.length), fc.string({ unit: "binary", maxLength: 5 }))
    .map(([at, other]) => text.slice(0, at) + other + text.slice(at + 1));
  const whole = fc.oneof(strangeJson, spoiled, fc.constantFrom("", "{", "[]", "{}", "\ufeff{}", text));
  if (type !== "application/json" || typeof example === "string") return whole;
  const places = [...placesOf(document, media.schema), ...placesIn(example)];
  const place = fc.constantFrom<Place>(...(places.length > 0 ? places : [[]]));
  const one = fc.tuple(place, fc.option(strangeJson, { freq: 20, nil: undefined }));
  return rarely(
    whole,
    one.map(([steps, json]) => writeAt(example, steps, json)),
  );
}

const rarely = <T>(arbitrary: fc.Arbitrary<T>, usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 1, arbitrary }, { weight: 9, arbitrary: usual });

async function probe({ title, method, described }: Operation, { path, query, body }: Mutated): Promise<void> {
  const startedAt = performance.now();
  const type = Object.keys(described.requestBody?.content ?? {})[0];
  const init = { method, headers: { ...headers, ...(type && { "content-type": type }) } };
  const response = await fetch(
    `${server.url}${path}?${query}`,
    body === undefined ? init : { ...init, body },
  );
  const text = await response.text();
  const { status } = response;
  const isSlow = performance.now() - startedAt > LONGEST_MS;
  const context = `${method} ${path}?${query} ${body?.slice(0, 300)} -> ${status} ${text.slice(0, 300)}`;
  expect(status >= 500 || isSlow ? context : "").toBe("");
  if (status >= 400 && !plain.has(title)) expect(Object.keys(JSON.parse(text))).not.toEqual([]);
  const job = /^"([\w-]{36})"$/.exec(text);
  if (job) await fetch(`${server.url}/jobs/${job[1]}/_cancel`, { method: "POST", headers });
}

/** What requests are about; some of them delete it. */
async function prepare(): Promise<void> {
  const send = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    expect([path, response.ok || response.status === 409, text]).toEqual([path, true, expect.any(String)]);
    return text;
  };
  // One operation makes tokens, from which on all others need one.
  if (!headers.authorization) {
    const { token } = JSON.parse(await send("POST", "/tokens", { name: "strange", scope: "admin" })) as {
      token: string;
    };
    headers = { ...headers, authorization: `Bearer ${token}` };
  }
  await send("POST", "/buckets", { name: "known", type: "local" });
  const points = Array.from({ length: 300 }, (_, i) => ({
    timestamp: i * HOUR_S,
    x: i % 24,
    tags: { host: "a" },
  }));
  await send("POST", "/buckets/known/_write?bg=false", points);
  await send("POST", "/models", aModel({ name: "known", default_bucket: "known", bucket_interval: "1h" }));
  for (const path of ["/models/known/hooks/known", "/hooks/known"])
    await send("PUT", path, { type: "webhook", config: { url: "https://example.com/" } });
}

beforeAll(prepare);

test.each(
  operations.map((operation): [string, Operation] => [operation.title, operation]),
)("%s", async (_title, operation) => {
  await prepare();
  await fc.assert(
    fc.asyncProperty(mutationsOf(operation), (mutated) => probe(operation, mutated)),
    { numRuns: RUNS },
  );
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
});
