// Failing data sources: one event per bucket and receiver, over restarts; none for what concerns one model.
import { beforeEach, describe, expect, test } from "bun:test";
import type { HookOptions } from "../../src/core/anomaly/hook-options.ts";
import { listAllDeliveries } from "../../src/store/anomalies/deliveries.ts";
import { listFailedSources } from "../../src/store/anomalies/failed-sources.ts";
import { putHook } from "../../src/store/hooks.ts";
import { MINUTE, NOON, useLiveWorld } from "./world.ts";

const world = useLiveWorld();
beforeEach(async () => {
  await world.begin();
  for (const name of ["m", "n"]) await world.makeModel(name);
});

const attach = (model: string, name: string, url: string, options: HookOptions = { events: ["source"] }) =>
  putHook(
    world.store,
    { model, name },
    { at: 0, change: () => ({ kind: "webhook", receiver: url, config: { url }, options }) },
  );
const deliveries = async () => {
  const rows = await listAllDeliveries(world.store, {}, { from: 0, to: 100 });
  return rows.map(({ model, hook, event }) => `${event.kind} ${model}/${hook}`).sort();
};
const kinds = () => world.events.map(({ kind }) => kind);

test("a source is down after five minutes without a read that works, and up with the first that does", async () => {
  await world.start(["m", "n"]);
  await world.pass(2 * MINUTE);
  world.bucket.behaviour = "refuse";
  await world.pass(4 * MINUTE);
  expect(kinds()).toEqual([]);
  await world.pass(4 * MINUTE);
  expect(kinds()).toEqual(["source_down"]);
  expect(world.events[0]).toMatchObject({
    model: "m",
    severity: "critical",
    source: { bucket: "b", code: "bucket_unavailable", reason: "connection refused" },
  });
  world.bucket.behaviour = "well";
  await world.pass(2 * MINUTE);
  expect(kinds()).toEqual(["source_down", "source_up"]);
  expect(world.events[1]!.startedAt).toBe(world.events[0]!.startedAt);
  expect(world.events[0]!.startedAt - NOON).toBeGreaterThan(2 * MINUTE);
});

test("what is down shows the error of the last read", async () => {
  await world.start(["m"]);
  world.bucket.behaviour = "refuse";
  await world.pass(10 * MINUTE);
  world.bucket.behaviour = "error";
  await world.pass(10 * MINUTE);
  const [source, ...more] = await listFailedSources(world.store);
  expect(more).toEqual([]);
  expect(source).toMatchObject({ code: "bucket_rejected", reason: "answered 500" });
  expect(kinds()).toEqual(["source_down"]);
  world.bucket.behaviour = "well";
  await world.pass(10 * MINUTE);
  expect(await listFailedSources(world.store)).toEqual([]);
  expect(kinds()).toEqual(["source_down", "source_up"]);
});

test("a blip is none", async () => {
  await world.start(["m"]);
  world.bucket.behaviour = "refuse";
  await world.pass(4 * MINUTE);
  world.bucket.behaviour = "well";
  await world.pass(2 * MINUTE);
  world.bucket.behaviour = "refuse";
  await world.pass(4 * MINUTE);
  expect(kinds()).toEqual([]);
});

test("hooks of models with the same settings get it once; others do not get it at all", async () => {
  await attach("m", "ops", "http://ops");
  await attach("n", "ops", "http://ops");
  await attach("n", "dev", "http://dev");
  await attach("n", "anomalies", "http://anomalies", {});
  await world.start(["m", "n"]);
  world.bucket.behaviour = "refuse";
  await world.pass(10 * MINUTE);
  const down = ["source_down m/ops", "source_down m/recorder", "source_down n/dev"];
  expect(await deliveries()).toEqual(down);
  world.bucket.behaviour = "well";
  await world.pass(2 * MINUTE);
  const up = ["source_up m/ops", "source_up m/recorder", "source_up n/dev"];
  expect(await deliveries()).toEqual([...down, ...up]);
});

test("a restart goes on from what was announced", async () => {
  await world.start(["m"]);
  world.bucket.behaviour = "refuse";
  await world.pass(10 * MINUTE);
  await world.restart();
  await world.pass(10 * MINUTE);
  expect(kinds()).toEqual(["source_down"]);
  world.bucket.behaviour = "well";
  await world.pass(2 * MINUTE);
  expect(kinds()).toEqual(["source_down", "source_up"]);
});

test("it ends, with the reason, where no live model reads the bucket any more", async () => {
  await world.start(["m"]);
  world.bucket.behaviour = "refuse";
  await world.pass(10 * MINUTE);
  await world.stop(["m"]);
  await world.pass(MINUTE);
  expect(world.events.at(-1)).toMatchObject({
    kind: "source_up",
    closedBy: "no live model reads it any more",
  });
});

describe("what says nothing about the source", () => {
  test("a bug of this server", async () => {
    await world.start(["m"]);
    world.bucket.behaviour = "bug";
    await world.pass(10 * MINUTE);
    expect(kinds()).toEqual([]);
  });

  test("a model that fails while another reads well", async () => {
    const { makeModel } = world;
    await makeModel("odd", { features: [{ name: "f", metric: "avg", field: "x", bucket: "gone" }] });
    await world.start(["m", "odd"]);
    await world.pass(10 * MINUTE);
    expect(kinds()).toEqual([]);
  });
});
