// Hyper-parameter search: shapes tried, survivors, progress; over a fake compute with formula losses.
import { expect, test } from "bun:test";
import type { JobProgress } from "../../../src/core/job.ts";
import { donutDefaults, trainOptions } from "../../../src/models/donut/options.ts";
import { chooseWindow, proposeShapes, search } from "../../../src/models/donut/search.ts";
import type { Compute } from "../../../src/models/kind.ts";
import type { TrainResult, TrainTask } from "../../../wasm/protocol.ts";

test.each([
  ["a fixed span", { span: 20 }, 10_000, 20, 20],
  ["long history", {}, 10_000, 120, 8],
  ["short history", {}, 100, 24, 8],
  ["hardly any history", {}, 10, 8, 8],
  ["bounds", { minSpan: 20, maxSpan: 60 }, 10_000, 48, 24],
  ["bounds between two candidates", { minSpan: 30, maxSpan: 40 }, 10_000, 40, 40],
])("the window with %s", (_, rules, points, window, shortest) => {
  expect(chooseWindow(rules, points)).toEqual({ window, shortest });
});

const draws = (values: number[]) => () => values.shift() ?? 0.5;

test("the first shape is the default, the others differ from it and from one another", () => {
  const shapes = proposeShapes(120, 10, Math.random);
  expect(shapes[0]).toEqual({ window: 120, hidden: 64, latent: 8 });
  expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(10);
  expect(shapes.every(({ window }) => window === 120)).toBe(true);
});

test("more trials than shapes are not tried twice", () => {
  expect(proposeShapes(8, 1000, draws([]))).toHaveLength(25);
});

/** Loss falls with steps towards what the shape is worth: wide is good. */
function fakeCompute(log: TrainTask[]): Compute {
  const run = async (task: TrainTask): Promise<TrainResult> => {
    log.push(task);
    const params = new Float32Array([task.shape.hidden]);
    const loss = 1 / task.options.maxSteps - task.shape.hidden / 1000;
    const last = { params, momentum: params, variance: params, step: task.options.maxSteps };
    return { best: params, loss, last, curve: [[task.options.maxSteps, loss]], converged: false };
  };
  return { run: run as unknown as Compute["run"], trainingLanes: 2 };
}

const series = { values: new Float32Array(100), observed: new Uint8Array(100).fill(1) };

async function searchFor(trials: number, maxSteps = 800) {
  const log: TrainTask[] = [];
  const progress: JobProgress[] = [];
  const shapes = proposeShapes(8, trials, draws([]));
  const options = { ...trainOptions(donutDefaults, 1000), maxSteps };
  const context = {
    compute: fakeCompute(log),
    signal: new AbortController().signal,
    onProgress: (p: JobProgress) => progress.push(p),
  };
  const found = await search({ series, validationFrom: 70, shapes, options, seed: 1 }, context);
  return { log, progress, found, shapes };
}

test("weak trials stop early, the best runs to the end from where it was", async () => {
  const { log, found, shapes } = await searchFor(8);
  const runs = [50, 200, 800].map(
    (maxSteps) => log.filter((task) => task.options.maxSteps === maxSteps).length,
  );
  expect(runs).toEqual([8, 3, 1]);
  expect(log.at(-1)!.resume?.step).toBe(200);
  expect(found.shape.hidden).toBe(Math.max(...shapes.map((shape) => shape.hidden)));
});

test("a single trial runs all its steps at once", async () => {
  const { log } = await searchFor(1);
  expect(log.map((task) => task.options.maxSteps)).toEqual([800]);
});

test.each([1, 2, 3])("of %p steps in all, no run resumes at its end", async (maxSteps) => {
  const { log } = await searchFor(10, maxSteps);
  const idle = log.filter(({ resume, options }) => resume && resume.step >= options.maxSteps);
  expect(idle).toEqual([]);
});

test("progress counts decided trials and never goes back", async () => {
  const { progress } = await searchFor(10);
  const evals = progress.map((p) => p.eval!);
  expect(evals).toEqual([...evals].sort((a, b) => a - b));
  expect(progress.at(-1)).toMatchObject({ eval: 10, max_evals: 10, fraction: 1 });
  const fractions = progress.map((p) => p.fraction!);
  expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
});

test("every trial has a seed of its own", async () => {
  const { log } = await searchFor(4);
  expect(new Set(log.slice(0, 4).map((task) => task.seed)).size).toBe(4);
});
