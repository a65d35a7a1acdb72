// Points to grid: arrays in any order, streams in order, looking back, aborting.
import { describe, expect, test } from "bun:test";
import { aggregatePoints, aggregateStreams, type Samples } from "../../../src/buckets/shared/aggregate.ts";
import type { FieldValue, Point, ReadQuery } from "../../../src/core/series/query.ts";
import { findReadStart } from "../../../src/metrics/index.ts";
import { expectColumn, idle, MINUTE, T0 } from "../support.ts";

function ask(metrics: string[], tags: { tag: string; value: string }[] = []): ReadQuery {
  const features = metrics.map((metric) => ({ name: metric, metric, field: "v", tags }));
  return { range: { fromAt: T0, toAt: T0 + 3 * MINUTE }, intervalMs: MINUTE, features };
}

function at(ms: number, v: FieldValue, tags = {}): Point {
  return { at: T0 + ms, fields: { v }, tags };
}

function samples(points: [number, number][]): Samples {
  return {
    times: Float64Array.from(points, ([ms]) => T0 + ms),
    values: Float64Array.from(points, ([, value]) => value),
  };
}

describe("aggregatePoints", () => {
  test("an array in any order; unknown fields, other tags, nulls and points outside of the range are skipped", async () => {
    const points = [
      at(130_000, 9),
      at(50, 3, { h: "a" }),
      at(10, 1, { h: "a" }),
      at(20, null),
      at(180_000, 5),
      at(-1, 5),
    ];
    const grid = await aggregatePoints(ask(["count", "first", "sum"]), points, idle());
    expect(grid).toMatchObject({ startAt: T0, intervalMs: MINUTE, length: 3 });
    expectColumn(grid.columns.count!, [2, 0, 1]);
    expectColumn(grid.columns.first!, [1, Number.NaN, 9]);
    const tagged = await aggregatePoints(ask(["sum"], [{ tag: "h", value: "a" }]), points, idle());
    expectColumn(tagged.columns.sum!, [4, Number.NaN, Number.NaN]);
  });

  test("inherited properties are neither fields nor tags", async () => {
    const query = {
      ...ask(["count"]),
      features: [{ name: "f", metric: "count", field: "constructor", tags: [] }],
    };
    expectColumn((await aggregatePoints(query, [at(0, 1)], idle())).columns.f!, [0, 0, 0]);
    const tagged = ask(["count"], [{ tag: "constructor", value: "x" }]);
    expectColumn((await aggregatePoints(tagged, [at(0, 1)], idle())).columns.count!, [0, 0, 0]);
  });

  test("a stream; going back to an interval that has ended is an error, never data", async () => {
    async function* stream(...list: Point[]) {
      yield* list;
    }
    const sorted = await aggregatePoints(ask(["sum"]), stream(at(0, 1), at(60_000, 2)), idle());
    expectColumn(sorted.columns.sum!, [1, 2, Number.NaN]);
    const reading = aggregatePoints(ask(["sum"]), stream(at(60_000, 1), at(0, 2)), idle());
    await expect(reading).rejects.toMatchObject({ code: "bucket_rejected" });
  });

  test("the interval before the range is looked back at, no further", async () => {
    const query = ask(["derivative", "rate", "count"]);
    expect(findReadStart(query)).toBe(T0 - MINUTE);
    expect(findReadStart(ask(["count"]))).toBe(T0);
    const near = await aggregatePoints(query, [at(-60_000, 1), at(0, 7), at(120_000, 1)], idle());
    expectColumn(near.columns.derivative!, [0.1, Number.NaN, -0.05]);
    expectColumn(near.columns.rate!, [0.1, Number.NaN, 1 / 120]);
    expectColumn(near.columns.count!, [1, 0, 1]);
    const far = await aggregatePoints(query, [at(-60_001, 1), at(0, 7)], idle());
    expectColumn(far.columns.derivative!, [Number.NaN, Number.NaN, Number.NaN]);
  });

  test("an abort ends it, with the reason where it is one of ours", async () => {
    const points = Array.from({ length: 5000 }, (_, i) => at(i, i));
    await expect(aggregatePoints(ask(["sum"]), points, AbortSignal.abort())).rejects.toMatchObject({
      code: "canceled",
    });
    const timeout = AbortSignal.abort(new DOMException("late", "TimeoutError"));
    await expect(aggregatePoints(ask(["sum"]), points, timeout)).rejects.toMatchObject({ code: "deadline" });
  });
});

describe("aggregateStreams", () => {
  test("one stream per feature, chunks of any size, disorder within an interval", async () => {
    const query = ask(["first", "count", "median"]);
    const chunks = [
      samples([
        [30, 3],
        [10, 1],
      ]),
      samples([]),
      samples([
        [20, 2],
        [60_000, Number.NaN],
        [61_000, 8],
      ]),
    ];
    const grid = await aggregateStreams(query, () => chunks, idle());
    expectColumn(grid.columns.first!, [1, 8, Number.NaN]);
    expectColumn(grid.columns.count!, [3, 2, 0]);
    expectColumn(grid.columns.median!, [2, 8, Number.NaN]);
  });

  test("an interval of many points", async () => {
    const many = samples(Array.from({ length: 20_000 }, (_, i) => [i % 60_000, 1]));
    expectColumn((await aggregateStreams(ask(["sum"]), () => [many], idle())).columns.sum!, [
      20_000,
      Number.NaN,
      Number.NaN,
    ]);
  });

  test("a metric nobody knows is not_supported", async () => {
    await expect(aggregateStreams(ask(["nope"]), () => [], idle())).rejects.toMatchObject({
      code: "not_supported",
    });
  });
});
