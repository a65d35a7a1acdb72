// API documentation: a valid OpenAPI 3.1 document that describes every operation, and a page without scripts.
import { expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { bucketKinds } from "../../../src/buckets/index.ts";
import { errorCodes } from "../../../src/core/errors.ts";
import { hookKinds } from "../../../src/hooks/index.ts";
import { Components } from "../../../src/http/docs/components.ts";
import { examples } from "../../../src/http/docs/examples/index.ts";
import type { ApiDocument, ApiOperation } from "../../../src/http/docs/openapi-document.ts";
import { findDeviations, resolve } from "../../support/api-check.ts";
import { createFakeApp, send } from "../../support/fake-app.ts";

const app = createFakeApp();
const document = (await (await send(app, "GET /openapi.json")).json()) as ApiDocument;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
);

test("the document is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(document.openapi).toBe("3.1.0");
});

test("every operation has a summary, a tag, an id of its own and error answers", () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [name, { summary, tags, responses }] of operations) {
    expect([name, summary.length > 0, tags.length > 0]).toEqual([name, true, true]);
    expect(Object.keys(responses)).toContain("400");
    expect(Object.keys(responses)).toContain("default");
  }
});

test("every operation has an example, and every example an operation", () => {
  const keys = operations.map(([name]) => name.replace(/\{(\w+)\}/g, ":$1"));
  expect(Object.keys(examples).sort()).toEqual(keys.sort());
});

test("a body is required where something of it is, and not where it may be left out", () => {
  const required = Object.fromEntries(
    operations.map(([name, { requestBody }]) => [name, requestBody?.required]),
  );
  expect(required).toMatchObject({
    "POST /models": true,
    "PATCH /models/{names}": true,
    "POST /buckets/{names}/_write": true,
    "POST /models/{names}/_train": false,
    "POST /models/{names}/_forecast": false,
    "POST /models/{names}/_start": false,
  });
});

test("the parameters of all routes are those of each, but for other protocols, files and probes", () => {
  const without = operations.filter(
    ([, { parameters }]) => !parameters.some(({ name }) => name === "pretty"),
  );
  const places = [...new Set(without.map(([name]) => name.split(" ")[1]!.split("/").slice(0, 3).join("/")))];
  expect(places.sort()).toEqual([
    "/_backup",
    "/api/v1",
    "/api/v2",
    "/docs",
    "/livez",
    "/metrics",
    "/metrics/models",
    "/openapi.json",
    "/ping",
    "/prometheus/api",
    "/query",
    "/readyz",
    "/v1/metrics",
    "/write",
  ]);
});

test("a POST that may be repeated says so", () => {
  const repeated = operations.filter(([, operation]) => operation["x-idempotent"]).map(([name]) => name);
  expect(repeated.filter((name) => !name.startsWith("POST "))).toEqual([]);
  expect(repeated).toContain("POST /buckets/{names}/_write");
  expect(repeated).not.toContain("POST /models/{names}/_train");
});

test("the codes of problems are listed", () => {
  const { properties } = document.components.schemas.Problem as {
    properties: { code: { anyOf: { const: string }[] } };
  };
  expect(properties.code.anyOf.map((code) => code.const)).toEqual([...errorCodes]);
});

test("every parameter in a path is described", () => {
  for (const [name, { parameters }] of operations) {
    const wanted = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
    const given = parameters.filter((parameter) => parameter.in === "path");
    expect([name, given.map((parameter) => parameter.name)]).toEqual([name, wanted]);
    for (const { description } of given) expect(description).toBeTruthy();
  }
});

/** Every `$ref` within a part of the document. */
function referencesIn(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
}

test("every reference resolves, and no component is unused", () => {
  const reached = new Set<string>();
  const open = referencesIn(document.paths);
  for (let reference = open.pop(); reference; reference = open.pop()) {
    if (reached.has(reference)) continue;
    reached.add(reference);
    open.push(...referencesIn(resolve(document, reference)));
  }
  const { schemas, responses } = document.components;
  const all = [
    ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
    ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
  ];
  expect(all.filter((reference) => !reached.has(reference))).toEqual([]);
  expect(all.length).toBeGreaterThan(60);
});

test("what clients want to import has a name", () => {
  const names = Object.keys(document.components.schemas);
  expect(names).toEqual(
    expect.arrayContaining(
      `Anomaly Backtest Delivery Detection EvaluationStat Feature Forecast Health Job LiveState Model ModelSettings
      ModelState Prediction Problem ScheduledJob Template Token TrainingJob Version`.split(/\s+/),
    ),
  );
});

test.each([
  ["Bucket", "buckets", Object.keys(bucketKinds)],
  ["Hook", "hooks", Object.keys(hookKinds)],
] as const)("every kind of %s is a component, distinguished by its type", (noun, _list, kinds) => {
  const { oneOf, discriminator } = document.components.schemas[noun] as {
    oneOf: { $ref: string }[];
    discriminator: { propertyName: string; mapping: Record<string, string> };
  };
  expect(discriminator.propertyName).toBe("type");
  expect(Object.keys(discriminator.mapping)).toEqual([...kinds]);
  expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator.mapping));
  for (const [kind, reference] of Object.entries(discriminator.mapping)) {
    expect(reference).toStartWith(`#/components/schemas/${noun}`);
    const { properties } = resolve(document, reference) as { properties: { type: { const: string } } };
    expect(properties.type.const).toBe(kind);
  }
});

test("secrets are marked as what no answer holds", () => {
  const { schemas } = document.components;
  expect(schemas.HookSlack).toMatchObject({
    properties: { config: { properties: { url: { writeOnly: true } } } },
  });
  expect(schemas.BucketInfluxdb).toMatchObject({ properties: { password: { writeOnly: true } } });
  expect(JSON.stringify(schemas.BucketLocal)).not.toContain("writeOnly");
});

/** Verbs of operations by method: each stands for one thing. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  GET: ["get", "list", "query", "explore", "export", "follow", "format", "parse", "ping"],
  PUT: ["put", "replace"],
  PATCH: ["change"],
  DELETE: ["delete", "withdraw"],
  POST: `answer apply attach backtest cancel change clear create detect evaluate find forecast format import judge list
    migrate parse predict preview put query read refresh restore retry run send start stop test train write`.split(
    /\s+/,
  ),
};

test("operations have the names that generated clients call", () => {
  const ids = Object.fromEntries(operations.map(([name, { operationId }]) => [name, operationId]));
  for (const [name, id] of Object.entries(ids)) {
    const [, verb = ""] = /^([a-z]+)([A-Z][a-z0-9]*)+$/.exec(id) ?? [];
    const known = verbs[name.split(" ")[0]!] ?? [];
    expect([name, id, known.includes(verb)]).toEqual([name, id, true]);
  }
  expect(ids).toMatchObject({
    "GET /models": "listModels",
    "POST /models": "createModel",
    "POST /models/{names}/_train": "trainModels",
    "POST /models/{names}/_eval": "evaluateModel",
    "POST /models/{names}/_forecast": "forecastModel",
    "GET /jobs/{names}": "getJobs",
    "GET /anomalies": "listAnomalies",
    "POST /_detect": "detectAnomalies",
  });
});

test("bodies that may be packed say by which encoding", () => {
  const packed = operations.flatMap(([name, { parameters }]) =>
    parameters
      .filter((one) => one.name === "Content-Encoding")
      .map(({ required, schema }) => [name, required, schema.const]),
  );
  expect(packed).toEqual([
    ["POST /write", false, "gzip"],
    ["POST /api/v2/write", false, "gzip"],
    ["POST /query", false, "gzip"],
    ["POST /api/v1/write", false, "snappy"],
    ["POST /v1/metrics", false, "gzip"],
  ]);
});

test("a body whose members another protocol names says that it takes any", () => {
  const open = operations.flatMap(([name, { requestBody }]) =>
    Object.values(requestBody?.content ?? {})
      .filter(({ schema }) => schema.type === "object" && Object.keys(schema.properties ?? {}).length === 0)
      .map(({ schema }) => [name, schema.additionalProperties !== undefined]),
  );
  expect(open).toContainEqual(["POST /v1/metrics", true]);
  expect(open.filter(([, says]) => !says)).toEqual([]);
});

test("parameters stand in the body, or in the query, or in both where old clients send either", () => {
  const twice = operations.flatMap(([name, { parameters, requestBody }]) => {
    const schema = Object.values(requestBody?.content ?? {})[0]?.schema ?? {};
    const body = typeof schema.$ref === "string" ? resolve(document, schema.$ref) : schema;
    const keys = Object.keys((body.properties ?? {}) as object);
    const inQuery = parameters.filter((one) => one.in === "query" && keys.includes(one.name));
    const isEither = String(body.description).startsWith("Each may be in the query string instead");
    if (isEither)
      expect(inQuery.map((one) => [one.name, one.required])).toEqual(keys.map((key) => [key, false]));
    return isEither ? [] : inQuery.map((one) => [name, one.name]);
  });
  expect(twice).toEqual([]);
  const names = document.paths["/models/{names}/_train"]!.post!.parameters.map((one) => one.name);
  expect(names).toContain("from");
});

test("an answer to `fields` is described: any key may be missing or null", () => {
  const withFields = operations.filter(([, { parameters }]) =>
    parameters.some(({ name }) => name === "fields"),
  );
  expect(withFields.length).toBeGreaterThan(15);
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(["ModelFields", "BucketFields", "JobFields", "AnomalyFields"]),
  );
  const list = (request: string, body: unknown) =>
    findDeviations(document, { request, status: 200, type: "application/json", text: JSON.stringify(body) });
  expect(list("GET /models?fields=live;x&include_fields=true", [{ live: null, x: null }])).toEqual([]);
  expect(list("GET /models?fields=live", [{ settings: {} }])).not.toEqual([]);
  expect(list("GET /models?fields=x&include_fields=true", [{ x: 1 }])).not.toEqual([]);
  expect(list("GET /models", [{}])).not.toEqual([]);
});

test("examples of answers are as documented", () => {
  const deviations = operations.flatMap(([name, { responses }]) =>
    Object.entries(responses).flatMap(([status, response]) => {
      const [type, media] = Object.entries(("content" in response && response.content) || {})[0] ?? [];
      if (media?.example === undefined || type === undefined) return [];
      const text = JSON.stringify(media.example);
      return findDeviations(document, {
        request: name.replace(/[{}]/g, ""),
        status: Number(status),
        type,
        text,
      });
    }),
  );
  expect(deviations).toEqual([]);
});

test.each([
  [
    "GET /models",
    200,
    [{ settings: {}, state: { trained: 1 }, live: {} }],
    "$[0].state.trained is no boolean",
  ],
  [
    "GET /models",
    200,
    [{ settings: {}, state: { trained: true, oops: 1 } }],
    "$[0].state.oops is not documented",
  ],
  ["GET /models", 201, [], "status 201 is not documented"],
  ["GET /jobs/a", 200, [{ type: "read" }], "$[0].id is missing"],
  ["GET /buckets", 200, [{ name: "b", type: "influxdb", password: "x" }], "$[0].password is a secret"],
  ["GET /models/a", 404, { status: "404" }, "$.status is no integer"],
] as const)("%s, answered %p with %j, deviates from the document", (request, status, body, line) => {
  const type = "application/json";
  const found = findDeviations(document, { request, status, type, text: JSON.stringify(body) });
  expect(found.join("\n")).toContain(line);
});

test("two schemas of one name are refused", () => {
  const components = new Components();
  components.refer({ $id: "A", type: "string" });
  expect(components.refer({ items: { $id: "A", type: "string" } })).toEqual({
    items: { $ref: "#/components/schemas/A" },
  });
  expect(() => components.refer({ $id: "A", type: "number" })).toThrow("two components are called A");
});

/** What a body's example breaks of the body's schema, as far as required keys and known keys go. */
function mistakes({ requestBody }: ApiOperation): string[] {
  const media = requestBody?.content["application/json"];
  const schema = media?.schema as {
    properties?: object;
    required?: string[];
    additionalProperties?: unknown;
  };
  const example = media?.example as object | undefined;
  if (!schema?.properties || !example) return [];
  const missing = (schema.required ?? []).filter((key) => !(key in example)).map((key) => `missing ${key}`);
  const unknown = Object.keys(example)
    .filter((key) => !(key in schema.properties!))
    .map((key) => `unknown ${key}`);
  return schema.additionalProperties === false ? [...missing, ...unknown] : missing;
}

test("examples of bodies fit their schemas", () => {
  for (const [name, operation] of operations) expect([name, mistakes(operation)]).toEqual([name, []]);
});

test("the page shows every operation, runs no script and loads nothing", async () => {
  const response = await send(app, "GET /docs");
  const page = await response.text();
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(response.headers.get("x-request-id")).toBeTruthy();
  for (const [, { operationId }] of operations) expect(page).toContain(`id="${operationId}"`);
  expect(page).not.toMatch(/<script|<link|<img|src=|@import|url\(|href="(?!#|openapi\.json)/i);
});

test("the page has an index of its sections, and no backticks in its prose", async () => {
  const page = await (await send(app, "GET /docs")).text();
  const links = [...page.matchAll(/<nav>(.*)<\/nav>/g)].flatMap(([, nav]) => [
    ...nav!.matchAll(/href="#([^"]+)"/g),
  ]);
  const places = links.map(([, id]) => id!);
  expect(places.length).toBe(document.tags.length + 2);
  for (const place of places) expect(page).toContain(`<h2 id="${place}">`);
  expect(page.replace(/<pre>.*?<\/pre>/gs, "")).not.toContain("`");
});

test("escapes text in the page", async () => {
  const { renderDocs } = await import("../../../src/http/docs/page.ts");
  const page = renderDocs({
    ...document,
    info: { ...document.info, description: "<script>alert('x')</script>&" },
  });
  expect(page).toContain("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;");
});
