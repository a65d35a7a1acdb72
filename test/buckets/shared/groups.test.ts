// Series of a grouped read: any order of arrival, the limit, points before the range.
import { describe, expect, test } from "bun:test";
import { createGroupReducer } from "../../../src/buckets/shared/group-reducer.ts";
import { Groups } from "../../../src/buckets/shared/groups.ts";
import { groupKeyOf } from "../../../src/core/series/grouped-grid.ts";
import type { GroupedQuery } from "../../../src/core/series/query.ts";
import { requireMetric } from "../../../src/metrics/index.ts";
import { aQuery, expectColumn, featuresOf, T0 } from "../support.ts";

function ask(metrics: readonly string[], maxSeries: number): GroupedQuery {
  return { ...aQuery(featuresOf(metrics), 2), groupBy: ["host"], maxSeries };
}

const startGroups = (query: GroupedQuery) => new Groups(query, ({ metric }) => requireMetric(metric).empty);
const tagsOf = (groups: Groups) => groups.finish().series.map(({ tags }) => tags.host);

describe("groups", () => {
  test.each([["edcba"], ["abcde"], ["cebad"]])("in the order %s of arrival the first ones stay", (order) => {
    const groups = startGroups(ask(["sum"], 3));
    for (const host of [...order, ...order]) groups.of(groupKeyOf([host]));
    expect(tagsOf(groups)).toEqual(["a", "b", "c"]);
    expect(groups.finish().truncated).toBe(true);
  });

  test("as many as the limit are not truncated, and features without points are empty", () => {
    const query = ask(["sum", "count"], 2);
    const groups = startGroups(query);
    for (const host of ["b", "a"]) groups.columnOf(groupKeyOf([host]), query.features[0]!)![1] = 7;
    const { series, truncated } = groups.finish();
    expect([truncated, series.length]).toEqual([false, 2]);
    expectColumn(series[0]!.grid.columns.sum!, [Number.NaN, 7]);
    expectColumn(series[0]!.grid.columns.count!, [0, 0]);
  });
});

describe("raw points by group", () => {
  const put = (
    query: GroupedQuery,
    points: readonly [at: number, value: number, host: string, series: string][],
  ) => {
    const groups = startGroups(query);
    const reducer = createGroupReducer(query, groups);
    for (const [at, value, host, series] of points)
      reducer.put(T0 + at, value, { group: groupKeyOf([host]), series });
    reducer.finish();
    return groups.finish();
  };

  test("a point before the range makes no group, and is looked back to by each series", () => {
    const { series, truncated } = put(ask(["rate", "sum"], 1), [
      [-40_000, 1, "a", "x"],
      [-30_000, 4, "a", "x"],
      [-20_000, 5, "a", "y"],
      [-10_000, 9, "0", "z"],
      [30_000, 64, "a", "x"],
      [40_000, 65, "a", "y"],
    ]);
    expect([truncated, series.map(({ tags }) => tags.host)]).toEqual([false, ["a"]]);
    expectColumn(series[0]!.grid.columns.rate!, [2, Number.NaN]);
    expectColumn(series[0]!.grid.columns.sum!, [129, Number.NaN]);
  });

  test("series after series, one of which begins before the range once its group is known", () => {
    const { series } = put(ask(["rate"], 9), [
      [30_000, 1, "a", "x"],
      [-30_000, 5, "a", "y"],
      [30_000, 65, "a", "y"],
    ]);
    expectColumn(series[0]!.grid.columns.rate!, [1, Number.NaN]);
  });

  test("points at the end of the range and texts make no group", () => {
    expect(
      put(ask(["sum", "rate"], 9), [
        [120_000, 1, "a", "x"],
        [0, Number.NaN, "b", "x"],
      ]).series,
    ).toEqual([]);
    expect(put(ask(["count"], 9), [[0, Number.NaN, "b", "x"]]).series).toHaveLength(1);
  });
});
