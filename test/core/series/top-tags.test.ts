// Top tags: values whose series deviate more than their number explains.
import { expect, test } from "bun:test";
import { findTopTags } from "../../../src/core/series/top-tags.ts";

const fleet = (weightOf: (dc: string, i: number) => number) =>
  Array.from({ length: 20 }, (_, i) => {
    const dc = i % 4 === 0 ? "a" : "b";
    return { tags: { host: `h${i}`, dc, rack: "1" }, weight: weightOf(dc, i) };
  });

test("the data centre whose hosts deviate stands out; each host alone and what all share does not", () => {
  expect(findTopTags(fleet((dc) => (dc === "a" ? 10 : 0.1)))).toEqual([
    { tag: "dc", value: "a", share: expect.closeTo(50 / 51.5), series: 5 },
  ]);
});

test("one host that accounts for most is named before its data centre", () => {
  const found = findTopTags(fleet((_, i) => (i === 0 ? 100 : 1)));
  expect(found.map(({ tag, value }) => [tag, value])).toEqual([
    ["dc", "a"],
    ["host", "h0"],
  ]);
});

test("where all deviate alike, or none does, no tag stands out", () => {
  expect(findTopTags(fleet(() => 3))).toEqual([]);
  expect(findTopTags(fleet(() => 0))).toEqual([]);
});
