// Reduced metrics of `local`: bit-identical with the oracle, in chunks of any size.
import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { local } from "../../src/buckets/local/index.ts";
import type { FieldValue, Point, ReadQuery } from "../../src/core/series/query.ts";
import { requireMetric } from "../../src/metrics/index.ts";
import { findFields } from "../../src/tsdb/catalog.ts";
import { scanInChunks } from "../../src/tsdb/chunks.ts";
import { openReader, pathOf } from "../../src/tsdb/file.ts";
import { reduceFields } from "../../src/tsdb/reduce.ts";
import { visitBlocks } from "../../src/tsdb/scan.ts";
import { sortSubBucket } from "../../src/tsdb/sub-buckets.ts";
import { aQuery, featuresOf, idle, MINUTE, T0 } from "../buckets/support.ts";
import { aggregatePoints } from "../support/aggregate-points.ts";
import { temporaryFolder } from "../support/folder.ts";
import { roundsOf } from "../support/rounds.ts";

const ordered = ["mode", "integral", "first", "last"];
const lookingBack = ["rate", "derivative"];
const metrics = [...ordered, "median", "p0", "p95", "p100"];
const yieldNow = () => undefined;

let dataDir: string;
let db: Database | undefined;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => {
  db?.close();
  db = undefined;
});

type Series = readonly (readonly [atMs: number, value: FieldValue])[];

/** Series by series: so the first one is the first of points of the same instant too. @returns what is kept of each */
async function write(name: string, series: readonly Series[]): Promise<Point[][]> {
  const bucket = local.open(name, {}, { dataDir });
  const kept: Point[][] = [];
  for (const [i, points] of series.entries()) {
    const tags = { h: `h${i}` };
    const made = points.map(([at, v]): Point => ({ at: T0 + at, fields: { v }, tags }));
    await bucket.write!(made, {}, idle());
    const byTime = new Map(made.map((point) => [point.at, point]));
    kept.push([...byTime.values()].sort((a, b) => a.at - b.at));
  }
  bucket.close();
  db = openReader(pathOf(name, dataDir));
  return kept;
}

function makeQuery(minutes: number, chosen = metrics) {
  const features = featuresOf(chosen);
  return aQuery(features, minutes);
}

function bitsOf(column: Float64Array): string[] {
  return Array.from(column, (value) => (Object.is(value, -0) ? "-0" : String(value)));
}

const value = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 3, arbitrary: fc.double({ noNaN: true, min: -1e300, max: 1e300 }) },
  fc.constantFrom<FieldValue>(-0, 0, "text", true),
);
// Crowds at one moment of each minute, and gaps of minutes without any.
const instant = fc.oneof(
  fc.integer({ min: -2 * MINUTE, max: 7 * MINUTE }),
  fc.tuple(fc.constantFrom(0, 1, 4), fc.integer({ min: 0, max: 40 })).map(([m, ms]) => m * MINUTE + ms),
);
const points = fc.array(fc.tuple(instant, value), { maxLength: 700, size: "max" });

/** Some report together: they have the instants of the one before, but for those of texts. */
const seriesList = fc.array(fc.tuple(points, fc.boolean()), { minLength: 1, maxLength: 5 }).map((list) =>
  list.map(([own], i): Series => {
    let leader = i;
    while (leader > 0 && list[leader]![1]) leader--;
    return list[leader]![0].map(([at, v], k) => [at, own[k]?.[1] ?? v]);
  }),
);

test("any series, any windows: the bits of the plain reference", async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(seriesList, fc.constantFrom(1, 7, 100, 2 ** 21), async (series, room) => {
      const kept = await write(`random-${number++}`, series);
      const query = makeQuery(6);
      const expected = await aggregatePoints(query, kept.flat(), idle());
      if (!db) return;
      const scope = { db, fieldIds: findFields(db, query.features[0]!), range: query.range, yieldNow };
      for (const chosen of [metrics, metrics.filter((metric) => !ordered.includes(metric))]) {
        const columns = await reduceFields({ ...query, maxPoints: room }, chosen.map(requireMetric), scope);
        for (const [i, metric] of chosen.entries())
          expect([metric, bitsOf(columns[i]!)]).toEqual([metric, bitsOf(expected.columns[metric]!)]);
      }
      const bucket = local.open(`random-${number - 1}`, {}, { dataDir });
      const grid = await bucket.read(query, idle());
      bucket.close();
      for (const metric of metrics)
        expect([metric, bitsOf(grid.columns[metric]!)]).toEqual([metric, bitsOf(expected.columns[metric]!)]);
      db.close();
      db = undefined;
    }),
    { numRuns: roundsOf(60) },
  );
});

/** Of each series by itself, added up in their order. */
async function sumSeries(kept: readonly Point[][], query: ReadQuery): Promise<Record<string, Float64Array>> {
  const grids = await Promise.all(kept.map((points) => aggregatePoints(query, points, idle())));
  const add = (a: number, b: number) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b);
  return Object.fromEntries(
    query.features.map(({ name }) => [
      name,
      grids
        .map(({ columns }) => columns[name]!)
        .reduce((sum, column) => sum.map((a, i) => add(a, column[i]!))),
    ]),
  );
}

test("metrics that look back: the bits of the plain reference for each series, added up", async () => {
  let number = 0;
  const query = makeQuery(6, lookingBack);
  await fc.assert(
    fc.asyncProperty(seriesList, async (series) => {
      const name = `back-${number++}`;
      const expected = await sumSeries(await write(name, series), query);
      db?.close();
      db = undefined;
      const bucket = local.open(name, {}, { dataDir });
      // Beside others, which are computed otherwise.
      const features = [...query.features, ...makeQuery(6).features];
      const { columns } = await bucket.read({ ...query, features }, idle());
      bucket.close();
      for (const metric of lookingBack)
        expect([metric, bitsOf(columns[metric]!)]).toEqual([metric, bitsOf(expected[metric]!)]);
    }),
    { numRuns: roundsOf(60) },
  );
});

describe("windows", () => {
  /** Points of each window, over a day of minutes that is empty but for one hour. */
  async function sizesOf(room: number): Promise<{ sizes: number[]; minutes: number[] }> {
    const hour = Array.from({ length: 3600 }, (_, i) => [i * 1000 + 20 * 60 * MINUTE, i] as const);
    await write("crowded", [hour, hour]);
    const range = { fromAt: T0, toAt: T0 + 24 * 60 * MINUTE };
    const scope = { db: db!, fieldIds: [1, 2], range, yieldNow };
    const [sizes, minutes]: number[][] = [[], []];
    let points = 0;
    const sink = {
      start() {
        points = 0;
      },
      add(block: { readonly values: Float64Array }) {
        points += block.values.length;
      },
    };
    let endAt = range.fromAt;
    for await (const { fromAt, toAt } of scanInChunks(scope, { intervalMs: MINUTE, maxPoints: room }, sink)) {
      expect(fromAt).toBe(endAt);
      endAt = toAt;
      sizes!.push(points);
      minutes!.push((toAt - fromAt) / MINUTE);
    }
    expect(endAt).toBe(range.toAt);
    return { sizes: sizes!, minutes: minutes! };
  }

  test.each([121, 1000, 5000, 10_000])("of a crowded hour hold no more than %d points", async (room) => {
    const { sizes, minutes } = await sizesOf(room);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(room);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(7200);
    expect(minutes.reduce((sum, length) => sum + length)).toBe(24 * 60);
  });

  test("are an interval long where it alone has more points", async () => {
    const { sizes, minutes } = await sizesOf(50);
    expect(Math.max(...sizes)).toBe(120);
    for (const [i, size] of sizes.entries()) if (size > 50) expect(minutes[i]).toBe(1);
  });
});

test("a scan can be left, and the next one begins anew", async () => {
  await write("left", [[[0, 1]], [[0, 2]], [[0, 3]]]);
  const scope = { db: db!, fieldIds: [1, 2, 3], range: { fromAt: T0, toAt: T0 + 1 }, yieldNow };
  const seen: number[] = [];
  await visitBlocks(scope, ({ values }) => seen.push(...values) < 2);
  await visitBlocks(scope, ({ values }) => void seen.push(...values));
  expect(seen).toEqual([1, 2, 1, 2, 3]);
});

test("a cell is put in order of time, points of the same instant as they came", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 200, size: "max" }), (instants) => {
      const times = Float64Array.from([99, ...instants, 0]);
      const values = Float64Array.from(times.keys());
      sortSubBucket({ times, values }, 1, times.length - 1);
      const order = [...instants.keys()].sort((a, b) => instants[a]! - instants[b]!);
      expect([...values]).toEqual([0, ...order.map((i) => i + 1), times.length - 1]);
      expect([...times]).toEqual([99, ...order.map((i) => instants[i]!), 0]);
    }),
  );
});
