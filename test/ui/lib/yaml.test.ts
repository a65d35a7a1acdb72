// YAML of settings: read back by a full parser, it is the same value.
import { expect, test } from "bun:test";
import { parse } from "yaml";
import { writeYaml } from "../../../src/ui/lib/yaml.ts";

test.each([
  { name: "a b", at: "03:00", on: "yes", number: 1.5, empty: "", none: null, flags: [true, false] },
  { features: [{ name: "x", match_all: [{ tag: "t", value: "#1" }], list: [] }, { name: "- y" }] },
  {
    query: 'sum(rate(x{a="b"}[5m]))\n  / 2',
    deep: { deeper: { deepest: ["a: b", "c#d", "1e3", "~"] } },
    o: {},
  },
  { none: [], nested: ["a", ["b", ["c"]]] },
])("%j is read back", (value) => expect(parse(writeYaml(value))).toEqual(value));

test("settings are plain where they can be", () => {
  expect(writeYaml({ name: "cpu", features: [{ name: "load", metric: "avg" }], span: 48 })).toBe(
    "name: cpu\nfeatures:\n  - name: load\n    metric: avg\nspan: 48",
  );
});
