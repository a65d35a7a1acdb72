// Priority of live windows over long evaluations, with the real worker; fair shares among clients.
import { afterEach, expect, test } from "bun:test";
import type { Grid } from "../../../src/core/series/grid.ts";
import { onLane, Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import type { Compute } from "../../../src/models/kind.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { makeVersion, shape } from "../../support/trained-donut.ts";

const SLICE = 400;
const SLICES = 8;
const donut = createDonut();
const model = makeVersion(["load"]);
const { settings } = model;
let spawned = 0;
const spawn = () => {
  spawned++;
  return spawnWorker();
};
let pool: Pool;
const open = () => {
  spawned = 0;
  pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn, onCrash: () => {} });
};
afterEach(() => pool.stop());

function gridOf(points: number): Grid {
  const load = Float64Array.from({ length: shape.window - 1 + points }, (_, i) => 10 + Math.sin(i) / 3);
  return { startAt: 0, intervalMs: 60_000, length: load.length, columns: { load } };
}

/** Evaluates through `compute`, and calls back after each slice. */
function evaluate(points: number, compute: Compute, signal: AbortSignal, onSlice = () => {}) {
  const run: Compute["run"] = async (task, options) => {
    const result = await compute.run(task, options);
    onSlice();
    return result;
  };
  const context = { compute: { run, trainingLanes: 1 }, signal, onProgress: () => {} };
  return donut.evaluate(model, { settings, grid: gridOf(points), level: 0.68 }, context);
}

test("a live window is answered while a long evaluation has most of its slices before it", async () => {
  open();
  const { signal } = new AbortController();
  let slices = 0;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const long = evaluate(SLICES * SLICE, pool, signal, () => {
    slices++;
    begin();
  });
  const others = [evaluate(SLICES * SLICE, pool, signal)];
  await begun;
  for (let i = 0; i < 2; i++) {
    const before = slices;
    const { scores } = await evaluate(1, onLane(pool, "live"), signal);
    expect(scores).toHaveLength(1);
    // Behind the one slice that runs, at most.
    expect(slices - before).toBeLessThanOrEqual(1);
  }
  expect(slices).toBeLessThan(SLICES);
  expect((await long).scores).toHaveLength(SLICES * SLICE);
  await Promise.all(others);
  expect(spawned).toBe(1);
}, 180_000);

test("evaluations of several clients take turns: none waits until another has ended", async () => {
  open();
  const { signal } = new AbortController();
  const order: number[] = [];
  await Promise.all([0, 1].map((client) => evaluate(5 * SLICE, pool, signal, () => order.push(client))));
  const firstHalf = order.slice(0, 4);
  expect(firstHalf.filter((client) => client === 0).length).toBeGreaterThanOrEqual(1);
  expect(firstHalf.filter((client) => client === 1).length).toBeGreaterThanOrEqual(1);
}, 180_000);

test("a long evaluation that is canceled leaves the worker within a slice", async () => {
  open();
  const controller = new AbortController();
  let slices = 0;
  const long = evaluate(SLICES * SLICE, pool, controller.signal, () => {
    if (++slices === 2) controller.abort();
  });
  await expect(long).rejects.toMatchObject({ code: "canceled" });
  expect(slices).toBe(2);
  const { scores } = await evaluate(1, pool, new AbortController().signal);
  expect(scores).toHaveLength(1);
  expect(spawned).toBe(1);
}, 180_000);
