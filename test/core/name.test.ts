// Names of buckets, models and templates, alone and in lists.
import { describe, expect, test } from "bun:test";
import { Name, splitNames } from "../../src/core/name.ts";
import { check } from "../../src/core/schema.ts";
import { errorOf } from "./expect.ts";

const good = ["a", "A-b_c@9", "x".repeat(256), "-", "constructor"];
const bad = ["", "x".repeat(257), "a b", "a/b", "..", "a;b", "é", "a\n", "a\0", "__proto__", "a.b", "%2e"];

describe("Name", () => {
  test.each(good)("%p is a name", (name) => expect(check(Name, name)).toBe(name));
  test.each([...bad, 5, null, undefined])("%p is not", (name) => {
    expect(errorOf(() => check(Name, name)).code).toBe("invalid");
  });
});

describe("splitNames", () => {
  test("keeps order and duplicates", () => expect(splitNames("b;a;b")).toEqual(["b", "a", "b"]));
  test.each(["", ";", "a;", ";a", "a;;b", "a;b/c", "a;__proto__"])("%p is refused", (list) => {
    expect(errorOf(() => splitNames(list, "names"))).toMatchObject({
      code: "invalid",
      details: { path: "names" },
    });
  });
});
