// Stateful metrics over several series: one history per series, any paging, a limit of series.
import { describe, expect, test } from "bun:test";
import { createSharedColumns } from "../../../src/buckets/shared/per-series.ts";
import type { Samples } from "../../../src/buckets/shared/samples.ts";
import { seriesKeyOfTags } from "../../../src/buckets/shared/series-by.ts";
import type { Columns } from "../../../src/core/series/columns.ts";
import type { ReadQuery } from "../../../src/core/series/query.ts";
import { counterAnswers, counterPoints } from "../cases.ts";
import { aQuery, expectColumn, featuresOf, T0 } from "../support.ts";

const pace = () => undefined;

function ask(metrics: readonly string[]): ReadQuery {
  const features = featuresOf(metrics);
  return aQuery(features);
}

function toSamples(points: typeof counterPoints): Samples {
  return {
    times: Float64Array.from(points, ([at]) => T0 + at),
    values: Float64Array.from(points, ([, value]) => value),
    series: points.map(([, , host]) => host),
  };
}

describe("columns that share their points", () => {
  test.each([1, 2, 5, 100])("counters in pages of %d", async (size) => {
    const shared = createSharedColumns(ask(["rate", "count", "derivative"]));
    expect(shared.withSeries).toBe(true);
    for (let from = 0; from < counterPoints.length; from += size)
      await shared.add(toSamples(counterPoints.slice(from, from + size)), pace);
    const columns: Columns = new Map();
    shared.finish(columns);
    for (const [metric, hosts, expected] of counterAnswers)
      if (hosts.length === 0) expectColumn(columns.get(metric)!, expected);
    expectColumn(columns.get("count")!, [4, 5, 0]);
  });

  test("point by point, and without a name for the series all are of one", () => {
    const shared = createSharedColumns(ask(["rate", "sum"]));
    for (const [at, value, host] of counterPoints) if (host === "a") shared.put(T0 + at, value, "");
    const columns: Columns = new Map();
    shared.finish(columns);
    expectColumn(columns.get("rate")!, [0.2, 0.2, Number.NaN]);
    expectColumn(columns.get("sum")!, [218, 242, Number.NaN]);
    expect(createSharedColumns(ask(["sum"])).withSeries).toBe(false);
  });

  test("more series than fit in memory are refused, with a way out", () => {
    const shared = createSharedColumns(ask(["rate"]));
    const addAll = () => {
      for (let i = 0; i <= 100_000; i++) shared.put(T0, i, String(i));
    };
    expect(addAll).toThrow(/more than 100000 series.*match_all/);
  });
});

test("a series has one name, whatever the order of its tags; a tag without a value is none", () => {
  const name = seriesKeyOfTags([
    ["host", "a"],
    ["port", 80],
  ]);
  expect(
    seriesKeyOfTags([
      ["port", "80"],
      ["zone", ""],
      ["host", "a"],
      ["rack", null],
      ["row", undefined],
    ]),
  ).toBe(name);
  expect(seriesKeyOfTags([["host", "b"]])).not.toBe(seriesKeyOfTags([["host", "a"]]));
  expect(seriesKeyOfTags([["a", 'b","c']])).not.toBe(
    seriesKeyOfTags([
      ["a", "b"],
      ["c", ""],
    ]),
  );
});
