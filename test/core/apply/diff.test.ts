// Diff of settings: by field, named list entries by name, secrets without values.
import { expect, test } from "bun:test";
import { diffSettings } from "../../../src/core/apply/diff.ts";

const same = (value: unknown) => ({ full: value, shown: value });

test.each([
  ["equal, in another order", { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  ["a value", { a: 1 }, { a: 2 }, [{ path: "a", from: 1, to: 2 }]],
  [
    "added and removed",
    { a: 1 },
    { b: { c: 1 } },
    [
      { path: "a", from: 1 },
      { path: "b", to: { c: 1 } },
    ],
  ],
  [
    "a named entry of a list",
    {
      f: [
        { name: "x", m: 1 },
        { name: "y", m: 1 },
      ],
    },
    {
      f: [
        { name: "x", m: 2 },
        { name: "y", m: 1 },
      ],
    },
    [{ path: "f.x.m", from: 1, to: 2 }],
  ],
  ["other lists as a whole", { f: [1, 2] }, { f: [1] }, [{ path: "f", from: [1, 2], to: [1] }]],
  [
    "names given twice do not name",
    { f: [{ name: "x" }, { name: "x" }] },
    { f: [{ name: "x" }] },
    [{ path: "f", from: [{ name: "x" }, { name: "x" }], to: [{ name: "x" }] }],
  ],
])("%s", (_name, before, after, expected) => {
  expect(diffSettings(same(before), same(after))).toEqual(expected);
});

test("names a hidden value without showing it", () => {
  const before = { full: { a: 1, password: "one" }, shown: { a: 1 } };
  const after = { full: { a: 2, password: "two" }, shown: { a: 2 } };
  expect(diffSettings(before, after)).toEqual([
    { path: "a", from: 1, to: 2 },
    { path: "password", secret: true },
  ]);
});

test("a login within an address that changes is a secret", () => {
  const before = { full: { addr: "http://u:p@h" }, shown: { addr: "http://h" } };
  const after = { full: { addr: "http://u:q@h" }, shown: { addr: "http://h" } };
  expect(diffSettings(before, after)).toEqual([{ path: "addr", secret: true }]);
});

test("the order of named entries counts", () => {
  const [x, y] = [{ name: "x" }, { name: "y" }];
  expect(diffSettings(same({ f: [x, y] }), same({ f: [y, x] }))).toEqual([
    { path: "f", from: [x, y], to: [y, x] },
  ]);
});
