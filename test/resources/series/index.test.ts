// Folded series: what the model reads, without a job, bounded, aborted with the request.
import { beforeEach, describe, expect, test } from "bun:test";
import type { Compute, ModelKind } from "../../../src/models/kind.ts";
import { Series } from "../../../src/resources/series/index.ts";
import { appendScores } from "../../../src/store/anomalies/scores.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { fakeKind } from "../../live/world.ts";
import { codeOf } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";
import { limits, useWorld } from "../world.ts";

const M = 60_000;
const DAY = 1440;
const world = useWorld();
const { signal } = new AbortController();
let series: Series;

beforeEach(async () => {
  world.clock.at = DAY * M;
  series = makeSeries();
  await world.buckets.put({ name: "b", type: "local" });
  await world.models.create(aModel());
  const bucket = await world.buckets.open("b");
  const points = Array.from({ length: DAY }, (_, i) => ({
    at: i * M,
    fields: { v: i === 700 ? 999 : i % 10 },
    tags: {},
  }));
  await bucket.write!(points, {}, signal);
});

function makeSeries(openBucket = (name: string) => world.buckets.open(name)): Series {
  const { store, clock } = world;
  const kind = fakeKind as ModelKind;
  const shared = { store, clock, kind, compute: {} as Compute, openBucket };
  return new Series({ ...shared, limits: { ...limits, valuesPerRead: 5000 } });
}

test("a day in twelve cells, with a spike of one minute", async () => {
  const { m } = await series.read(["m"], { from: 0, points: 12 }, signal);
  expect(m).toMatchObject({ from: 0, step: 7200, bucket_interval: 60, cells: 12, episodes: [] });
  const { min, mean, max } = m!.features!.v!;
  expect(min).toEqual(new Array(12).fill(0));
  expect(max).toEqual([9, 9, 9, 9, 9, 999, 9, 9, 9, 9, 9, 9]);
  expect(mean[0]).toBe(4.5);
  expect(m!.thresholds.max).toBeGreaterThan(m!.thresholds.min);
  expect((await world.jobs.list()).entries).toEqual([]);
});

test("parts are left out; the future is empty", async () => {
  const { m } = await series.read(["m"], { from: 0, parts: "episodes" }, signal);
  expect(m).not.toContainKey("features");
  const future = await series.read(["m"], { from: "now+1d", to: "now+2d" }, signal);
  expect(future.m).toMatchObject({ cells: 0, features: { v: { min: [], mean: [], max: [] } } });
});

test.each([
  [{}, "from: is required"],
  [{ from: 0, points: 0 }, "points: must"],
  [{ from: 0, points: 100_001 }, "points: must"],
  [{ from: 0, parts: "observed;scores" }, "parts: must be some of observed;expected;score;episodes"],
  [{ from: 0, fill: "perhaps" }, "fill: must"],
  [{ from: 0, parts: ["observed"] }, "parts: must be some of"],
  [{ from: "now-10d" }, "at most 5000 are allowed"],
])("refuses %j", async (params, message) => {
  await expect(series.read(["m"], params, signal)).rejects.toThrow(message);
});

test("unknown and too many names", async () => {
  expect(await codeOf(series.read(["m", "x"], { from: 0 }, signal))).toBe("not_found");
  const many = Array.from({ length: 51 }, (_, i) => `m${i}`);
  await expect(series.read(many, { from: 0 }, signal)).rejects.toThrow("at most 50 names");
});

test("the problem of one bucket does not hide the others, and is the error of one alone", async () => {
  await world.models.create(aModel({ name: "lost", default_bucket: "nowhere" }));
  const both = await series.read(["lost", "m"], { from: 0, points: 2 }, signal);
  expect(both.lost).toMatchObject({ problem: { code: "not_found", error: "bucket nowhere does not exist" } });
  expect(both.m!.features!.v!.max).toEqual([999, 9]);
  expect(await codeOf(series.read(["lost"], { from: 0 }, signal))).toBe("not_found");
  const { default_bucket: _, ...homeless } = aModel({ name: "homeless" });
  await world.models.create(homeless);
  await expect(series.read(["homeless"], { from: 0 }, signal)).rejects.toThrow("default_bucket: is missing");
});

test("an aborted request aborts its reads; those that wait do not start", async () => {
  const controller = new AbortController();
  let started = 0;
  const slow = makeSeries(async () => ({
    read: (_query, { aborted }) => {
      expect(aborted).toBe(false);
      started++;
      if (started === 2) controller.abort();
      return new Promise(() => {});
    },
    close: () => {},
  }));
  const names = ["m", "m2", "m3"];
  for (const name of names.slice(1)) await world.models.create(aModel({ name }));
  expect(await codeOf(slow.read(names, { from: 0 }, controller.signal))).toBe("canceled");
  expect(started).toBe(2);
});

describe("scores", () => {
  /** Records minutes 600 and 601: expected 5, band 4 to 6, score 20 and 40. */
  const record = () => {
    const values = new Float32Array([5, 4, 6, 20, 5, 4, 6, 40]);
    const run = { version: "00", intervalMs: M, features: ["v"], startAt: 600 * M, values };
    return write(world.store, (tx) => appendScores(tx, { model: "m" }, run));
  };
  const train = async () => world.finish(await world.models.train("m", { from: "now-1h" }));
  /** Minutes 598 to 603. */
  const range = { from: 598 * 60, to: 604 * 60 };

  test("recorded ones are shown, folded by their extremes", async () => {
    await record();
    const { m } = await series.read(["m"], range, signal);
    expect(m!.score).toEqual([null, null, 20, 40, null, null]);
    expect(m!.expected!.v!.mean).toEqual([null, null, 5, 5, null, null]);
    expect(m).not.toContainKey("filled");
    const { m: folded } = await series.read(["m"], { from: 36_000, to: 36_120, points: 1 }, signal);
    expect(folded).toMatchObject({ score: [40], expected: { v: { mean: [5], lower: [4], upper: [6] } } });
  });

  test("missing ones are evaluated on demand, without a job; recorded ones stay", async () => {
    await record();
    await train();
    const jobs = async () => JSON.stringify((await world.jobs.list()).entries);
    const before = await jobs();
    const { m } = await series.read(["m"], { ...range, fill: true }, signal);
    // The score of the fake kind is the observed value, its expected value 10.
    expect(m!.score).toEqual([8, 9, 20, 40, 2, 3]);
    expect(m!.expected!.v).toEqual({
      mean: [10, 10, 5, 5, 10, 10],
      lower: [9, 9, 4, 4, 9, 9],
      upper: [11, 11, 6, 6, 11, 11],
    });
    expect(m!.filled).toEqual({ from: range.from, to: range.to });
    expect(await jobs()).toEqual(before);
  });

  test("before the first point of a series nothing is expected; after its last one it is", async () => {
    await train();
    const start = { from: -3 * 60, to: 3 * 60, fill: true };
    const { m } = await series.read(["m"], start, signal);
    expect(m!.expected!.v!.mean).toEqual([null, null, null, 10, 10, 10]);
    expect(m!.expected!.v!.upper).toEqual([null, null, null, 11, 11, 11]);
    world.clock.at = 2 * DAY * M;
    const end = { from: (DAY - 2) * 60, to: (DAY + 2) * 60, fill: true };
    expect((await series.read(["m"], end, signal)).m!.expected!.v!.mean).toEqual([10, 10, 10, 10]);
  });

  test("a repeated look evaluates once", async () => {
    await train();
    let reads = 0;
    const counted = makeSeries((name) => {
      reads++;
      return world.buckets.open(name);
    });
    const look = () => counted.read(["m"], { ...range, fill: true, parts: "score" }, signal);
    expect(await look()).toEqual(await look());
    expect(reads).toBe(1);
    world.clock.advance(120_000);
    await look();
    expect(reads).toBe(2);
  });

  test("the last intervals are left to live detection; untrained and empty ranges have none", async () => {
    const open = { ...range, fill: true, parts: "score" };
    expect((await series.read(["m"], open, signal)).m!.score).toEqual(Array(6).fill(null));
    await train();
    await record();
    world.clock.at = 604 * M;
    const { m } = await series.read(["m"], { ...open, from: 600 * 60 }, signal);
    world.clock.at = DAY * M;
    expect(m!.score).toEqual([20, 40, null, null]);
    const empty = { from: "now-9d", to: "now-8d", fill: true, parts: "score", points: 1 };
    expect((await series.read(["m"], empty, signal)).m!.score).toEqual([null]);
  });

  test("a version is evaluated whatever is recorded, and does not become the active one", async () => {
    await train();
    await train();
    await record();
    const { m } = await series.read(["m"], { ...range, version: "00" }, signal);
    expect(m!.score).toEqual([8, 9, 0, 1, 2, 3]);
    expect(m!.filled).toEqual({ from: range.from, to: range.to });
    const active = (await series.read(["m"], { ...range, fill: true }, signal)).m!;
    expect(active.score).toEqual([8, 9, 20, 40, 2, 3]);
    await expect(series.read(["m"], { ...range, version: "77" }, signal)).rejects.toThrow("77");
    await world.models.create(aModel({ name: "m2" }));
    const both = series.read(["m", "m2"], { ...range, version: "00" }, signal);
    await expect(both).rejects.toThrow("version: is for one");
  });

  test("fill is for one model", async () => {
    await world.models.create(aModel({ name: "m2" }));
    await expect(series.read(["m", "m2"], { ...range, fill: true }, signal)).rejects.toThrow(
      "fill: is for one",
    );
  });
});

describe("a fleet", () => {
  beforeEach(async () => {
    await world.models.create(
      aModel({ name: "fleet", group_by: ["host"], max_threshold: 70, min_threshold: 50 }),
    );
    const bucket = await world.buckets.open("b");
    const points = ["a", "b"].map((host, i) => ({ at: 0, fields: { v: 20 + i }, tags: { host } }));
    await bucket.write!(points, {}, signal);
    const values = new Float32Array([1, 0, 2, 33]);
    const run = { startAt: 0, intervalMs: M, version: "00", features: ["v"], values };
    await write(world.store, (tx) => appendScores(tx, { model: "fleet", series: '["a"]' }, run));
  });
  const read = (params: object, names = ["fleet"]) =>
    series.read(names, { from: 0, to: 60, points: 1, ...params }, signal);

  test("shows the points and scores of one series, or those of all pooled", async () => {
    const { fleet } = await read({ series: "host:a" });
    expect(fleet).toMatchObject({ features: { v: { min: [20], max: [20] } }, score: [33] });
    expect((await read({ series: "host:b" })).fleet).toMatchObject({
      features: { v: { max: [21] } },
      score: [null],
    });
    expect((await read({ pooled: true })).fleet).toMatchObject({
      features: { v: { mean: [13.667] } },
      score: [null],
    });
  });

  test("without a series is refused, also beside other models, unless it is pooled", async () => {
    const message = "series: is required, as in host:...: model fleet has group_by; or pooled=true";
    await expect(read({})).rejects.toThrow(message);
    await expect(read({}, ["m", "fleet"])).rejects.toThrow(message);
    expect((await read({ pooled: true }, ["m", "fleet"])).fleet).toMatchObject({ features: { v: {} } });
    await expect(read({ pooled: true, series: "host:a" })).rejects.toThrow("pooled: must not be given");
  });

  test("evaluates one series alone, of one model", async () => {
    await expect(read({ fill: true, pooled: true })).rejects.toThrow(
      "series: is required, as in host:...: model fleet has group_by",
    );
    await expect(read({ series: "rack:a" })).rejects.toThrow("no tag rack");
    await expect(read({ series: "host:a" }, ["fleet", "m"])).rejects.toThrow("series: is for one model");
    expect(await codeOf(read({ series: "host:a" }, ["m"]))).toBe("not_supported");
    await expect(read({ series: "host:x" })).rejects.toThrow("model fleet has no series host=x");
  });
});
