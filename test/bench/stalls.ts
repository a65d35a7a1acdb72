// Benchmark: how long requests keep the server thread from others, with tens of thousands of models and jobs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/store/db/open.ts";
import { startLive } from "../../src/store/live.ts";
import { startServer } from "../support/server-process.ts";
import { seed } from "./http-world.ts";
import { type Part, type Row, runAlone } from "./part.ts";

const SIZE = { models: 50_000, jobs: 50_000 } as const;
/** Models of those that are live, on an interval that never comes due. */
const LIVE = 10_000;
/** Repetitions of an action; the longest stall counts. */
const TIMES = 3;
const SETTLE_MS = 3000;

interface Action {
  readonly name: string;
  readonly method?: string;
  readonly path: (i: number) => string;
  readonly body?: (i: number) => unknown;
}

const retrain = { every: { unit: "day", at: "03:00" }, range: "30d" };
const aNewModel = (i: number) => ({
  name: `new${i}`,
  type: "donut",
  default_bucket: "b",
  bucket_interval: "1d",
  features: [{ name: "load", metric: "avg", field: "load" }],
  retrain,
});
const aNewJob = (i: number) => ({
  name: `job${i}`,
  method: "get",
  relative_url: "/jobs",
  every: { unit: "day", at: "03:00" },
});

const actions: readonly Action[] = [
  { name: "create a model", method: "POST", path: () => "/models", body: aNewModel },
  { name: "patch a model", method: "PATCH", path: (i) => `/models/m${i}`, body: () => ({ retrain }) },
  { name: "delete a model", method: "DELETE", path: (i) => `/models/new${i}` },
  { name: "start a model", method: "POST", path: (i) => `/models/m${LIVE + i}/_start` },
  { name: "stop a model", method: "POST", path: (i) => `/models/m${i}/_stop` },
  { name: "put a scheduled job", method: "POST", path: () => "/scheduled_jobs", body: aNewJob },
  { name: "run a scheduled job", method: "POST", path: (i) => `/scheduled_jobs/job${i}/_run` },
  { name: "delete a scheduled job", method: "DELETE", path: (i) => `/scheduled_jobs/job${i}` },
  { name: "page of models", path: () => "/models?page=0" },
  { name: "page of models, by state", path: () => "/models?page=0&sort=state:1" },
  { name: "page of models, by text", path: () => "/models?page=0&q=4999" },
  { name: "all models", path: () => "/models" },
  { name: "page of jobs", path: () => "/jobs?page=0&sort=start_timestamp:-1" },
  { name: "all jobs", path: () => "/jobs" },
  { name: "page of scheduled jobs", path: () => "/scheduled_jobs?page=0" },
  { name: "all scheduled jobs", path: () => "/scheduled_jobs" },
  { name: "anomalies", path: () => "/anomalies?from=now-7d&page=0" },
  { name: "a bucket", path: () => "/buckets/b" },
  { name: "patch a bucket", method: "PATCH", path: () => "/buckets/b", body: () => ({}) },
  { name: "names of hooks", path: () => "/hooks" },
  { name: "root", path: () => "/" },
  { name: "health", path: () => "/readyz" },
  { name: "metrics", path: () => "/metrics" },
  { name: "session", path: () => "/session" },
];

async function fill(dir: string): Promise<string> {
  const id = await seed(dir, { ...SIZE, settings: { bucket_interval: "1d", detector: "auto", retrain } });
  const store = openStore({ dir });
  const starts = Array.from({ length: LIVE }, (_, i) => ({
    model: `m${i}`,
    options: { detect: true },
    untrained: true,
    state: { run: `r${i}` },
  }));
  await startLive(store, starts, { at: Date.now(), ending: { reason: "never", describe: () => undefined } });
  store.close();
  return id;
}

async function measureAction(url: string, pingPath: string, action: Action): Promise<Row> {
  const { name, method = "GET", path, body } = action;
  let [longest, took, status, bytes] = [0, 0, 0, 0];
  for (let i = 0; i < TIMES; i++) {
    const state = { isDone: false, longest: 0 };
    const pinging = ping(`${url}${pingPath}`, state);
    const init = body && { body: JSON.stringify(body(i)), headers: { "content-type": "application/json" } };
    const startedAt = performance.now();
    const response = await fetch(`${url}${path(i)}`, { method, ...init });
    bytes = (await response.arrayBuffer()).byteLength;
    status = response.status;
    took = Math.max(took, performance.now() - startedAt);
    // What it starts beside its answer counts, too.
    await Bun.sleep(50);
    state.isDone = true;
    await pinging;
    longest = Math.max(longest, state.longest);
  }
  return { action: name, status, "longest stall ms": longest, "took ms": took, kB: bytes / 1000 };
}

/** Measures the longest wait for an answer of `url` until `state.isDone`. */
export async function ping(url: string, state: { isDone: boolean; longest: number }): Promise<void> {
  while (!state.isDone) {
    const startedAt = performance.now();
    await (await fetch(url)).arrayBuffer();
    state.longest = Math.max(state.longest, performance.now() - startedAt);
  }
}

async function measure(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "torus-bench-"));
  try {
    const id = await fill(dataDir);
    const server = await startServer({ dataDir, args: ["--workers", "1"] });
    const rows: Row[] = [];
    // What it starts beside answering has ended.
    await Bun.sleep(SETTLE_MS);
    for (const action of actions) rows.push(await measureAction(server.url, `/jobs/${id}`, action));
    await server.stop();
    return rows;
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

export const stalls: Part = {
  name: "stalls",
  title: `Longest wait of other requests, ${SIZE.models} models and jobs, ${LIVE} live (goal: 100 ms)`,
  run: measure,
};

if (import.meta.main) await runAlone(stalls);
