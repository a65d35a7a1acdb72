// Arguments of tools: plain JSON Schema for clients, and places in lists.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { scopes } from "../../src/core/access/token.ts";
import { Listed } from "../../src/core/input/listed.ts";
import { durationSchema } from "../../src/core/time/duration-schema.ts";
import { describePage, toJsonSchema } from "../../src/mcp/arguments.ts";
import { tools } from "../../src/mcp/tools/index.ts";

test("keywords of ours are left out, properties of the same names stay", () => {
  const schema = Type.Object(
    {
      rule: Type.String({ rule: "must be a text" }),
      format: Type.Optional(durationSchema({ description: "A duration" })),
      list: Type.Array(Type.Object({ $id: Type.Integer() }, { $id: "Part" })),
    },
    { $id: "Whole", additionalProperties: false },
  );
  expect<object>(toJsonSchema(schema)).toEqual({
    type: "object",
    additionalProperties: false,
    required: ["rule", "list"],
    properties: {
      rule: { type: "string" },
      format: {
        description: "A duration",
        anyOf: [{ type: "string" }, { type: "number", minimum: 0, maximum: 31_536_000_000 }],
      },
      list: {
        type: "array",
        items: { type: "object", required: ["$id"], properties: { $id: { type: "integer" } } },
      },
    },
  });
});

test("words are an enum, records of any key have one schema for all values", () => {
  const words = Type.Union([Type.Literal("a"), Type.Literal("b")], { description: "Either" });
  const mixed = Type.Union([Type.Literal("auto"), Type.Integer()]);
  const schema = Type.Object({ words, mixed, tags: Type.Record(Type.String(), words) });
  const { properties } = toJsonSchema(schema) as unknown as { properties: object };
  expect(properties).toEqual({
    words: { type: "string", enum: ["a", "b"], description: "Either" },
    mixed: { anyOf: [{ type: "string", const: "auto" }, { type: "integer" }] },
    tags: {
      type: "object",
      additionalProperties: { type: "string", enum: ["a", "b"], description: "Either" },
    },
  });
});

test("names are in snake_case and their own, and every argument but those of settings is described", () => {
  const names = tools.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  for (const { name, input } of tools.filter(({ name }) => name !== "create_model"))
    for (const [key, property] of Object.entries(input.properties))
      expect([name, key, property.description]).toEqual([name, key, expect.any(String)]);
});

test("the page for users names every tool beside its scope, and nothing else", () => {
  const page = readFileSync(join(import.meta.dir, "../../docs/assistants.md"), "utf8");
  for (const scope of scopes) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${scope}\` |`)) ?? "";
    const [, ...named] = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    const own = tools.filter((tool) => tool.scope === scope).map(({ name }) => name);
    expect(named.sort()).toEqual(own.sort());
  }
});

test.each([
  [3, { page: 0, per_page: 20 }, 3, { total: 3, page: 0, left_out: 0 }],
  [20, { page: 0, per_page: 20 }, 45, { total: 45, page: 0, left_out: 25, next_page: 1 }],
  [5, { page: 2, per_page: 20 }, 45, { total: 45, page: 2, left_out: 0 }],
  [0, { page: 9, per_page: 20 }, 45, { total: 45, page: 9, left_out: 0 }],
])("%d entries of %p of %d", (shown, paging, total, place) => {
  const entries = Array.from({ length: shown }, () => ({}));
  expect<object>(describePage(new Listed(entries, { total }), paging)).toEqual(place);
});
