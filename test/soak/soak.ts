// Work without end for a server of its own: trainings, evaluations, forecasts, and its memory after each round of them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { readUsage } from "../bench/process.ts";
import { startServer } from "../support/server-process.ts";

const POINTS = 400;
const STEP_S = 60;
/** Windows scored by one evaluation. */
const WINDOWS = 50;
/** Of the rounds: until then memory may grow, as caches and heaps find their size. */
const WARM_UP = 0.4;

export interface SoakPlan {
  readonly rounds: number;
  /** Optimiser steps of the one training of a round. */
  readonly steps: number;
  /** Of a round, each of them an evaluation and a forecast. */
  readonly requests: number;
  /** Told of each round. */
  readonly onRound?: (round: number, residentMb: number) => void;
}

export interface Soaked {
  /** Resident memory of the server after each round, MB. */
  readonly residentMb: readonly number[];
  readonly steps: number;
  /** Windows scored. */
  readonly scorings: number;
}

/** Wears a server out and watches its memory. */
export async function soak({ rounds, steps, requests, onRound }: SoakPlan): Promise<Soaked> {
  const dataDir = mkdtempSync(join(tmpdir(), "torus-soak-"));
  // All the steps of a plan are done: none ends early because it has learnt enough.
  const env = { TORUS_TRAINING_STEPS: String(steps), TORUS_SERVER_LIMITS_JOBS_MAX_FINISHED: "200" };
  const server = await startServer({ dataDir, args: ["--workers", "1"], env });
  try {
    const client = createClient({ baseUrl: server.url, sleep: () => Bun.sleep(20) });
    await setUp(client);
    const residentMb: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await workOneRound(client, requests);
      residentMb.push(readUsage(server.pid).residentMb);
      onRound?.(round, residentMb.at(-1)!);
    }
    return { residentMb, steps: rounds * steps, scorings: rounds * requests * WINDOWS };
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  }
}

async function setUp(client: Client): Promise<void> {
  await client.putBucket({ name: "b", type: "local" });
  const points = Array.from({ length: POINTS }, (_, i) => {
    return { timestamp: i * STEP_S, x: Math.sin(i / 9) + ((i * 7919) % 101) / 300 };
  });
  await client.waitForJob(await client.write("b", points));
  const features = [{ name: "x", metric: "avg", field: "x" }];
  const settings = { type: "donut", default_bucket: "b", bucket_interval: STEP_S, span: 24, features };
  await client.createModel({ name: "m", ...settings });
}

async function workOneRound(client: Client, requests: number): Promise<void> {
  const to = POINTS * STEP_S;
  await client.waitForJob(await client.train("m", { from: 0, to, max_evals: 1 }));
  for (let i = 0; i < requests; i++) {
    const { stats } = await client.evaluate("m", { from: to - WINDOWS * STEP_S, to, detect_anomalies: true });
    if (stats?.length !== WINDOWS) throw new Error(`${stats?.length} windows were scored, not ${WINDOWS}`);
    await client.forecast("m", { from: to, to: to + 10 * STEP_S });
  }
}

/** By how much the memory of the last rounds exceeds that of the first ones after the warm-up, MB. */
export function growthOf({ residentMb }: Pick<Soaked, "residentMb">): number {
  const settled = residentMb.slice(Math.floor(residentMb.length * WARM_UP));
  const half = Math.ceil(settled.length / 2);
  return Math.max(...settled.slice(half)) - Math.max(...settled.slice(0, half));
}
