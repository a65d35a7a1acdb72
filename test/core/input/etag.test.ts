// Entity tags: equal for equal settings, and the condition on them.
import { expect, test } from "bun:test";
import { etagOf, parseIfMatch } from "../../../src/core/input/etag.ts";

const current = etagOf({ a: 1 });

test("a tag is quoted, short, and changes with the value", () => {
  expect(current).toMatch(/^"[\w-]{22}"$/);
  expect(etagOf({ a: 1 })).toBe(current);
  expect(etagOf({ a: 2 })).not.toBe(current);
});

test.each([null, "*", " * "])("%p is no condition", (header) => {
  expect(parseIfMatch(header)).toBeUndefined();
});

test.each([current, `"x", ${current}`, ` ${current} `])("%p matches", (header) => {
  expect(() => parseIfMatch(header)!.check(current)).not.toThrow();
});

test.each([
  `W/${current}`,
  '"x"',
  '"x","y"',
  '""',
])("%p does not match, and the error has the tag", (header) => {
  expect(() => parseIfMatch(header)!.check(current)).toThrow(
    expect.objectContaining({ code: "precondition_failed", details: { etag: current } }),
  );
});

test.each(["", "x", '"x', '*, "x"', '"a b"', `"${"x".repeat(5000)}"`])("%p is refused", (header) => {
  expect(() => parseIfMatch(header)).toThrow("if-match: must be entity tags");
});
