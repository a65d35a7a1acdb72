// Benchmark: milliseconds per training step, beside the matrix rate this machine reaches in the same run.
import { parameterCount } from "../../wasm/donut/layout.ts";
import { buildTrainingModel } from "../../wasm/donut/training.ts";
import { buildModel } from "../../wasm/onnx/emit.ts";
import { Graph } from "../../wasm/onnx/graph.ts";
import { gemm } from "../../wasm/onnx/ops.ts";
import { type Feed, Session } from "../../wasm/ort.ts";
import { createRandom, normals } from "../../wasm/random.ts";

const STEPS = 50;
const ROUNDS = 30;
const WARM_UP = 6;

/** (H, W, B) and the best medians of ms per step published for them, on a machine whose Gemm ran at 25 GF/s. */
const shapes = [
  { hidden: 100, window: 120, batch: 256, published: 4.48 },
  { hidden: 100, window: 120, batch: 64, published: 1.25 },
  { hidden: 100, window: 24, batch: 64, published: 0.67 },
];
const PUBLISHED_GFLOPS = 25;

type Run = () => Promise<unknown>;

async function prepareTraining({ hidden, window, batch }: (typeof shapes)[number]): Promise<Run> {
  const shape = { hidden, window, latent: 5 };
  const session = await Session.create(buildTrainingModel(shape, { batch, clipNorm: 10, l2: 1e-3 }));
  const n = parameterCount(shape);
  const random = createRandom(1);
  const cube = (width: number): Feed => ({
    data: normals(STEPS * batch * width, random),
    dims: [STEPS, batch, width],
  });
  const feeds: Record<string, Feed> = {
    params: { data: normals(n, random).map((value) => value * 0.1), dims: [n] },
    momentum: { data: new Float32Array(n), dims: [n] },
    variance: { data: new Float32Array(n), dims: [n] },
    x: cube(window),
    mask: { data: new Float32Array(STEPS * batch * window).fill(1), dims: [STEPS, batch, window] },
    noise: cube(shape.latent),
    rate: { data: new Float32Array(STEPS).fill(1e-4), dims: [STEPS] },
    epsilon: { data: new Float32Array(STEPS).fill(1e-6), dims: [STEPS] },
    steps: STEPS,
  };
  return async () => {
    const out = await session.run(feeds);
    for (const name of ["params", "momentum", "variance"])
      feeds[name] = { data: out[`${name}_out`]!, dims: [n] };
  };
}

const GEMM = [256, 120, 100] as const;
const GEMM_REPEATS = 400;

async function prepareGemm(): Promise<Run> {
  const [m, k, n] = GEMM;
  const graph = new Graph();
  const [a, b] = [graph.input("a", [m, k]), graph.input("b", [k, n])];
  const trips = graph.constant([GEMM_REPEATS], [], "int64");
  const [c] = graph.loop(trips, [graph.input("c", [m, n])], (_, [carried]) => [
    gemm(a, b, { bias: carried! }),
  ]);
  const session = await Session.create(buildModel({ out: c! }));
  const matrix = (rows: number, columns: number): Feed => ({
    data: new Float32Array(rows * columns).fill(0.01),
    dims: [rows, columns],
  });
  const feeds = { a: matrix(m, k), b: matrix(k, n), c: matrix(m, n) };
  return () => session.run(feeds);
}

/** Rounds interleaved, so that a slow moment of the machine hits all alike. @returns ms per round, ascending */
async function measure(runs: readonly Run[]): Promise<readonly number[][]> {
  for (let i = 0; i < WARM_UP; i++) for (const run of runs) await run();
  const times: number[][] = runs.map(() => []);
  for (let i = 0; i < ROUNDS; i++) {
    for (const [at, run] of runs.entries()) {
      const startedAt = performance.now();
      await run();
      times[at]!.push(performance.now() - startedAt);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b));
}

const median = (list: readonly number[]) => list[Math.floor(list.length / 2)]!;

const [gemmTimes, ...trainTimes] = await measure([
  await prepareGemm(),
  ...(await Promise.all(shapes.map(prepareTraining))),
]);
const [m, k, n] = GEMM;
const gflops = (2 * m * k * n * GEMM_REPEATS) / median(gemmTimes!) / 1e6;
console.log(`Gemm ${m}x${k}x${n}: ${gflops.toFixed(1)} GFLOP/s (median)`);
const rows = shapes.map(({ hidden, window, batch, published }, i) => {
  const ms = median(trainTimes[i]!) / STEPS;
  return {
    "H,W,B": `${hidden},${window},${batch}`,
    "ms/step median": ms.toFixed(3),
    "ms/step min": (trainTimes[i]![0]! / STEPS).toFixed(3),
    "published best": published,
    "at the published Gemm rate": ((ms * gflops) / PUBLISHED_GFLOPS).toFixed(3),
  };
});
console.table(rows);
