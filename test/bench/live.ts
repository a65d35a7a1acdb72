// Benchmark: 10 000 live models on a local bucket: whether all are evaluated in time, and what of the machine that takes.
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "../../src/cli/client.ts";
import { phaseOf } from "../../src/core/tick.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { clientOf, floorNow, makeWorld, nameOf, pointsAt, type WorldSize } from "./live-world.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { readUsage, type Usage } from "./process.ts";

interface Size extends WorldSize {
  /** How long is measured, after the burst of the start. */
  readonly seconds: number;
}

const defaultSize: Size = { models: 10_000, intervalS: 60, seconds: 90, span: 20 };
const MODELS_PER_START = 100;
const FEED_EVERY_MS = 200;

interface Live {
  readonly missed: number;
  readonly failures: number;
  readonly lag: number | null;
  readonly last_window: number | null;
}

/** What the server has done and used up to a moment. */
interface Sample {
  readonly at: number;
  readonly lives: readonly Live[];
  readonly usage: Usage;
}

/** Points come as they would: those of an interval when it begins. @returns what ends it */
function feed(client: Client, intervalS: number): () => void {
  let written = floorNow(intervalS);
  const timer = setInterval(() => {
    const at = floorNow(intervalS);
    if (at === written) return;
    written = at;
    void client.write("b", pointsAt(at, intervalS));
  }, FEED_EVERY_MS);
  return () => clearInterval(timer);
}

async function startAll(client: Client, models: number): Promise<void> {
  const names = Array.from({ length: models }, (_, i) => nameOf(i));
  for (let i = 0; i < models; i += MODELS_PER_START)
    await client.call(`POST /models/${names.slice(i, i + MODELS_PER_START).join(";")}/_start`, {
      query: { detect_anomalies: true },
    });
}

async function sample(client: Client, server: ServerProcess): Promise<Sample> {
  const views = await client.call<{ live: Live }[]>("GET /models");
  return { at: Date.now(), lives: views.map(({ live }) => live), usage: readUsage(server.pid) };
}

interface Watched {
  readonly startedAt: number;
  readonly before: Sample;
  /** When the measured time was over, and what was used until then. */
  readonly endAt: number;
  readonly usage: Usage;
  readonly after: Sample;
}

async function watch(server: ServerProcess, { models, intervalS, seconds }: Size): Promise<Watched> {
  const client = clientOf(server.url);
  const stopFeed = feed(client, intervalS);
  const startedAt = Date.now();
  await startAll(client, models);
  // Everyone is due at once; from the second time on each has its own place in the interval.
  await Bun.sleep(intervalS * 1000);
  const before = await sample(client, server);
  await Bun.sleep(seconds * 1000);
  const [endAt, usage] = [Date.now(), readUsage(server.pid)];
  stopFeed();
  const after = await sample(client, server);
  return { startedAt, before, endAt, usage, after };
}

interface Evaluation {
  readonly model: string;
  readonly at: number;
  readonly tookMs: number;
}

function listEvaluations(dataDir: string): readonly Evaluation[] {
  const db = new Database(join(dataDir, "torus.db"), { readonly: true });
  const sql = "select model, evaluated_at as at, duration_ms as tookMs from evaluations order by seq";
  const rows = db.query<Evaluation, []>(sql).all();
  db.close();
  return rows;
}

/** From the start of the first model until every model was evaluated once, s. */
function burstOf(evaluations: readonly Evaluation[], { startedAt }: Watched): number {
  const first = new Map<string, Evaluation>();
  for (const evaluation of evaluations)
    if (!first.has(evaluation.model)) first.set(evaluation.model, evaluation);
  const ends = [...first.values()].map(({ at, tookMs }) => at + tookMs);
  return (ends.reduce((last, at) => Math.max(last, at), startedAt) - startedAt) / 1000;
}

function toRow({ models, intervalS, seconds, span }: Size, watched: Watched, all: readonly Evaluation[]): Row {
  const { before, endAt, usage, after } = watched;
  const measured = all.filter(({ at }) => at >= before.at && at < endAt);
  const intervalMs = intervalS * 1000;
  const late = measured.map(({ model, at }) => (at - phaseOf(model, intervalMs)) % intervalMs);
  const lag = after.lives.map(({ lag }) => lag ?? Number.POSITIVE_INFINITY);
  const missed = after.lives.reduce((sum, live, i) => sum + live.missed - before.lives[i]!.missed, 0);
  return {
    models,
    "interval s": intervalS,
    span,
    "due/s": models / intervalS,
    "done/s": (measured.length * 1000) / (endAt - before.at),
    missed,
    failing: after.lives.filter(({ failures }) => failures > 0).length,
    "late p50 ms": shareOf(late, 0.5),
    "late p99 ms": shareOf(late, 0.99),
    "took p50 ms": shareOf(measured.map(({ tookMs }) => tookMs), 0.5),
    "took p99 ms": shareOf(measured.map(({ tookMs }) => tookMs), 0.99),
    "lag p50 s": shareOf(lag, 0.5),
    "CPU cores": ((usage.cpuS - before.usage.cpuS) * 1000) / (endAt - before.at),
    "end MB": usage.residentMb,
    "peak MB": usage.peakMb,
    "first round s": burstOf(all, watched),
    "measured s": seconds,
  };
}

function shareOf(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

async function measure(size: Size): Promise<Row> {
  const dataDir = mkdtempSync(join(tmpdir(), "torus-bench-"));
  try {
    await makeWorld(dataDir, size);
    const server = await startServer({ dataDir, args: ["--workers", "1"] });
    const watched = await watch(server, size);
    await server.stop();
    return toRow(size, watched, listEvaluations(dataDir));
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** @param args models, interval in s, measured s, window length; those that are missing as in the benchmark */
export function makeLivePart(args: readonly string[] = []): Part {
  const given = (index: number, key: keyof Size) => Number(args[index] ?? defaultSize[key]);
  const size: Size = {
    models: given(0, "models"),
    intervalS: given(1, "intervalS"),
    seconds: given(2, "seconds"),
    span: given(3, "span"),
  };
  return {
    name: "live",
    title:
      "Live detection (goals: none missed, late p99 1000 ms, less than 2 cores, 1000 MB); the server is a process of its own",
    run: async () => [await measure(size)],
  };
}

export const live = makeLivePart();

if (import.meta.main) await runAlone(makeLivePart(Bun.argv.slice(2)));
