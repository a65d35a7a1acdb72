// Folded series: what the model reads, without a job, bounded, aborted with the request.
import { beforeEach, expect, test } from "bun:test";
import { Series } from "../../src/resources/series.ts";
import { codeOf } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";
import { limits, useWorld } from "./world.ts";

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
  return new Series({ store, clock, limits: { ...limits, valuesPerRead: 5000 }, openBucket });
}

test("a day in twelve cells, with a spike of one minute", async () => {
  const { m } = await series.read(["m"], { from: 0, points: 12 }, signal);
  expect(m).toMatchObject({ from: 0, step: 7200, bucket_interval: 60, cells: 12, episodes: [] });
  const { min, mean, max } = m!.features!.v!;
  expect(min).toEqual(new Array(12).fill(0));
  expect(max).toEqual([9, 9, 9, 9, 9, 999, 9, 9, 9, 9, 9, 9]);
  expect(mean[0]).toBe(4.5);
  expect(m!.thresholds.max).toBeGreaterThan(m!.thresholds.min);
  expect(await world.jobs.list()).toEqual([]);
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
  [{ from: 0, points: 2001 }, "points: must"],
  [{ from: 0, parts: "observed;scores" }, "parts: must be some of observed;episodes"],
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
