// Benchmark: 10 000 live models on a local bucket: lateness of evaluations, and load of the machine.
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "../../src/cli/client/client.ts";
import { phaseOf } from "../../src/core/time/tick.ts";
import { FILE } from "../../src/store/db/open.ts";
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

/** Writes the points of each interval at its start. @returns a function that stops it */
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

/** Instants of the stages, ms since the epoch, and the resources of the server by then. */
interface Watched {
  readonly startedAt: number;
  readonly beganAt: number;
  readonly before: Usage;
  readonly endedAt: number;
  readonly after: Usage;
}

async function watch(server: ServerProcess, { models, intervalS, seconds }: Size): Promise<Watched> {
  const client = clientOf(server.url);
  const stopFeed = feed(client, intervalS);
  const startedAt = Date.now();
  await startAll(client, models);
  // Everyone is due at once; from the second time on each has its own place in the interval.
  await Bun.sleep(intervalS * 1000);
  const [beganAt, before] = [Date.now(), readUsage(server.pid)];
  await Bun.sleep(seconds * 1000);
  const [endedAt, after] = [Date.now(), readUsage(server.pid)];
  stopFeed();
  return { startedAt, beganAt, before, endedAt, after };
}

interface Evaluation {
  readonly model: string;
  readonly at: number;
  readonly tookMs: number;
}

interface Live {
  readonly missed: number;
  readonly failures: number;
  readonly lastWindowAt: number | null;
}

/** What a server that has stopped has recorded. */
function readRecords(dataDir: string) {
  const db = new Database(join(dataDir, FILE), { readonly: true });
  const ended = "select model, evaluated_at as at, duration_ms as tookMs from evaluations order by rev";
  const live = "select missed, failures, last_window_at as lastWindowAt from live";
  const records = {
    evaluations: db.query<Evaluation, []>(ended).all(),
    lives: db.query<Live, []>(live).all(),
  };
  db.close();
  return records;
}

/** From the start of the first model until every model was evaluated once, s. */
function firstRoundOf(evaluations: readonly Evaluation[], startedAt: number): number {
  const first = new Map<string, Evaluation>();
  for (const evaluation of evaluations)
    if (!first.has(evaluation.model)) first.set(evaluation.model, evaluation);
  const ends = [...first.values()].map(({ at, tookMs }) => at + tookMs);
  return (ends.reduce((last, at) => Math.max(last, at), startedAt) - startedAt) / 1000;
}

function toRow(size: Size, watched: Watched, { evaluations, lives }: ReturnType<typeof readRecords>): Row {
  const { models, intervalS, span } = size;
  const { startedAt, beganAt, before, endedAt, after } = watched;
  const measured = evaluations.filter(({ at }) => at >= beganAt && at < endedAt);
  const intervalMs = intervalS * 1000;
  const late = measured.map(({ model, at }) => (at - phaseOf(model, intervalMs)) % intervalMs);
  const took = measured.map(({ tookMs }) => tookMs);
  const lag = lives.map(({ lastWindowAt }) => endedAt - (lastWindowAt ?? Number.NEGATIVE_INFINITY));
  const spanS = (endedAt - beganAt) / 1000;
  return {
    models,
    "interval s": intervalS,
    span,
    "due/s": models / intervalS,
    "done/s": measured.length / spanS,
    missed: lives.reduce((sum, live) => sum + live.missed, 0),
    failing: lives.filter(({ failures }) => failures > 0).length,
    "late p50 ms": shareOf(late, 0.5),
    "late p99 ms": shareOf(late, 0.99),
    "took p50 ms": shareOf(took, 0.5),
    "took p99 ms": shareOf(took, 0.99),
    "lag p50 s": shareOf(lag, 0.5) / 1000,
    "lag p99 s": shareOf(lag, 0.99) / 1000,
    "CPU cores": (after.cpuS - before.cpuS) / spanS,
    "end MB": after.residentMb,
    "peak MB": after.peakMb,
    "first round s": firstRoundOf(evaluations, startedAt),
    "measured s": spanS,
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
    return toRow(size, watched, readRecords(dataDir));
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
