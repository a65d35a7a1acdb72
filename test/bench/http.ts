// Benchmark: requests per second and p99 of the routes that dashboards poll, with many models and jobs stored.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimJob, finishJob, submitJobs } from "../../src/store/jobs.ts";
import { createModel } from "../../src/store/models.ts";
import { openStore } from "../../src/store/open.ts";
import { startServer } from "../support/server-process.ts";

const MODELS = 1000;
const JOBS = 10_000;
const CONNECTIONS = 16;
const WINDOW_MS = 4000;

const settings = (name: string) => ({
  name,
  type: "donut",
  default_bucket: "b",
  bucket_interval: "1m",
  features: [{ name: "load", metric: "avg", field: "load" }],
});

/** @returns the id of one of the jobs */
async function seed(dir: string): Promise<string> {
  const store = openStore({ dir });
  for (let i = 0; i < MODELS; i++)
    await createModel(store, { name: `m${i}`, settings: settings(`m${i}`) }, i);
  let id = "";
  for (let i = 0; i < JOBS; i++) {
    id = crypto.randomUUID();
    const input = { bucket: "b", points: [] };
    await submitJobs(store, [{ id, type: "write", model: null, input }], {
      at: Date.now(),
      maxWaiting: JOBS,
    });
    await claimJob(store, ["write"], { owner: "seed", at: Date.now() });
    await finishJob(store, { id, owner: "seed", at: Date.now() }, null);
  }
  store.close();
  return id;
}

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

async function load(url: string): Promise<Load> {
  const times: number[] = [];
  const until = performance.now() + WINDOW_MS;
  const loop = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const response = await fetch(url);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!;
  return { perSecond: (times.length / WINDOW_MS) * 1000, p50: at(0.5), p99: at(0.99) };
}

async function train(url: string): Promise<void> {
  const post = (path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method: "POST",
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    });
  await post("/buckets", { name: "b", type: "local" });
  const points = Array.from({ length: 20_000 }, (_, i) => ({ timestamp: i * 60, load: Math.sin(i / 100) }));
  await post("/buckets/b/_write", points);
  for (const name of ["m1", "m2"]) await post(`/models/${name}/_train?from=0&to=1200000&epochs=1000`);
}

const dataDir = mkdtempSync(join(tmpdir(), "torus-bench-"));
const jobId = await seed(dataDir);
const server = await startServer({ dataDir });
const paths = [`/jobs/${jobId}`, "/models/m500", "/models?page=0", "/models", "/jobs?page=0"];
const rows: Record<string, string>[] = [];
const measure = async (state: string) => {
  for (const path of paths) {
    const { perSecond, p50, p99 } = await load(`${server.url}${path}`);
    const shown = path.replace(jobId, "<id>");
    rows.push({
      server: state,
      path: shown,
      "requests/s": perSecond.toFixed(0),
      "p50 ms": p50.toFixed(2),
      "p99 ms": p99.toFixed(2),
    });
  }
};
await load(`${server.url}/`);
await measure("idle");
await train(server.url);
await measure("two trainings");
console.log(`${MODELS} models, ${JOBS} jobs, ${CONNECTIONS} connections, client and server on one machine`);
console.table(rows);
await server.stop();
rmSync(dataDir, { recursive: true, force: true });
