// Addresses of screens: parsed, built, and robust against what people paste.
import { expect, test } from "bun:test";
import { buildRoute, parseRoute } from "../../../src/ui/lib/route.ts";

test.each([
  ["", { path: [], params: {} }],
  ["#", { path: [], params: {} }],
  ["#/models", { path: ["models"], params: {} }],
  ["#/models/a%20b?range=7d&at=x", { path: ["models", "a b"], params: { range: "7d", at: "x" } }],
  ["#/models/%zz", { path: ["models", "%zz"], params: {} }],
])("%p", (hash, route) => expect(parseRoute(hash)).toEqual(route));

test("names with any character survive", () => {
  for (const name of ["a/b", "?x=1", "#", "100 %", "ä"]) {
    const hash = buildRoute(["models", name], { q: "a&b=c" });
    expect(parseRoute(hash)).toEqual({ path: ["models", name], params: { q: "a&b=c" } });
  }
});

test("empty parameters are left out", () =>
  expect(buildRoute(["models"], { q: "", state: undefined, range: "1d" })).toBe("#/models?range=1d"));
