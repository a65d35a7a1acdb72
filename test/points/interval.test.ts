// Detection of `bucket_interval: auto`: points of many patterns in a bucket in memory, and the number of reads.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Bucket } from "../../src/buckets/kind.ts";
import type { Feature } from "../../src/core/model/feature.ts";
import type { ModelSettings } from "../../src/core/model/model.ts";
import { countIntervals } from "../../src/core/series/grid.ts";
import type { Point, ReadQuery } from "../../src/core/series/query.ts";
import { resolveInterval } from "../../src/points/interval.ts";
import { createRandom } from "../../wasm/random.ts";
import { aggregatePoints } from "../support/aggregate-points.ts";
import { roundsOf } from "../support/rounds.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 5);
const signal = new AbortController().signal;
const load: Feature = { name: "load", metric: "avg", field: "value" };

function pointsAt(instants: readonly number[], field = "value"): Point[] {
  return instants.map((at) => ({ at: START + at, fields: { [field]: 1 }, tags: {} }));
}

/** Instants from 0 to `lengthMs`, so far apart. */
function every(spacingMs: number, lengthMs: number): number[] {
  return Array.from({ length: Math.floor(lengthMs / spacingMs) }, (_, i) => i * spacingMs);
}

interface Case {
  readonly features?: readonly Feature[];
  readonly lengthMs?: number;
  readonly bucket_interval?: string | number;
}

async function settle(points: readonly Point[], { features = [load], lengthMs = DAY, ...rest }: Case = {}) {
  const reads: ReadQuery[] = [];
  const bucket: Bucket = {
    read: (query, own) => {
      reads.push(query);
      return aggregatePoints(query, points, own);
    },
    close: () => {},
  };
  const settings: ModelSettings = {
    name: "m",
    type: "donut",
    bucket_interval: "auto",
    ...rest,
    features: [...features],
  };
  const range = { fromAt: START, toAt: START + lengthMs };
  const { bucket_interval } = await resolveInterval(
    async () => bucket,
    { settings, bucket: "b", range },
    signal,
  );
  return { interval: bucket_interval, reads };
}

test.each([
  ["seconds", SECOND, HOUR, 1],
  ["fifteen seconds", 15 * SECOND, DAY, 15],
  ["seven seconds", 7 * SECOND, DAY, 10],
  ["minutes", MINUTE, 7 * DAY, 60],
  ["five minutes", 5 * MINUTE, 60 * DAY, 300],
  ["seven minutes", 7 * MINUTE, 30 * DAY, 600],
  ["half hours", 30 * MINUTE, 200 * DAY, 1800],
  ["hours", HOUR, 365 * DAY, 3600],
  ["days", DAY, 900 * DAY, 86_400],
  ["a tenth of a second", 100, 10 * MINUTE, 1],
])("points every %s", async (_, spacingMs, lengthMs, expected) => {
  const { interval, reads } = await settle(pointsAt(every(spacingMs, lengthMs)), { lengthMs });
  expect(interval).toBe(expected);
  expect(reads.length).toBeLessThan(12);
  for (const { range, intervalMs } of reads)
    expect(countIntervals(range, intervalMs)).toBeLessThanOrEqual(502);
});

test("a duration is left alone, and nothing is read", async () => {
  expect(await settle([], { bucket_interval: "7m" })).toEqual({ interval: "7m", reads: [] });
});

test("seconds over weeks become as many intervals as can be trained on", async () => {
  const { interval } = await settle(pointsAt(every(10 * SECOND, 60 * DAY)), { lengthMs: 60 * DAY });
  expect(interval).toBe(60);
  expect((60 * DAY) / (Number(interval) * SECOND)).toBeLessThanOrEqual(100_000);
});

describe("missing values are ignored", () => {
  const day = 30 * DAY;
  const minutes = every(MINUTE, day);

  test("nights and weekends", async () => {
    const atWork = minutes.filter(
      (at) => at % DAY >= 9 * HOUR && at % DAY < 17 * HOUR && at % (7 * DAY) < 5 * DAY,
    );
    expect((await settle(pointsAt(atWork), { lengthMs: day })).interval).toBe(60);
  });

  test("a range that begins long before the points", async () => {
    const late = minutes.filter((at) => at > 25 * DAY);
    expect((await settle(pointsAt(late), { lengthMs: day })).interval).toBe(60);
  });

  test("a range of ten years before the points of two hours", async () => {
    const lengthMs = 3650 * DAY;
    const two = every(5 * SECOND, 2 * HOUR).map((at) => lengthMs - 2 * HOUR + at);
    const { interval, reads } = await settle(pointsAt(two), { lengthMs });
    expect(interval).toBe(5);
    expect(reads.length).toBeLessThan(12);
  });

  test("now and then a point", async () => {
    const most = minutes.filter((_, i) => i % 20 !== 3);
    expect((await settle(pointsAt(most), { lengthMs: day })).interval).toBe(60);
  });
});

test("many sources at once are not points close to each other", async () => {
  const hosts = every(15 * SECOND, DAY).flatMap((at) => Array.from({ length: 20 }, () => at));
  expect((await settle(pointsAt(hosts))).interval).toBe(15);
});

test("points at random: nine of ten intervals hold one", async () => {
  const random = createRandom(5);
  const instants = Array.from({ length: 2000 }, () => random.uniform() * DAY).sort((a, b) => a - b);
  const { interval } = await settle(pointsAt(instants));
  expect(interval).toBe(120);
});

describe("several features", () => {
  const slow: Feature = { name: "slow", metric: "avg", field: "other" };
  const points = [...pointsAt(every(10 * SECOND, DAY)), ...pointsAt(every(5 * MINUTE, DAY), "other")];

  test("the sparsest decides", async () => {
    expect((await settle(points, { features: [load, slow] })).interval).toBe(300);
    expect((await settle(points, { features: [slow, load] })).interval).toBe(300);
  });

  test("unless its empty intervals mean something", async () => {
    expect((await settle(points, { features: [load, { ...slow, default: 0 }] })).interval).toBe(10);
    expect((await settle(points, { features: [load, { ...slow, metric: "count" }] })).interval).toBe(10);
    expect((await settle(points, { features: [{ ...slow, metric: "count" }] })).interval).toBe(300);
  });

  test("one without points is ignored, and not read again", async () => {
    const gone: Feature = { name: "gone", metric: "avg", field: "nothing" };
    const { interval, reads } = await settle(points, { features: [gone, load] });
    expect(interval).toBe(10);
    expect(reads.slice(1).flatMap(({ features }) => features.map(({ name }) => name))).not.toContain("gone");
  });
});

test("without any points there is nothing to choose by", async () => {
  await expect(settle([])).rejects.toThrow(
    "no data found for time range 2026-01-05T00:00:00.000Z to 2026-01-06T00:00:00.000Z",
  );
});

test("whatever the points, reads are few and the interval is a natural one", async () => {
  const instants = fc.array(fc.integer({ min: 0, max: 40 * DAY }), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(instants, fc.integer({ min: 1, max: 40 * DAY }), async (list, lengthMs) => {
      const points = pointsAt([0, ...list.filter((at) => at < lengthMs)]);
      const { interval, reads } = await settle(points, { lengthMs });
      expect(interval).toBeWithin(1, 86_401);
      expect(reads.length).toBeLessThanOrEqual(1 + 3 * 17);
    }),
    { numRuns: roundsOf(200), seed: 11 },
  );
});
