// Versions without a network: the companions score, forecast and export as far as they can.
import { expect, test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { pointsForNetwork } from "../../../src/models/donut/absent-network.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { networksOf } from "../../../src/models/donut/parameters.ts";
import type { Context } from "../../../src/models/kind.ts";
import { createRandom } from "../../../wasm/random.ts";
import { aModel } from "../../support/builders.ts";

const MINUTE = 60_000;
const donut = createDonut({ steps: 10 });
const settings = aModel({ detector: "auto" });

/** Kinds of the tasks that reached a worker. */
function makeContext(): Context & { readonly tasks: string[] } {
  const tasks: string[] = [];
  const run = ({ kind }: { kind: string }) => {
    tasks.push(kind);
    return Promise.reject(new TorusError("worker_crashed", "no worker in this test"));
  };
  const { signal } = new AbortController();
  return { tasks, compute: { trainingLanes: 1, run: run as never }, signal, onProgress: () => {} };
}

function makeGrid(length: number, change: (i: number) => number = () => 0): Grid {
  const random = createRandom(3);
  const valueAt = (_: unknown, i: number) => 10 + Math.sin(i / 9) + 0.1 * random.normal() + change(i);
  const v = Float64Array.from({ length }, valueAt);
  return { startAt: 0, intervalMs: MINUTE, length, columns: { v } };
}

const trainOn = (points: number, own: Partial<ModelSettings> = {}, context = makeContext()) =>
  donut.train({ settings: { ...settings, ...own }, grid: makeGrid(points), overrides: {} }, context);

test("a range too short for the network trains the companions alone, without a worker", async () => {
  const context = makeContext();
  const version = await trainOn(100, {}, context);
  expect(context.tasks).toEqual([]);
  expect(version.weights.length).toBe(0);
  expect(version.summary.detectors).toBe(
    "linear 0.22, seasonal 0.22, neighbours3 0.22, neighbours10 0.22, jump 0.11",
  );
  expect(version.summary).not.toHaveProperty("loss");
  expect(networksOf(version)[0]!.ensemble!.detectors.network).toBeUndefined();
});

test.each([
  [{}, 480],
  [{ span: 20 }, 80],
  [{ max_span: 24 }, 96],
])("with %o the network is trained from %i points on", async (own, needed) => {
  const { span, max_span: maxSpan } = own as { span?: number; max_span?: number };
  expect(pointsForNetwork({ span, maxSpan })).toBe(needed);
  expect((await trainOn(needed - 1, own)).weights.length).toBe(0);
  const context = makeContext();
  await expect(trainOn(needed, own, context)).rejects.toThrow("no worker");
  expect(context.tasks[0]).toBe("train");
});

test("only `auto` trains without a network", async () => {
  const context = makeContext();
  await expect(trainOn(100, { detector: "ensemble" }, context)).rejects.toThrow("no worker");
});

test("below thirty points nothing is trained", async () => {
  const error = (await trainOn(29).catch((thrown) => thrown)) as TorusError;
  expect(error.code).toBe("too_little_data");
  expect(error.message).toContain("needs 30 points to start, found 29");
  await expect(trainOn(30)).resolves.toBeDefined();
});

test.each([
  "auto",
  "ensemble",
  "vae",
] as const)("a spike is scored by the companions, with detector %s", async (detector) => {
  const version = await trainOn(200);
  const grid = makeGrid(300, (i) => (i === 280 ? 5 : 0));
  const input = { settings: { ...settings, detector }, grid };
  const { scores, predicted } = await donut.evaluate(version, input, makeContext());
  const at = (i: number) => scores[i - donut.historyOf(version)]!.score!;
  expect(at(280)).toBeGreaterThan(60);
  expect(at(270)).toBeLessThan(50);
  expect(predicted.v!.every(Number.isFinite)).toBe(true);
});

test("looking back, the companions see what follows; the scores of live detection stay beside", async () => {
  const version = await trainOn(100);
  const input = { settings, grid: makeGrid(150) };
  const live = await donut.evaluate(version, input, makeContext());
  const batch = await donut.evaluate(version, { ...input, batch: true }, makeContext());
  expect(batch.scores.every(({ score }) => Number.isFinite(score))).toBe(true);
  expect(batch.scores.map(({ causalScore }) => causalScore)).toEqual(live.scores.map(({ score }) => score));
  expect(batch.scores.map(({ score }) => score)).not.toEqual(live.scores.map(({ score }) => score));
});

test("a forecast has finite values", async () => {
  const version = await trainOn(100);
  const input = { settings, history: makeGrid(100), horizon: 30, level: 0.68, levels: [] };
  const { predicted, lower, upper } = await donut.forecast(version, input, makeContext());
  for (const columns of [predicted, lower, upper]) expect(columns.v!.every(Number.isFinite)).toBe(true);
});

test("there is no network to export, and the refusal names the way out", async () => {
  const version = await trainOn(100);
  const input = { settings, feature: "v", producerVersion: "1", properties: {} };
  expect(() => donut.exportNetwork(version, input)).toThrow("train the model on a longer range");
});

test("such a version can be imported", async () => {
  const version = { settings, ...(await trainOn(100)) };
  donut.checkVersion(version);
  await donut.tryVersion(version, makeContext());
});

test("a training that continues from it searches anew", async () => {
  const from = await trainOn(100);
  const context = makeContext();
  const input = { settings, grid: makeGrid(500), overrides: { from, maxEvals: 1 } };
  await expect(donut.train(input, context)).rejects.toThrow("no worker");
  expect(context.tasks).toEqual(["train"]);
});
