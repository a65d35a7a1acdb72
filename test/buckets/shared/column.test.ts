// Columns under construction: order within an interval, the interval before the range, going back in time.
import { expect, test } from "bun:test";
import { createSharedColumns } from "../../../src/buckets/shared/per-series.ts";
import type { Samples } from "../../../src/buckets/shared/samples.ts";
import type { Columns } from "../../../src/core/series/columns.ts";
import type { ReadQuery } from "../../../src/core/series/query.ts";
import { findReadStart } from "../../../src/metrics/index.ts";
import { createYielder } from "../../../src/runtime/steps.ts";
import { aQuery, expectColumn, featuresOf, idle, MINUTE, T0 } from "../support.ts";

type Values = readonly (readonly [atMs: number, value: number])[];

function ask(metrics: readonly string[]): ReadQuery {
  const features = featuresOf(metrics);
  return aQuery(features);
}

function samples(points: Values): Samples {
  return {
    times: Float64Array.from(points, ([ms]) => T0 + ms),
    values: Float64Array.from(points, ([, value]) => value),
  };
}

async function reduce(query: ReadQuery, chunks: readonly Values[], signal = idle()): Promise<Columns> {
  const shared = createSharedColumns(query);
  for (const chunk of chunks) await shared.add(samples(chunk), createYielder(signal));
  const columns: Columns = new Map();
  shared.finish(columns);
  return columns;
}

test("chunks of any size, in any order within an interval; a text is only counted", async () => {
  const chunks: Values[] = [
    [
      [30, 3],
      [10, 1],
    ],
    [],
    [
      [20, 2],
      [60_000, Number.NaN],
      [61_000, 8],
    ],
  ];
  const columns = await reduce(ask(["first", "count", "median"]), chunks);
  expectColumn(columns.get("first")!, [1, 8, Number.NaN]);
  expectColumn(columns.get("count")!, [3, 2, 0]);
  expectColumn(columns.get("median")!, [2, 8, Number.NaN]);
});

test("an interval of many points", async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => [i % 60_000, 1] as const);
  expectColumn((await reduce(ask(["sum"]), [many])).get("sum")!, [20_000, Number.NaN, Number.NaN]);
});

test("points outside of the range are skipped", async () => {
  const points: Values = [
    [-1, 5],
    [0, 1],
    [180_000, 5],
  ];
  expectColumn((await reduce(ask(["sum"]), [points])).get("sum")!, [1, Number.NaN, Number.NaN]);
});

test("going back to an interval that has ended is an error, never data", async () => {
  const disordered: Values = [
    [60_000, 1],
    [0, 2],
  ];
  await expect(reduce(ask(["sum"]), [disordered])).rejects.toMatchObject({ code: "bucket_rejected" });
});

test("the interval before the range is looked back at, no further", async () => {
  const query = ask(["derivative", "rate", "count"]);
  expect(findReadStart(query)).toBe(T0 - MINUTE);
  expect(findReadStart(ask(["count"]))).toBe(T0);
  const near: Values = [
    [-60_000, 1],
    [0, 7],
    [120_000, 1],
  ];
  const columns = await reduce(query, [near]);
  expectColumn(columns.get("derivative")!, [0.1, Number.NaN, -0.05]);
  expectColumn(columns.get("rate")!, [0.1, Number.NaN, 1 / 120]);
  expectColumn(columns.get("count")!, [1, 0, 1]);
  const far: Values = [
    [-60_001, 1],
    [0, 7],
  ];
  expectColumn((await reduce(query, [far])).get("derivative")!, [Number.NaN, Number.NaN, Number.NaN]);
});

test("an abort ends it, with the reason where it is one of ours", async () => {
  const points = Array.from({ length: 5000 }, (_, i) => [i, i] as const);
  await expect(reduce(ask(["sum"]), [points], AbortSignal.abort())).rejects.toMatchObject({
    code: "canceled",
  });
  const timeout = AbortSignal.abort(new DOMException("late", "TimeoutError"));
  await expect(reduce(ask(["sum"]), [points], timeout)).rejects.toMatchObject({ code: "deadline" });
});

test("an unknown metric is not_supported", async () => {
  await expect(reduce(ask(["nope"]), [])).rejects.toMatchObject({ code: "not_supported" });
});
