// Benchmark: time from process start to the first answer and the first forecast, and memory.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/cli/client/client.ts";
import { medianOf } from "../../src/models/stats/median.ts";
import { aModel } from "../support/builders.ts";
import { type StartOptions, startServer } from "../support/server-process.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { readUsage } from "./process.ts";

const BINARY = join(import.meta.dir, "../../dist/torus");
const RUNS = 5;
const STEP_S = 300;
const POINTS = 2000;

const features = [{ name: "load", metric: "avg", field: "value" }];
const settings = aModel({ bucket_interval: STEP_S, span: 48, features });

async function makeModel(dataDir: string): Promise<void> {
  const server = await startServer({ dataDir });
  const client = createClient({ baseUrl: server.url, sleep: () => Bun.sleep(50) });
  await client.putBucket({ name: "b", type: "local" });
  const points = Array.from({ length: POINTS }, (_, i) => ({
    timestamp: i * STEP_S,
    value: Math.sin(i / 46),
  }));
  await client.waitForJob(await client.write("b", points));
  await client.createModel(settings);
  await client.waitForJob(await client.train("m", { from: 0, to: POINTS * STEP_S, max_evals: 1 }));
  await server.stop();
}

interface Start {
  readonly answerMs: number;
  readonly forecastMs: number;
  readonly idleMb: number;
  readonly usedMb: number;
}

async function startOnce(options: StartOptions): Promise<Start> {
  const startedAt = performance.now();
  const server = await startServer(options);
  await (await fetch(`${server.url}/`)).arrayBuffer();
  const answerMs = performance.now() - startedAt;
  const idleMb = readUsage(server.pid).residentMb;
  const askedAt = performance.now();
  const query = `from=${POINTS * STEP_S}&to=${(POINTS + 48) * STEP_S}`;
  const response = await fetch(`${server.url}/models/m/_forecast?${query}`, { method: "POST" });
  if (response.status !== 200) throw new Error(`the forecast answered ${response.status}`);
  await response.arrayBuffer();
  const forecastMs = performance.now() - askedAt;
  const usedMb = readUsage(server.pid).residentMb;
  await server.stop();
  return { answerMs, forecastMs, idleMb, usedMb };
}

async function measure(name: string, options: StartOptions): Promise<Row> {
  const runs: Start[] = [];
  for (let i = 0; i < RUNS; i++) runs.push(await startOnce(options));
  return {
    program: name,
    "first answer ms": medianOf(runs.map((run) => run.answerMs)),
    "first forecast ms": medianOf(runs.map((run) => run.forecastMs)),
    "idle MB": medianOf(runs.map((run) => run.idleMb)),
    "after a forecast MB": medianOf(runs.map((run) => run.usedMb)),
  };
}

export const start: Part = {
  name: "start",
  title:
    "Start (goals: first answer 200 ms, first forecast 2000 ms, idle 90 MB); the binary where `npm run build` has made it",
  run: async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "torus-bench-"));
    await makeModel(dataDir);
    const rows = [await measure("sources", { dataDir })];
    if (existsSync(BINARY)) rows.push(await measure("binary", { dataDir, program: BINARY }));
    rmSync(dataDir, { recursive: true });
    return rows;
  },
};

if (import.meta.main) await runAlone(start);
