// Benchmark: duration of a training step, and its share of the machine's matrix rate.
import { layoutOf, parameterCount } from "../../wasm/donut/layout.ts";
import { buildTrainingModel } from "../../wasm/donut/training-graph.ts";
import { type Feed, Session } from "../../wasm/ort.ts";
import type { DonutShape } from "../../wasm/protocol.ts";
import { createRandom, normals } from "../../wasm/random.ts";
import { gflopsOf, prepareGemm } from "./gemm.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { timeTogether } from "./time.ts";

const STEPS = 50;
const ROUNDS = { warmUp: 8, rounds: 40 };

/** (H, W, B) and the ms per step to reach on a machine whose matrix rate is GOAL_GFLOPS. */
const shapes = [
  { hidden: 100, window: 120, batch: 256, goal: 4.5 },
  { hidden: 100, window: 120, batch: 64, goal: 1.25 },
  { hidden: 100, window: 24, batch: 64, goal: 0.67 },
];
const GOAL_GFLOPS = 25;

async function prepareTraining({
  hidden,
  window,
  batch,
}: (typeof shapes)[number]): Promise<() => Promise<unknown>> {
  const shape = { hidden, window, latent: 5 };
  const session = await Session.create(buildTrainingModel(shape, { batch, clipNorm: 10, l2: 1e-3 }));
  const n = parameterCount(shape);
  const random = createRandom(1);
  const cube = (...dims: [number, number]): Feed => ({
    data: normals(STEPS * dims[0] * dims[1], random),
    dims: [STEPS, ...dims],
  });
  const feeds: Record<string, Feed> = {
    params: { data: normals(n, random).map((value) => value * 0.1), dims: [1, n] },
    momentum: { data: new Float32Array(n), dims: [1, n] },
    variance: { data: new Float32Array(n), dims: [1, n] },
    x: cube(batch, window),
    mask: { data: new Float32Array(STEPS * batch * window).fill(1), dims: [STEPS, batch, window] },
    noise: cube(shape.latent, batch),
    rate: { data: new Float32Array(STEPS).fill(1e-4), dims: [STEPS] },
    epsilon: { data: new Float32Array(STEPS).fill(1e-6), dims: [STEPS] },
    steps: STEPS,
  };
  return async () => {
    const out = await session.run(feeds);
    for (const name of ["params", "momentum", "variance"])
      feeds[name] = { data: out[`${name}_out`]!, dims: [1, n] };
  };
}

/** Operations of the products of one step: forward, and twice that backward, but for the gradient of the input. */
function flopsOf(shape: DonutShape, batch: number): number {
  const products = layoutOf(shape).filter(({ name }) => name.endsWith("kernel"));
  const all = products.reduce((sum, { size }) => sum + 3 * size, 0) - products[0]!.size;
  return 2 * batch * all;
}

export const steps: Part = {
  name: "steps",
  title: "Training step, all of the paper's parts on (CPU time of the thread, median of rounds)",
  run: async () => {
    const works = [await prepareGemm(), ...(await Promise.all(shapes.map(prepareTraining)))];
    const [gemm, ...timings] = await timeTogether(works, ROUNDS);
    const gflops = gflopsOf(gemm!.cpuMs);
    return shapes.map((shape, i): Row => {
      const { cpuMs, leastCpuMs, wallMs } = timings[i]!;
      const perStep = cpuMs / STEPS;
      const reached = flopsOf({ ...shape, latent: 5 }, shape.batch) / perStep / 1e6;
      return {
        "H,W,B": `${shape.hidden},${shape.window},${shape.batch}`,
        "CPU ms/step": perStep,
        least: leastCpuMs / STEPS,
        "wall ms/step": wallMs / STEPS,
        goal: shape.goal,
        [`at ${GOAL_GFLOPS} GF/s`]: (perStep * gflops) / GOAL_GFLOPS,
        "Gemm GF/s": gflops,
        "share of it": reached / gflops,
      };
    });
  },
};

if (import.meta.main) await runAlone(steps);
