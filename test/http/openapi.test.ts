// The API's documentation: a valid OpenAPI 3.1 document in which every operation is described, and a page that loads nothing.
import { expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { examples } from "../../src/http/examples.ts";
import type { ApiDocument, ApiOperation } from "../../src/http/openapi-document.ts";
import { createFakeApp, send } from "../support/fake-app.ts";

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

test("every parameter in a path is described", () => {
  for (const [name, { parameters }] of operations) {
    const wanted = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
    const given = parameters.filter((parameter) => parameter.in === "path");
    expect([name, given.map((parameter) => parameter.name)]).toEqual([name, wanted]);
    for (const { description } of given) expect(description).toBeTruthy();
  }
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
  expect(page).not.toMatch(/<script|src=|@import|https?:\/\/(?!www\.w3\.org)/i);
});

test("what is written into the page is escaped", async () => {
  const { renderDocs } = await import("../../src/http/docs.ts");
  const page = renderDocs({
    ...document,
    info: { ...document.info, description: "<script>alert('x')</script>&" },
  });
  expect(page).toContain("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;");
});
