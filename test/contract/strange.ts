// Values that no client should send, and the places of a request's body they can stand in.
import fc from "fast-check";
import type { ApiDocument, JsonSchema } from "../../src/http/docs/openapi-document.ts";
import { resolve } from "../support/api-check.ts";

/** Steps from a body to one of its values. */
export type Place = readonly (string | number)[];

/** Levels of a body whose places are looked for. */
const DEPTH = 4;
const nested = (open: string, close: string) => `${open.repeat(4000)}1${close.repeat(4000)}`;
const wide = Array.from({ length: 5000 }, (_, i) => `"k${i}":${i}`).join(",");

const values = [
  null, true, false, 0, -1, 0.1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324, "", " ", "0", "-1", "NaN", "Infinity",
  "1e999", "null", "now", "now-1d", "now-999999999y", "2026-02-30", "1970", "99999999999999999999", "24:61", "1h", "known",
  "__proto__", "constructor", "../..", "a/b;c,d", "%00", "\u0000", "\ud800", "\u202e", "e\u0301".repeat(300), "🜨",
  "x".repeat(100_000), "{{x}}", "{x", "http://", "https://[::1]:99999/", "*", "(a+)+$", ".", "..", "\r\nx: y", "avg(x)",
  [], {}, [null], [[]], [{}], { "": null }, { a: { b: { c: {} } } }, ["a", "a"], [0, 1],
]; // biome-ignore format: a list

/** Not what JSON.stringify writes: numbers beyond the range, keys twice, prototypes, thousands of levels or entries. */
const texts = [
  "1e999", "-1e999", "-0", "1e-400", '{"__proto__":{"x":1}}', '{"constructor":{"prototype":1}}', '{"a":1,"a":2}',
  nested("[", "]"), nested('{"a":', "}"), `[${"0,".repeat(20_000)}0]`, `{${wide}}`,
]; // biome-ignore format: a list

/** Text of a JSON value. */
export const strangeJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...values.map((value) => JSON.stringify(value)), ...texts) },
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => JSON.stringify(text)),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => JSON.stringify(number)),
);

/** Text of a parameter, short enough for the first line of a request. */
export const strangeText: fc.Arbitrary<string> = strangeJson.map((json) => {
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json;
  return text.slice(0, 300).toWellFormed();
});

/** Places that a schema describes. */
export function placesOf(document: ApiDocument, schema: JsonSchema, depth = DEPTH): Place[] {
  if (depth === 0) return [];
  const found = typeof schema.$ref === "string" ? resolve(document, schema.$ref) : schema;
  const members = (found.anyOf ?? found.oneOf) as readonly JsonSchema[] | undefined;
  if (members) return members.flatMap((member) => placesOf(document, member, depth));
  const { properties = {}, items } = found as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
  const parts: [string | number, JsonSchema][] = [
    ...Object.entries(properties),
    ...(items ? [[0, items] as [number, JsonSchema]] : []),
  ];
  return parts.flatMap(([step, part]) => below(step, placesOf(document, part, depth - 1)));
}

/** Places that a value has. */
export function placesIn(value: unknown, depth = DEPTH): Place[] {
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    below(Array.isArray(value) ? Number(key) : key, placesIn(part, depth - 1)),
  );
}

function below(step: string | number, places: readonly Place[]): Place[] {
  return [[step], ...places.map((steps) => [step, ...steps])];
}

/**
 * The JSON of a value with another text at one place; lists and objects on the way to it are made.
 * @param text undefined: without this place
 */
export function writeAt(value: unknown, [step, ...rest]: Place, text: string | undefined): string {
  if (step === undefined) return text ?? "null";
  const isList = Array.isArray(value) || (typeof step === "number" && !isObject(value));
  const entries = new Map(Object.entries(isObject(value) || Array.isArray(value) ? value : {}));
  const parts = [...new Set([...entries.keys(), String(step)])]
    .filter((key) => key !== String(step) || rest.length > 0 || text !== undefined)
    .map((key) => {
      const part = entries.get(key);
      const written = key === String(step) ? writeAt(part, rest, text) : JSON.stringify(part);
      return isList ? written : `${JSON.stringify(key)}:${written}`;
    });
  return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
