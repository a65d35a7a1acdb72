// Kind `local` compared with the oracle: random writes, and several series beyond one chunk.
import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import type { Bucket } from "../../../src/buckets/kind.ts";
import { local } from "../../../src/buckets/local/index.ts";
import type { Point } from "../../../src/core/series/query.ts";
import { metrics } from "../../../src/metrics/index.ts";
import { aggregatePoints } from "../../support/aggregate-points.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { roundsOf } from "../../support/rounds.ts";
import { aQuery, expectColumn, featuresOf, idle, MINUTE, T0 } from "../support.ts";

let dataDir: string;
let opened: Bucket[];
beforeEach(() => {
  dataDir = temporaryFolder();
  opened = [];
});
afterEach(() => {
  for (const bucket of opened) bucket.close();
});

function open(name: string): Bucket {
  const bucket = local.open(name, {}, { dataDir });
  opened.push(bucket);
  return bucket;
}

/** A sum where both have a value, else the one there is. */
function addColumns(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => (Number.isNaN(value) ? b[i]! : Number.isNaN(b[i]!) ? value : value + b[i]!));
}

test("any writes give the grid the common reducers give for the points that are left", async () => {
  const at = fc.integer({ min: -MINUTE, max: 3 * MINUTE });
  // Far instants, so that blocks are cut by their span too.
  const time = fc.oneof({ weight: 9, arbitrary: at }, fc.integer({ min: -5e11, max: 5e11 }));
  const value = fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.boolean(), fc.string());
  const point = fc.tuple(time, value, fc.constantFrom("a", "b"));
  const batches = fc.array(fc.array(point, { maxLength: 1500, size: "max" }), { maxLength: 4 });
  let number = 0;
  await fc.assert(
    fc.asyncProperty(batches, async (writes) => {
      const bucket = open(`random-${number++}`);
      const left = new Map<string, Point>();
      for (const batch of writes) {
        // Which of two series comes first at the same instant is nobody's promise: one has the odd instants.
        const points = batch.map(
          ([ms, v, h]): Point => ({ at: T0 + 2 * ms + (h === "a" ? 1 : 0), fields: { v }, tags: { h } }),
        );
        for (const item of points) left.set(`${item.at} ${item.tags.h}`, item);
        await bucket.write!(points, {}, idle());
        // Of some writes the points are in blocks, of others in the head.
        if (points.length % 2 === 1) await bucket.probe!(idle());
      }
      const one = [{ tag: "h", value: "a" }];
      const features = metrics.flatMap(({ name: metric }) => [
        { name: `${metric}_all`, metric, field: "v", tags: [] },
        { name: `${metric}_a`, metric, field: "v", tags: one },
      ]);
      const query = aQuery(features, 5);
      const actual = await bucket.read(query, idle());
      const points = [...left.values()];
      const { columns } = await aggregatePoints(query, points, idle());
      const [a, b] = await Promise.all(
        ["a", "b"].map((host) =>
          aggregatePoints(
            query,
            points.filter(({ tags }) => tags.h === host),
            idle(),
          ),
        ),
      );
      const added = ["rate_all", "derivative_all"].map((name) => [
        name,
        addColumns(a!.columns[name]!, b!.columns[name]!),
      ]);
      const expected: Record<string, Float64Array> = { ...columns, ...Object.fromEntries(added) };
      for (const { name } of features) {
        for (const [i, want] of expected[name]!.entries()) {
          const got = actual.columns[name]![i]!;
          if (Number.isNaN(want)) expect(got).toBeNaN();
          else expect(Math.abs(got - want)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(want)));
        }
      }
    }),
    { numRuns: roundsOf(30) },
  );
}, 180_000);

test("several series with more points than are put in order at a time", async () => {
  const bucket = open("large");
  const minutes = 200;
  const perMinute = 1500;
  const stepMs = MINUTE / perMinute;
  for (const h of ["a", "b"]) {
    const shiftMs = h === "a" ? 0 : stepMs / 2;
    const points = Array.from({ length: minutes * perMinute }, (_, i): Point => {
      const v = Math.floor(i / perMinute) + (h === "a" ? 0 : 0.5);
      return { at: T0 + i * stepMs + shiftMs, fields: { v }, tags: { h } };
    });
    await bucket.write!(points, {}, idle());
  }
  const features = featuresOf(["first", "last", "median", "count"]);
  const { columns } = await bucket.read(aQuery(features, minutes), idle());
  const counted = Array.from({ length: minutes }, (_, i) => i);
  expectColumn(columns.first!, counted);
  expectColumn(
    columns.last!,
    counted.map((i) => i + 0.5),
  );
  expectColumn(
    columns.median!,
    counted.map((i) => i + 0.25),
  );
  expectColumn(
    columns.count!,
    counted.map(() => 2 * perMinute),
  );
}, 180_000);
