// Benchmark: from the start of the process to its first answer and its first forecast, and the memory it takes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/cli/client.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { medianOf, type Part, type Row, runAlone } from "./part.ts";
import { readUsage } from "./process.ts";

const RUNS = 5;
const STEP_S = 300;
const POINTS = 2000;

const settings = {
  name: "m",
  type: "donut",
  default_bucket: "b",
  bucket_interval: STEP_S,
  span: 48,
  features: [{ name: "load", metric: "avg", field: "value" }],
};

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

async function startOnce(
  dataDir: string,
): Promise<{ answerMs: number; forecastMs: number; idleMb: number; usedMb: number }> {
  const startedAt = performance.now();
  const server: ServerProcess = await startServer({ dataDir });
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

export const start: Part = {
  name: "start",
  title:
    "Start (goals: first answer 200 ms, first forecast 2000 ms, idle 90 MB); TORUS_PROGRAM=FILE measures the binary",
  run: async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "torus-bench-"));
    await makeModel(dataDir);
    const runs = [];
    for (let i = 0; i < RUNS; i++) runs.push(await startOnce(dataDir));
    rmSync(dataDir, { recursive: true });
    const row: Row = {
      program: process.env.TORUS_PROGRAM ? "binary" : "sources",
      "first answer ms": medianOf(runs.map((run) => run.answerMs)),
      "first forecast ms": medianOf(runs.map((run) => run.forecastMs)),
      "idle MB": medianOf(runs.map((run) => run.idleMb)),
      "after a forecast MB": medianOf(runs.map((run) => run.usedMb)),
    };
    return [row];
  },
};

if (import.meta.main) await runAlone(start);
