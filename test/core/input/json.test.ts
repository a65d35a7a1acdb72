// Canonical JSON: one text per value, whatever the order of keys.
import { expect, test } from "bun:test";
import { sortKeys } from "../../../src/core/input/json.ts";

test.each([
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [{ a: { d: [], c: null } }, '{"a":{"c":null,"d":[]}}'],
  [[3, 1, { z: "é", y: true }], '[3,1,{"y":true,"z":"é"}]'],
  [{ 10: "x", 9: "y", a: 1 }, '{"9":"y","10":"x","a":1}'],
  [0.1 + 0.2, "0.30000000000000004"],
  ["text", '"text"'],
  [null, "null"],
])("%j is %s", (value, text) => {
  expect(JSON.stringify(sortKeys(value))).toBe(text);
  expect(JSON.stringify(sortKeys(JSON.parse(JSON.stringify(value, null, 2))))).toBe(text);
});
