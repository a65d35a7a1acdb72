// Benchmark: cost of answers by stored volume; none may grow faster than its result.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { medianOf } from "../../src/models/stats/median.ts";
import { startServer } from "../support/server-process.ts";
import { seed } from "./http-world.ts";
import { type Part, type Row, runAlone } from "./part.ts";

const FEW = 10;
const MODELS = [10, 100, 1000, 10_000];
const JOBS = [100, 1000, 10_000, 100_000];
/** Answers timed of each kind; so many at least, and for so long at least. */
const ANSWERS = 30;
const WINDOW_MS = 400;

/** Median time of an answer, one after the other, ms. */
async function timeAnswers(url: string): Promise<number> {
  const times: number[] = [];
  const startedAt = performance.now();
  while (times.length < ANSWERS || performance.now() - startedAt < WINDOW_MS) {
    const askedAt = performance.now();
    const response = await fetch(url);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    times.push(performance.now() - askedAt);
  }
  return medianOf(times);
}

async function measure(
  size: { readonly models: number; readonly jobs: number },
  paths: (jobId: string) => Readonly<Record<string, string>>,
): Promise<Row> {
  const dataDir = mkdtempSync(join(tmpdir(), "torus-bench-"));
  const jobId = await seed(dataDir, size);
  const startedAt = performance.now();
  const server = await startServer({ dataDir });
  const row: Record<string, number> = { ...size, "start ms": performance.now() - startedAt };
  for (const [name, path] of Object.entries(paths(jobId)))
    row[`${name} ms`] = await timeAnswers(`${server.url}${path}`);
  await server.stop();
  rmSync(dataDir, { recursive: true });
  return row;
}

export const growthOfModels: Part = {
  name: "growth-models",
  title: "Cost against the number of models",
  run: async () => {
    const rows: Row[] = [];
    for (const models of MODELS) {
      const paths = () => ({
        "one model": "/models/m5",
        "page of 50": "/models?page=0",
        "all models": "/models",
      });
      rows.push(await measure({ models, jobs: FEW }, paths));
    }
    return rows;
  },
};

export const growthOfJobs: Part = {
  name: "growth-jobs",
  title: "Cost against the number of stored jobs",
  run: async () => {
    const rows: Row[] = [];
    for (const jobs of JOBS) {
      const paths = (id: string) => ({
        "one job": `/jobs/${id}`,
        "first page": "/jobs?page=0",
        "page by start": "/jobs?page=0&sort=start_timestamp:-1",
      });
      rows.push(await measure({ models: FEW, jobs }, paths));
    }
    return rows;
  },
};

if (import.meta.main) {
  await runAlone(growthOfModels);
  await runAlone(growthOfJobs);
}
