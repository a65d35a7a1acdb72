// Stored settings: parsed once per row, and anew after every change of the model.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { storedSettings } from "../../src/live/stored-settings.ts";
import { loadModel, patchModels } from "../../src/store/models.ts";
import { restoreVersion } from "../../src/store/versions.ts";
import { aModel } from "../support/builders.ts";
import { makeLiveWorld } from "./world.ts";

let world: ReturnType<typeof makeLiveWorld>;
beforeEach(async () => {
  world = makeLiveWorld();
  await world.makeModel("m");
});
afterEach(() => world.close());

const load = async () => storedSettings(await loadModel(world.store, "m"));

test("parsed once, and anew after a change of settings, a training, a restore", async () => {
  const first = await load();
  expect(await load()).toBe(first);
  await patchModels(world.store, ["m"], {
    at: 1,
    change: (old) => ({ ...old, interval: "2m", offset: "30s", max_threshold: 80 }),
  });
  const patched = await load();
  expect(patched).toMatchObject({ offsetMs: 30_000, schedule: { intervalMs: 120_000 }, rules: { max: 80 } });
  await patchModels(world.store, ["m"], { at: 1, change: (old) => ({ ...old, bucket_interval: "7m" }) });
  expect((await load()).intervalMs).toBe(first.intervalMs);
  await world.train("m", (await loadModel(world.store, "m")).settings);
  expect((await load()).intervalMs).toBe(420_000);
  await restoreVersion(world.store, { model: "m", version: "00" }, 1);
  expect((await load()).intervalMs).toBe(first.intervalMs);
});

test("the current settings count where there is no version, an interval that is not resolved as a minute", () => {
  const settings = aModel({ offset: "auto" });
  expect(storedSettings({ settings, version: null })).toMatchObject({
    settings,
    intervalMs: 60_000,
    offsetMs: undefined,
    buckets: ["b"],
  });
  const auto = aModel({ bucket_interval: "auto" });
  expect(storedSettings({ settings: auto, version: null })).toMatchObject({
    intervalMs: 60_000,
    schedule: { intervalMs: 60_000 },
  });
});

test.each([
  ["fleet", 88.4],
  ["series", 66.7],
] as const)("expected_false_alarms_per %s: max %p with 20 series", (per, max) => {
  const settings = aModel({ group_by: ["host"], bucket_interval: "1m", expected_false_alarms_per: per });
  const version = { name: "00", createdAt: 0, fromAt: 0, toAt: 1, summary: { series_fitted: 20 }, settings };
  expect(storedSettings({ settings, version }).rules.max).toBe(max);
});

test("features have the unit in force: their own at once, else that of the version, else that of the name", () => {
  const settings = aModel({
    features: [
      { name: "a", metric: "rate", field: "value" },
      { name: "b", metric: "avg", field: "used_percent" },
      { name: "c", metric: "avg", field: "value", unit: "ms" },
    ],
  });
  const summary = { source_units: { a: "B", b: 7, c: "s" } };
  const version = { name: "00", createdAt: 0, fromAt: 0, toAt: 1, summary, settings };
  const unitsOf = (row: Parameters<typeof storedSettings>[0]) =>
    storedSettings(row).settings.features.map(({ unit }) => unit);
  expect(unitsOf({ settings, version })).toEqual(["B/s", "%", "ms"]);
  expect(unitsOf({ settings, version: null })).toEqual([undefined, "%", "ms"]);
  const [first, ...others] = settings.features;
  const own = { ...settings, features: [{ ...first!, unit: "MB/s" }, ...others] };
  expect(unitsOf({ settings: own, version })).toEqual(["MB/s", "%", "ms"]);
});
