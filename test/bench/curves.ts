// Benchmark: validation loss by training step, for several learning rates.
import { donutDefaults, trainOptions } from "../../src/models/donut/options.ts";
import { train } from "../../wasm/donut/train.ts";
import type { Series, TrainOptions, TrainResult } from "../../wasm/protocol.ts";
import { SessionCache } from "../../wasm/sessions.ts";
import { readTaxi, WEEK } from "../demo/taxi.ts";
import { type Part, type Row, runAlone } from "./part.ts";

const SHAPE = { window: 120, hidden: 96, latent: 5 };
const SEEDS = [1, 2, 3];
const STEPS = 4000;
const LOOK = 250;
const TRAINING_WEEKS = 16;
const VALIDATION_WEEKS = 6;
const control = { isCanceled: () => false, report: () => {} };

const asItIs: TrainOptions = {
  ...trainOptions(donutDefaults, 0),
  validateEvery: LOOK,
  // To the end, also where a training would have given up.
  patience: STEPS,
};

/** Each ends with its schedule: a cosine that has come down goes no further. */
const schedules: Readonly<Record<string, TrainOptions>> = {
  "as it is": asItIs,
  "cosine of 1000": { ...asItIs, maxSteps: 1000, scheduleSteps: 1000 },
  "cosine of 4000": { ...asItIs, maxSteps: STEPS, scheduleSteps: STEPS },
  "half the rate": { ...asItIs, learningRate: asItIs.learningRate / 2 },
  "twice the rate": { ...asItIs, learningRate: asItIs.learningRate * 2 },
  "no warm-up": { ...asItIs, warmUpSteps: 1 },
  // A cosine so long that it stays where it began.
  "constant 0.001": { ...asItIs, learningRate: 1e-3, maxSteps: STEPS, scheduleSteps: 1000 * STEPS },
};

/** Taxi trips of 22 weeks, standardised. */
async function readSeries(): Promise<Series> {
  const { values } = await readTaxi();
  const kept = values.slice(0, (TRAINING_WEEKS + VALIDATION_WEEKS) * WEEK);
  const mean = kept.reduce((total, value) => total + value, 0) / kept.length;
  const deviation = Math.sqrt(kept.reduce((total, value) => total + (value - mean) ** 2, 0) / kept.length);
  return {
    values: Float32Array.from(kept, (value) => (value - mean) / deviation),
    observed: new Uint8Array(kept.length).fill(1),
  };
}

export const curves: Part = {
  name: "curves",
  title: `Validation loss (nats per point, mean of ${SEEDS.length} seeds) against steps, taxi trips, W=120, H=96, batches of 64`,
  run: async () => {
    const sessions = new SessionCache();
    const series = await readSeries();
    const byName = new Map<string, TrainResult[]>();
    for (const [name, options] of Object.entries(schedules)) {
      const results: TrainResult[] = [];
      const task = { kind: "train", shape: SHAPE, series, validationFrom: TRAINING_WEEKS * WEEK } as const;
      for (const seed of SEEDS) results.push(await train({ ...task, seed, options }, sessions, control));
      byName.set(name, results);
    }
    await sessions.release();
    const looks = Array.from({ length: STEPS / LOOK }, (_, i) => (i + 1) * LOOK);
    return looks.map((step): Row => {
      const cells = [...byName].map(([name, results]) => [name, lossAt(results, step)] as const);
      return { step, ...Object.fromEntries(cells.filter(([, loss]) => loss !== undefined)) };
    });
  },
};

/** The mean over the seeds; undefined where the schedule has ended. */
function lossAt(results: readonly TrainResult[], step: number): number | undefined {
  const losses = results.map(({ curve }) => curve.find(([at]) => at === step)?.[1]);
  if (losses.some((loss) => loss === undefined)) return undefined;
  return losses.reduce<number>((total, loss) => total + loss! / losses.length, 0);
}

if (import.meta.main) await runAlone(curves);
