// Last values of live models as metrics: single models, series of fleets, values that are missing, text that is escaped.
import { beforeEach, expect, test } from "bun:test";
import { ModelMetrics } from "../../../src/resources/live/model-metrics.ts";
import { MINUTE, NOON, useLiveWorld } from "../../live/world.ts";

const world = useLiveWorld();
beforeEach(() => world.begin());

const render = async () => (await new ModelMetrics(world).render()).join("");
/** Samples by name and labels. */
const samples = async () =>
  Object.fromEntries(
    (await render())
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );

test("without a live model there is nothing", async () => {
  await world.makeModel("m");
  expect(await render()).toBe("");
});

test("a live model: score, anomaly, lag, and values by feature", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  world.bucket.values.set(NOON, 95);
  await world.pass(MINUTE);
  const found = await samples();
  expect(found).toEqual({
    'torus_model_score{model="m"}': 95,
    'torus_model_anomaly{model="m"}': 1,
    'torus_model_no_data{model="m"}': 0,
    'torus_model_observed{feature="f",model="m"}': 95,
    'torus_model_expected{feature="f",model="m"}': expect.any(Number),
    'torus_model_lag_seconds{model="m"}': expect.any(Number),
  });
});

test("points that stop are no data, of a model and of a series; an anomaly in progress goes on", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  world.bucket.values.set(NOON, 95);
  for (let at = NOON + MINUTE; at < NOON + 20 * MINUTE; at += MINUTE) world.bucket.values.set(at, Number.NaN);
  await world.pass(15 * MINUTE);
  const found = await samples();
  expect(found['torus_model_no_data{model="m"}']).toBe(1);
  expect(found['torus_model_anomaly{model="m"}']).toBe(1);
});

test("a node shows the models that it owns", async () => {
  for (const name of ["m", "n"]) await world.makeModel(name);
  await world.start(["m", "n"]);
  await world.pass(MINUTE);
  const ownership = { owns: (name: string) => name === "n", shards: [], leads: false };
  const text = (await new ModelMetrics({ ...world, ownership }).render()).join("");
  expect(text).toContain('model="n"');
  expect(text).not.toContain('model="m"');
});

test("of a fleet each series has its tags as labels; one without a score has no values", async () => {
  await world.makeFleet("m", ["a"]);
  world.addHost("c");
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  const found = await samples();
  expect(found['torus_model_score{host="a",model="m"}']).toBe(10);
  expect(found['torus_model_observed{feature="f",host="a",model="m"}']).toBe(10);
  expect(found['torus_model_anomaly{host="c",model="m"}']).toBe(0);
  expect(Object.keys(found).filter((name) => name.includes('host="c"'))).toEqual([
    'torus_model_anomaly{host="c",model="m"}',
    'torus_model_no_data{host="c",model="m"}',
    'torus_model_lag_seconds{host="c",model="m"}',
  ]);
});

test("each metric has its help and type once, before its samples", async () => {
  await world.makeFleet("m", ["a", "b"]);
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  const lines = (await render()).trimEnd().split("\n");
  const names = lines.filter((line) => line.startsWith("# TYPE")).map((line) => line.split(" ")[2]!);
  expect(new Set(names).size).toBe(names.length);
  const groups = lines
    .filter((line) => !line.startsWith("# HELP"))
    .map((line) => line.replace("# TYPE ", "").split(/[{ ]/)[0]!);
  expect(groups.filter((name, i) => name !== groups[i - 1])).toEqual(names);
});

test("values of labels are escaped", async () => {
  const host = 'a "b"\\\nc';
  await world.makeFleet("m", [host]);
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  expect(await render()).toContain(String.raw`torus_model_score{host="a \"b\"\\\nc",model="m"} 10`);
});
