// Extents of observed points: empty intervals at both ends, features of their own extent, counts and defaults.
import { describe, expect, test } from "bun:test";
import type { Feature } from "../../../src/core/model/feature.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { countObserved, findExtent, trimForFeature, trimToExtent } from "../../../src/models/stats/extent.ts";

const _ = Number.NaN;
const load: Feature = { name: "load", metric: "avg", field: "x" };
const hits: Feature = { name: "hits", metric: "count", field: "x" };

function gridOf(columns: Record<string, number[]>): Grid {
  const [first = []] = Object.values(columns);
  const typed = Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)]);
  return { startAt: 100, intervalMs: 10, length: first.length, columns: Object.fromEntries(typed) };
}

describe("extent", () => {
  test.each([
    [[_, _, 1, _, 2, _], { from: 2, to: 5 }],
    [[1, 2], { from: 0, to: 2 }],
    [[_, 0, _], { from: 1, to: 2 }],
    [[_, _], undefined],
    [[], undefined],
  ])("of %j is %j", (values, extent) => expect(findExtent(gridOf({ load: values }), [load])).toEqual(extent));

  test("of a count begins with the first point, as an empty interval counts 0", () => {
    const grid = gridOf({ hits: [0, 0, 3, 0, 1, 0] });
    expect(findExtent(grid, [hits])).toEqual({ from: 2, to: 5 });
    expect(findExtent(gridOf({ hits: [0, 0] }), [hits])).toBeUndefined();
    expect(countObserved(grid, hits)).toBe(2);
  });

  test("of several features is that of all their points", () => {
    const grid = gridOf({ load: [_, 1, _, _], hits: [0, 0, 2, 0] });
    expect(findExtent(grid, [load, hits])).toEqual({ from: 1, to: 3 });
  });
});

test("a trimmed grid keeps its instants", () => {
  const trimmed = trimToExtent(gridOf({ load: [_, 1, _, 2, _] }), [load])!;
  expect([trimmed.startAt, trimmed.length, Array.from(trimmed.columns.load!)]).toEqual([110, 3, [1, _, 2]]);
  expect(trimToExtent(gridOf({ load: [_] }), [load])).toBeUndefined();
});

test("a feature is trained on its own extent, unless its empty intervals have a value", () => {
  const grid = gridOf({ load: [_, 1, _], hits: [0, 1, 0] });
  const lengthFor = (feature: Feature) => trimForFeature(grid, feature)?.length;
  expect(lengthFor(load)).toBe(1);
  expect(lengthFor(hits)).toBe(3);
  expect(lengthFor({ ...load, default: 0 })).toBe(3);
  expect(lengthFor({ ...load, default: "previous" })).toBe(1);
});
