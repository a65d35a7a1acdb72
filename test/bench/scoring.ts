// Benchmark: cost of a scored window, in large runs and alone, in the thread and through a worker.
import { Pool, spawnWorker } from "../../src/jobs/workers/pool.ts";
import { medianOf } from "../../src/models/stats/median.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { parameterCount } from "../../wasm/donut/layout.ts";
import { score } from "../../wasm/donut/score.ts";
import type { ScoreTask, Series } from "../../wasm/protocol.ts";
import { createRandom, normals } from "../../wasm/random.ts";
import { SessionCache } from "../../wasm/sessions.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { timeTogether } from "./time.ts";

const WINDOW = 120;
const MANY = 1000;
/** Single windows per round, so that a round is long enough to be timed. */
const SINGLES = 100;
const ROUNDS = { warmUp: 5, rounds: 15 };
const SAMPLES = [64, 128, 256];
const control = { isCanceled: () => false, report: () => {} };

function makeSeries(windows: number, missing: boolean): Series {
  const length = WINDOW - 1 + windows;
  const values = Float32Array.from({ length }, (_, i) => Math.sin(i / 9));
  const observed = new Uint8Array(length).fill(1);
  if (missing) for (let i = 5; i < length; i += 60) observed[i] = 0;
  return { values, observed };
}

function makeTask(windows: number, { samples, missing }: { samples: number; missing: boolean }): ScoreTask {
  const shape = { window: WINDOW, hidden: 100, latent: 5 };
  const params = normals(parameterCount(shape), createRandom(1)).map((value) => value * 0.1);
  const options = { samples, iterations: 10, seed: 1 };
  return { kind: "score", shape, params, series: makeSeries(windows, missing), options };
}

async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < SINGLES; i++) await work();
}

/** Each by itself, so that the median excludes garbage collection. */
async function timeInto(times: number[], work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  times.push(performance.now() - startedAt);
}

/** As live detection does: the weights, decoded for this window, are handed over and not copied. */
function runAsLive(pool: Pool, task: ScoreTask): Promise<unknown> {
  const params = task.params.slice();
  const { signal } = new AbortController();
  return pool.run({ ...task, params }, { lane: "prediction", signal, transfer: [params] });
}

/** The time within the worker, ms: it waits for the next task in between, as one of live detection does. */
function askWorker(worker: Worker, task: ScoreTask): Promise<number> {
  const params = task.params.slice();
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
    worker.postMessage({ ...task, params }, [params.buffer]);
  });
}

export const scoring: Part = {
  name: "scoring",
  title: "Scoring, W=120, H=100 (ms per window; goals 0.2 of many and 0.5 of one, at 128 samples)",
  run: async () => {
    const sessions = new SessionCache();
    const pool = new Pool({
      trainingWorkers: 1,
      clock: systemClock,
      spawn: spawnWorker,
      onCrash: console.error,
    });
    const cases = SAMPLES.flatMap((samples) => [false, true].map((missing) => ({ samples, missing })));
    const worker = new Worker(new URL("scoring-worker.ts", import.meta.url).href);
    const [trips, within] = [cases.map((): number[] => []), cases.map((): number[] => [])];
    const works = cases.flatMap((one, i) => {
      const [many, single] = [makeTask(MANY, one), makeTask(1, one)];
      return [
        () => score(many, sessions, control),
        () => repeat(() => score(single, sessions, control)),
        () => repeat(() => timeInto(trips[i]!, () => runAsLive(pool, single))),
        () => repeat(async () => within[i]!.push(await askWorker(worker, single))),
      ];
    });
    const timings = await timeTogether(works, ROUNDS);
    await pool.stop();
    worker.terminate();
    await sessions.release();
    return cases.map(({ samples, missing }, i): Row => {
      const [many, single] = timings.slice(4 * i, 4 * i + 2);
      const medianOfWarm = (times: readonly number[]) => medianOf(times.slice(ROUNDS.warmUp * SINGLES));
      return {
        samples,
        "missing points": missing ? "yes" : "no",
        "of 1000, CPU": many!.cpuMs / MANY,
        "one, CPU": single!.cpuMs / SINGLES,
        "one, within a worker": medianOfWarm(within[i]!),
        "there and back, wall": medianOfWarm(trips[i]!),
      };
    });
  },
};

const GROWTH = [10, 100, 1000, 10_000];

export const growthOfWindows: Part = {
  name: "growth-windows",
  title: "Cost against the number of windows scored at once (W=120, H=100, 128 samples)",
  run: async () => {
    const sessions = new SessionCache();
    const tasks = GROWTH.map((windows) => makeTask(windows, { samples: 128, missing: false }));
    // As often as makes them equally long: short ones could not be timed.
    const times = GROWTH.map((windows) => GROWTH.at(-1)! / windows);
    const works = tasks.map((task, i) => async () => {
      for (let k = 0; k < times[i]!; k++) await score(task, sessions, control);
    });
    const timings = await timeTogether(works, { warmUp: 2, rounds: 5 });
    await sessions.release();
    return GROWTH.map((windows, i): Row => {
      const cpuMs = timings[i]!.cpuMs / times[i]!;
      return { windows, "CPU ms": cpuMs, "ms per window": cpuMs / windows };
    });
  },
};

if (import.meta.main) {
  await runAlone(scoring);
  await runAlone(growthOfWindows);
}
