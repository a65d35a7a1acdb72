// Rules of settings: a text that a pattern refuses is refused in words, never by the pattern.
import { expect, test } from "bun:test";
import { bucketKinds } from "../../src/buckets/index.ts";
import { ModelSettings } from "../../src/core/model/model.ts";
import { hookKinds } from "../../src/hooks/index.ts";
import { Settings } from "../../src/settings/schema.ts";

/** Paths of the parts of a schema that have a pattern and no rule, of a union for all of its members. */
function wordless(schema: unknown, path: string, said = false): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { type, pattern, rule } = schema as { type?: unknown; pattern?: unknown; rule?: unknown };
  const hasWords = said || typeof rule === "string";
  const own = type === "string" && typeof pattern === "string" && !hasWords ? [path] : [];
  const inner = Object.entries(schema).flatMap(([key, part]) =>
    key === "anyOf"
      ? (part as unknown[]).flatMap((member, i) => wordless(member, `${path}.anyOf.${i}`, hasWords))
      : wordless(part, `${path}.${key}`),
  );
  return [...own, ...inner];
}

test("a schema without words for its pattern is found", () => {
  const schema = { type: "array", items: { type: "string", pattern: "^/" } };
  expect(wordless({ properties: { allow: schema } }, "s")).toEqual(["s.properties.allow.items"]);
});

const hooks = Object.entries(hookKinds).map(([type, { config }]) => [`hook ${type}`, config] as const);
const buckets = Object.entries(bucketKinds).map(
  ([type, { settings }]) => [`bucket ${type}`, settings] as const,
);
test.each([
  ["server", Settings],
  ["model", ModelSettings],
  ...hooks,
  ...buckets,
] as const)("%s: every pattern of its settings has words", (name, schema) => {
  expect(wordless(schema, name)).toEqual([]);
});
