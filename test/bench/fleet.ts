// Benchmark: one live fleet of 10 000 series on a local bucket: evaluations, load of the machine, bytes per series.
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FILE } from "../../src/store/db/open.ts";
import { startServer } from "../support/server-process.ts";
import { FLEET, type FleetSize, makeFleet, writePoints } from "./fleet-world.ts";
import { clientOf, floorNow } from "./live-world.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { readUsage } from "./process.ts";

interface Size extends FleetSize {
  /** Evaluations that are measured, after the first. */
  readonly rounds: number;
}

const defaultSize: Size = { series: 10_000, intervalS: 60, span: 20, rounds: 3 };
const FEED_EVERY_MS = 200;

/** Writes the points of each interval at its start. @returns a function that stops it */
function feed(url: string, size: Size): () => void {
  let written = floorNow(size.intervalS);
  const timer = setInterval(() => {
    const at = floorNow(size.intervalS);
    if (at === written) return;
    written = at;
    void writePoints(url, size, [at]);
  }, FEED_EVERY_MS);
  return () => clearInterval(timer);
}

interface Round {
  readonly outcome: string;
  readonly tookMs: number;
}

/** What a server that has stopped has recorded. */
function readRecords(dataDir: string) {
  const db = new Database(join(dataDir, FILE), { readonly: true });
  const rounds = db
    .query<Round, []>("select outcome, duration_ms as tookMs from evaluations order by rev")
    .all();
  const one = <T>(query: string) => db.query<T, []>(query).get()!;
  const live = one<{ missed: number; failures: number }>("select missed, failures from live");
  const { scored } = one<{ scored: number }>(
    "select count(*) as scored from live_series where score is not null",
  );
  const { bytes } = one<{ bytes: number }>("select avg(length(memory)) as bytes from live_series_memories");
  db.close();
  return { rounds, live, scored, memoryBytes: bytes };
}

async function measure(size: Size): Promise<Row> {
  const dataDir = mkdtempSync(join(tmpdir(), "torus-bench-"));
  try {
    const { fitBytes } = await makeFleet(dataDir, size);
    const server = await startServer({ dataDir, args: ["--workers", "1"] });
    const client = clientOf(server.url);
    const stopFeed = feed(server.url, size);
    await client.call(`POST /models/${FLEET}/_start`, { query: { detect_anomalies: true } });
    // The first evaluation loads the series.
    await Bun.sleep(1.5 * size.intervalS * 1000);
    const [beganAt, before] = [Date.now(), readUsage(server.pid)];
    await Bun.sleep(size.rounds * size.intervalS * 1000);
    const [spanS, after] = [(Date.now() - beganAt) / 1000, readUsage(server.pid)];
    stopFeed();
    await server.stop();
    const { rounds, live, scored, memoryBytes } = readRecords(dataDir);
    const took = rounds.map(({ tookMs }) => tookMs);
    return {
      series: size.series,
      "interval s": size.intervalS,
      scored,
      missed: live.missed,
      failing: live.failures,
      rounds: rounds.length,
      "first s": (took[0] ?? Number.NaN) / 1000,
      "took p50 s": (took.slice(1).toSorted((a, b) => a - b)[(took.length - 1) >> 1] ?? Number.NaN) / 1000,
      "took max s": Math.max(...took.slice(1)) / 1000,
      "CPU cores": (after.cpuS - before.cpuS) / spanS,
      "end MB": after.residentMb,
      "peak MB": after.peakMb,
      "fit bytes": fitBytes,
      "memory bytes": memoryBytes,
      "database MB": statSync(join(dataDir, FILE)).size / 1e6,
    };
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** @param args series, interval in s, window length, rounds; those that are missing as in the benchmark */
export function makeFleetPart(args: readonly string[] = []): Part {
  const given = (index: number, key: keyof Size) => Number(args[index] ?? defaultSize[key]);
  const size: Size = {
    series: given(0, "series"),
    intervalS: given(1, "intervalS"),
    span: given(2, "span"),
    rounds: given(3, "rounds"),
  };
  return {
    name: "fleet",
    title: "A live fleet (goals: none missed, less than 1 core, 1000 MB); the server is a process of its own",
    run: async () => [await measure(size)],
  };
}

export const fleet = makeFleetPart();

if (import.meta.main) await runAlone(makeFleetPart(Bun.argv.slice(2)));
