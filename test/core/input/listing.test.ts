// Lists: sorting, paging, fields.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { arrange, isShown, listViews, parseListing, pickFields } from "../../../src/core/input/listing.ts";

const views = [
  { name: "b", size: 2, deep: { loss: 0.5 } },
  { name: "c", deep: { loss: 0.1 } },
  { name: "a", size: 10, deep: {} },
];
const byName = { defaultSort: "name" };
const names = (params: Record<string, unknown>, rules: object = byName) =>
  listViews(views, params, rules)
    .entries.map((view) => (view as { name: string }).name)
    .join("");

test("without parameters everything, by the default field", () => {
  expect(names({})).toBe("abc");
  expect(names({}, {})).toBe("bca");
});

test("sorts by a field, a dotted one, an alias; where it lacks, last in both directions", () => {
  expect(names({ sort: "name:-1" })).toBe("cba");
  expect(names({ sort: "size:1" })).toBe("bac");
  expect(names({ sort: "size:-1" })).toBe("abc");
  expect(names({ sort: "deep.loss:1" })).toBe("cba");
  expect(names({ sort: "deep.loss:-1" })).toBe("bca");
  expect(names({ sort: "score:1" }, { ...byName, aliases: { score: "deep.loss" } })).toBe("cba");
  expect(names({ sort: "toString:1" })).toBe("bca");
});

test("values of different types have an order too", () => {
  const mixed = ["x", 2, true, 1, "a", false].map((key) => ({ key }));
  const keys = arrange(mixed, parseListing({ sort: "key:1" })).map(({ key }) => key);
  expect(keys).toEqual([false, true, 1, 2, "a", "x"]);
});

test("pages; past the end there is nothing; empty parameters count as absent", () => {
  expect(names({ page: 0, per_page: 2 })).toBe("ab");
  expect(names({ page: "1", per_page: "2" })).toBe("c");
  expect(names({ per_page: 1 })).toBe("a");
  expect(names({ page: 7 })).toBe("");
  expect(names({ page: "", per_page: "", sort: "", fields: "" })).toBe("abc");
  const many = Array.from({ length: 60 }, (_, i) => ({ i }));
  expect(listViews(many, { page: 0 }, {}).entries).toHaveLength(50);
  expect(listViews(many, { page: 1 }, {}).entries).toHaveLength(10);
});

test("fields are dropped, or kept alone with null for those that are absent", () => {
  expect(pickFields(views.slice(0, 1), { fields: "size;deep;none" })).toEqual([{ name: "b" }]);
  expect(pickFields(views.slice(1, 2), { fields: "name;size", include_fields: "True" })).toEqual([
    { name: "c", size: null },
  ]);
  expect(pickFields(views, {})).toEqual(views);
  expect(pickFields(views.slice(0, 1), { fields: "toString", include_fields: 1 })).toEqual([
    { toString: null },
  ]);
});

test.each([
  ["sort", { sort: "name" }],
  ["sort", { sort: "name:2" }],
  ["sort", { sort: ":1" }],
  ["page", { page: -1 }],
  ["page", { page: "1.5" }],
  ["page", { page: "x" }],
  ["per_page", { per_page: 0 }],
  ["per_page", { per_page: 101 }],
  ["include_fields", { include_fields: "maybe" }],
  ["fields", { fields: ["a"] }],
  ["fields", { fields: Array.from({ length: 101 }, (_, i) => `f${i}`).join(";") }],
])("a bad %s is refused: %j", (path, params) => {
  expect(() => listViews(views, params, byName)).toThrow(
    expect.objectContaining({ code: "invalid", details: { path } }),
  );
});

test("a field is shown unless it is dropped, or others are kept", () => {
  const isNameShown = (params: object) => isShown(parseListing({ ...params }), "name");
  expect(isNameShown({})).toBe(true);
  expect(isNameShown({ fields: "name" })).toBe(false);
  expect(isNameShown({ fields: "size" })).toBe(true);
  expect(isNameShown({ fields: "name;size", include_fields: true })).toBe(true);
  expect(isNameShown({ fields: "size", include_fields: true })).toBe(false);
});

test("pages put together are the whole list", () => {
  const entry = fc.record({ name: fc.string({ maxLength: 3 }), id: fc.nat() });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (list, size) => {
      const pages = Array.from({ length: Math.ceil(list.length / size) + 1 }, (_, page) =>
        listViews(list, { page, per_page: size }, byName),
      );
      expect(pages.flatMap(({ entries }) => entries)).toEqual(listViews(list, {}, byName).entries);
    }),
  );
});
