// Clauses of a feature's tags, by the types of the fields.
import { expect, test } from "bun:test";
import { matchFeature } from "../../../src/buckets/search/fields.ts";

test("a tag of analyzed text is compared as a whole, by its keyword field", () => {
  const types = new Map([
    ["v", ["long"]],
    ["host", ["text"]],
    ["host.keyword", ["keyword"]],
  ]);
  const feature = { name: "f", metric: "avg", field: "v", tags: [{ tag: "host", value: "web 1" }] };
  expect(matchFeature(types, feature)).toEqual([
    { exists: { field: "v" } },
    { term: { "host.keyword": { value: "web 1" } } },
  ]);
});
