// Benchmark: whole trainings and evaluations through a server: wall and CPU time, memory, up to 10^6 points.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { readUsage } from "./process.ts";

const STEP_S = 60;
const DAY = 1440;
const BATCH = 20_000;
const MONTH = 30 * DAY;
/** Trials of a search, as a model does them by default. */
const TRIALS = 10;

/** A day and a week of season, noise, and a burst now and then. */
function valueAt(i: number): number {
  const day = Math.sin((2 * Math.PI * i) / DAY);
  const week = Math.cos((2 * Math.PI * i) / (7 * DAY));
  const noise = ((Math.imul(i + 1, 2654435761) >>> 0) / 2 ** 32 + (Math.imul(i + 7, 40503) % 97) / 97) / 2;
  return 100 + 30 * day + 10 * week + 8 * noise + (i % 9973 < 5 ? 60 : 0);
}

async function writePoints(url: string, points: number): Promise<void> {
  for (let from = 0; from < points; from += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, points - from) }, (_, k) => {
      const i = from + k;
      return `load value=${valueAt(i)} ${(i + 1) * STEP_S}`;
    });
    const response = await fetch(`${url}/write?db=b&precision=s`, { method: "POST", body: lines.join("\n") });
    if (response.status !== 204) throw new Error(`/write answered ${response.status}`);
  }
}

interface World {
  readonly client: Client;
  readonly server: ServerProcess;
  readonly points: number;
}

function measureTraining({ client, server, points }: World, trials: number): Promise<Row> {
  const range = { from: 0, to: (points + 1) * STEP_S, max_evals: trials };
  const train = async () => void (await client.waitForJob(await client.train("m", range)));
  return measure({ server, points, work: `training, trials: ${trials}` }, train);
}

/** Of the model that was trained last. */
function measureEvaluation({ server, points }: World): Promise<Row> {
  return measure({ server, points, work: "_eval" }, async () => {
    const range = `from=${STEP_S}&to=${(points + 1) * STEP_S}`;
    const response = await fetch(`${server.url}/models/m/_eval?${range}`, { method: "POST" });
    if (!response.ok) throw new Error(`_eval answered ${response.status}`);
    await response.arrayBuffer();
  });
}

async function measure(
  { server, points, work }: Pick<World, "server" | "points"> & { readonly work: string },
  run: () => Promise<void>,
): Promise<Row> {
  const before = readUsage(server.pid);
  const startedAt = performance.now();
  await run();
  const wallS = (performance.now() - startedAt) / 1000;
  const after = readUsage(server.pid);
  return {
    points,
    work,
    "wall s": wallS,
    "CPU s": after.cpuS - before.cpuS,
    "peak MB": after.peakMb,
  };
}

const plans = [
  { points: 1000, trials: [1] },
  { points: 10_000, trials: [1] },
  { points: MONTH, trials: [1, TRIALS], evaluations: 2 },
  { points: 100_000, trials: [1] },
  { points: 1_000_000, trials: [1] },
];

export const trainings: Part = {
  name: "trainings",
  title:
    "Whole trainings, W=120, to the early stop (CPU of all threads, peak memory; goals: a month 4 s, ten trials 6 s, `_eval` of a month 2 s, 600 MB)",
  run: async () => {
    const rows: Row[] = [];
    // One server per number of points, so that the peak is its own.
    for (const { points, trials, evaluations = 0 } of plans) {
      const dataDir = mkdtempSync(join(tmpdir(), "torus-bench-"));
      const server = await startServer({ dataDir, args: ["--workers", "2"] });
      const client = createClient({ baseUrl: server.url, sleep: () => Bun.sleep(100) });
      await client.putBucket({ name: "b", type: "local" });
      await writePoints(server.url, points);
      const features = [{ name: "load", metric: "avg", field: "value" }];
      const settings = { type: "donut", default_bucket: "b", bucket_interval: STEP_S, span: 120, features };
      await client.createModel({ name: "m", ...settings });
      const world = { client, server, points };
      for (const count of trials) rows.push(await measureTraining(world, count));
      for (let k = 0; k < evaluations; k++) rows.push(await measureEvaluation(world));
      await server.stop();
      rmSync(dataDir, { recursive: true });
    }
    return rows;
  },
};

if (import.meta.main) await runAlone(trainings);
