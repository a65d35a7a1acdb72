// Names of buckets, models and templates, alone and in lists.
import { describe, expect, test } from "bun:test";
import { Name, PlainName, splitNames } from "../../../src/core/input/name.ts";
import { check } from "../../../src/core/input/schema.ts";
import { errorOf } from "../expect.ts";

const good = ["a", "A-b_c@9", "x".repeat(256), "-", "constructor", "a.b", "...", ".a", ":"];
const host = "web-1.example.org:9100";
const bad = ["", "x".repeat(257), "a b", "a/b", "..", "a;b", "é", "a\n", "a\0", "__proto__", ".", "%2e"];

describe("Name", () => {
  test.each(good)("%p is a name", (name) => expect(check(Name, name)).toBe(name));
  test.each([...bad, 5, null, undefined])("%p is not", (name) => {
    expect(errorOf(() => check(Name, name)).code).toBe("invalid");
  });
});

test("a host with its port is a name, but of no feature and no token", () => {
  expect(check(Name, host)).toBe(host);
  for (const name of [host, "a.b", "a:b"])
    expect(errorOf(() => check(PlainName, name)).message).toContain("must be 1 to 256 letters");
});

describe("splitNames", () => {
  test("keeps order and duplicates", () => expect(splitNames(`b;${host};b`)).toEqual(["b", host, "b"]));
  test.each(["", ";", "a;", ";a", "a;;b", "a;b/c", "a;__proto__", "a;.", "..;a"])("%p is refused", (list) => {
    expect(errorOf(() => splitNames(list, "names"))).toMatchObject({
      code: "invalid",
      details: { path: "names" },
    });
  });
});
