// Capacity of live models: outlooks are made beside the loop, of models and of series with a limit.
import { beforeEach, expect, test } from "bun:test";
import { HOUR_MS } from "../../../src/core/time/time.ts";
import { listOutlooks } from "../../../src/store/outlooks.ts";
import { type FaultyBucket, MINUTE, NOON, useLiveWorld } from "../world.ts";

const world = useLiveWorld();
const feature = { name: "f", metric: "avg", field: "x" };
/** The fake bucket has values from here on. */
const FROM = NOON - 600 * MINUTE;

beforeEach(() => world.begin());

/** Every minute `perHour` more; 40 at noon, nothing before `FROM`. */
function fill(values: FaultyBucket["values"], perHour: number): void {
  for (let at = FROM - 20_000 * MINUTE; at < NOON + 1000 * MINUTE; at += MINUTE)
    values.set(at, at < FROM ? Number.NaN : 40 + ((at - NOON) / HOUR_MS) * perHour);
}

const list = () => listOutlooks(world.store, { madeAt: 0 }, { from: 0, to: 10 });

test("a model has the date of its limit after an evaluation", async () => {
  fill(world.bucket.values, 4);
  await world.makeModel("m", { features: [{ ...feature, max: 60 }] });
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  const [found] = await list();
  // 20 more are five hours.
  expect(Math.abs(found!.reachedAt - (NOON + 5 * HOUR_MS))).toBeLessThan(0.1 * HOUR_MS);
  expect(found).toMatchObject({ model: "m", series: null, feature: "f", bound: 60, source: "max" });
  expect(found!.perDay).toBeCloseTo(96, 0);
  expect(found!.isPredictable).toBe(true);
});

test("without a limit nothing is read for it", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  const { reads } = world.bucket;
  await world.pass(MINUTE);
  expect(world.bucket.reads - reads).toBe(1);
  expect(await list()).toEqual([]);
});

test("series have their own, and a flat one has none; changed settings are judged at once", async () => {
  await world.makeFleet("fleet", ["a", "b"], { features: [{ ...feature, max: 60 }] });
  fill(world.bucket.hosts.get("a")!, 4);
  fill(world.bucket.hosts.get("b")!, 0);
  await world.start(["fleet"]);
  await world.pass(2 * MINUTE);
  expect((await list()).map(({ series }) => series)).toEqual([{ host: "a" }]);
  await world.patch("fleet", { features: [{ ...feature, max: 50 }] });
  await world.pass(2 * MINUTE);
  expect((await list()).map(({ bound }) => bound)).toEqual([50]);
});

test("a source that cannot be read leaves the last one, and the evaluations of the model go on", async () => {
  fill(world.bucket.values, 4);
  await world.makeModel("m", { features: [{ ...feature, max: 60 }] });
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  world.bucket.behaviour = "refuse";
  await world.pass(7 * HOUR_MS);
  expect(await list()).toHaveLength(1);
  expect(world.errors).toEqual([]);
});

test("a model that still learns has a date, too; of a fleet nothing is known before its series are", async () => {
  fill(world.bucket.values, 4);
  const settings = { detector: "auto", features: [{ ...feature, max: 60 }] } as const;
  await world.makeUntrained("m", { ...settings, features: [...settings.features] });
  await world.makeUntrained("fleet", { ...settings, features: [...settings.features], group_by: ["host"] });
  await world.start(["m", "fleet"]);
  await world.pass(2 * MINUTE);
  expect((await list()).map(({ model }) => model)).toEqual(["m"]);
});
