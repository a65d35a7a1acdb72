// Detections in the values of a bucket: interval, folding, strongest anomalies, refusals, limits.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import { parsePoints } from "../../src/buckets/shared/point.ts";
import { BucketDetections } from "../../src/resources/detections/bucket-detections.ts";
import { makeWorld } from "./world.ts";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const startAt = Date.UTC(2026, 0, 1) / 1000;
const WAVE = 48;
/** Half hours: two stretches of different strength. */
const valueAt = (i: number) =>
  20 +
  5 * Math.sin((2 * Math.PI * i) / WAVE) +
  Math.sin(i * i) / 5 +
  (i === 200 ? 30 : 0) -
  (i === 400 ? 15 : 0);
const COUNT = 10 * WAVE;
const STEP = 30 * MINUTE;

let world: Awaited<ReturnType<typeof makeWorld>>;
let detections: BucketDetections;
beforeAll(async () => {
  world = await makeWorld();
  await world.buckets.put({ name: "b", type: "local" });
  const points = Array.from({ length: COUNT }, (_, i) => ({ timestamp: startAt + i * STEP, x: valueAt(i) }));
  const bucket = await world.buckets.open("b");
  await bucket.write!(await parsePoints(points, 0), {}, new AbortController().signal);
  detections = over((name) => world.buckets.open(name));
});
afterAll(() => world.close());

const nowAt = (startAt + COUNT * STEP) * 1000;
const over = (openBucket: (name: string) => Promise<Bucket>) =>
  new BucketDetections({ store: world.store, clock: { now: () => nowAt }, openBucket });

const feature = { metric: "avg", field: "x" };
const detect = (body: object, signal = new AbortController().signal) =>
  detections.detect("b", { feature, from: startAt, ...body }, signal);

test("the interval is found; points, rhythm and ends are those of the values", async () => {
  const view = await detect({});
  expect(view).toMatchObject({
    bucket_interval: STEP,
    step: STEP,
    cells: COUNT,
    found: COUNT,
    points: COUNT,
    oldest: startAt,
    newest: startAt + (COUNT - 1) * STEP,
    period: WAVE,
  });
  for (const column of ["min", "mean", "max", "expected", "lower", "upper", "score"] as const)
    expect(view[column]).toHaveLength(COUNT);
});

test("the strongest anomaly is the first, with its direction and values", async () => {
  const { anomalies } = await detect({});
  const [first, second] = anomalies;
  expect(first).toMatchObject({
    start: startAt + 200 * STEP,
    end: startAt + 201 * STEP,
    type: "high",
    peak_score: 100,
  });
  expect(first!.observed - first!.expected).toBeGreaterThan(25);
  expect(second).toMatchObject({ start: startAt + 400 * STEP, type: "low" });
  const scores = anomalies.map(({ peak_score: score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test("a higher threshold leaves the strongest", async () => {
  const { anomalies } = await detect({ max_threshold: 99 });
  expect(anomalies.length).toBeLessThan((await detect({ max_threshold: 20 })).anomalies.length);
  expect(anomalies[0]).toMatchObject({ peak: startAt + 200 * STEP });
});

test("cells keep the spike in their maximum and the score", async () => {
  const view = await detect({ points: 48 });
  const cell = Math.floor(200 / (COUNT / 48));
  expect([view.cells, view.step]).toEqual([48, (COUNT / 48) * STEP]);
  expect(view.max[cell]).toBeGreaterThan(45);
  expect(view.score![cell]).toBe(100);
});

test("fewer than 12 values are shown, not judged", async () => {
  const view = await detect({ to: startAt + 5 * STEP, bucket_interval: "30m" });
  expect(view).toMatchObject({ found: 5, anomalies: [] });
  expect([view.score, view.expected]).toEqual([undefined, undefined]);
});

describe("refused", () => {
  test.each<[object, string, string]>([
    [{ feature: null }, "feature", "is required"],
    [{ feature: [] }, "feature", "must be an object"],
    [{ feature: { metric: "avgg", field: "x" } }, "feature.metric", "avg"],
    [{ feature: { field: "x" } }, "feature.metric", "is required"],
    [{ feature: { query: "select 1" }, bucket_interval: "5m" }, "feature.query", "does not support"],
    [{ feature: { query: "select 1" } }, "bucket_interval", "must be a duration"],
    [{ bucket_interval: 0 }, "bucket_interval", "longer than 0"],
    [{ bucket_interval: "1s" }, "from", "at most 20000"],
    [{ from: undefined }, "from", "is required"],
    [{ points: 2001 }, "points", "from 1 to 2000"],
    [{ max_threshold: 101 }, "max_threshold", "from 0 to 100"],
    [{ zzz: 1 }, "zzz", "unknown"],
  ])("%j at %s", async (body, path, text) => {
    const error = await detect(body).catch((caught) => caught);
    expect(error).toMatchObject({ code: "invalid", details: { path } });
    expect(error.message).toContain(text);
  });

  test("a range without values", async () =>
    expect(detect({ feature: { metric: "avg", field: "y" } })).rejects.toMatchObject({ code: "no_data" }));

  test("an unknown bucket", async () =>
    expect(detections.detect("no", {}, new AbortController().signal)).rejects.toMatchObject({
      code: "not_found",
    }));
});

test("an interval that was found has no limit: the newest values are shown", async () => {
  const points = Array.from({ length: 20_100 }, (_, i) => ({ timestamp: startAt + i * 10, y: i % 7 }));
  const bucket = await world.buckets.open("b");
  await bucket.write!(await parsePoints(points, 0), {}, new AbortController().signal);
  const view = await detect({ feature: { metric: "avg", field: "y" }, to: startAt + 3 * DAY });
  expect(view.bucket_interval).toBe(10);
  expect(view.newest).toBe(startAt + 20_099 * 10);
});

test("two at a time in a bucket, and no more than fifty wait; an aborted one leaves", async () => {
  const gate = Promise.withResolvers<void>();
  let reads = 0;
  const slow = over(async (name) => {
    reads++;
    await gate.promise;
    return world.buckets.open(name);
  });
  const body = { feature, from: startAt, bucket_interval: "30m" };
  const leaving = new AbortController();
  const open = Array.from({ length: 49 }, () => slow.detect("b", body, new AbortController().signal));
  const left = slow.detect("b", body, leaving.signal);
  await new Promise(setImmediate);
  const refused = slow.detect("b", body, new AbortController().signal);
  expect(refused).rejects.toMatchObject({ code: "overloaded" });
  await new Promise(setImmediate);
  expect(reads).toBe(2);
  leaving.abort();
  expect(left).rejects.toMatchObject({ code: "canceled" });
  gate.resolve();
  expect(await Promise.all(open)).toHaveLength(49);
});

test("the unit is the one that the source states, by the metric", async () => {
  const bucket = await world.buckets.open("b");
  await bucket.describeMetrics!(
    [{ name: "x", type: "counter", help: "", unit: "By" }],
    new AbortController().signal,
  );
  expect((await detect({})).unit).toBe("B");
  expect((await detect({ feature: { ...feature, metric: "rate" } })).unit).toBe("B/s");
  expect(await detect({ feature: { ...feature, metric: "count" } })).not.toHaveProperty("unit");
});
