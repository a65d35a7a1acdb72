// Benchmark: writes of the local bucket, and reads of a month of minutes by each way to compute a metric.
import type { Bucket } from "../../src/buckets/kind.ts";
import type { ReadQuery } from "../../src/core/series/query.ts";
import { medianOf } from "../../src/models/stats/median.ts";
import { rangeOf, type Volume, withBucket, writeVolume } from "./local-points.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { cpuNow } from "./time.ts";

const volume: Volume = { points: 10_000_000, series: 100, days: 30 };
const MINUTE = 60_000;
const ROUNDS = 9;

const metricGroups = [
  ["avg"],
  ["count", "avg", "min", "max", "stddev"],
  ["first", "last", "derivative"],
  ["95percentile"],
  ["5percentile", "median", "95percentile"],
  ["rate"],
  ["integral"],
  ["mode"],
];

/** Medians of rounds, but for `heldMs`: the longest that the event loop was held in any of them. */
interface Reading {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** CPU time of the fastest round, least disturbed by other processes. */
  readonly leastMs: number;
  readonly heldMs: number;
}

async function timeReads(bucket: Bucket, query: ReadQuery): Promise<Reading> {
  const { signal } = new AbortController();
  const [walls, cpus]: [number[], number[]] = [[], []];
  let heldMs = 0;
  for (let round = -1; round < ROUNDS; round++) {
    let tickedAt = performance.now();
    const tick = () => {
      if (round >= 0) heldMs = Math.max(heldMs, performance.now() - tickedAt);
      tickedAt = performance.now();
    };
    const ticker = setInterval(tick, 0);
    const [wallAt, cpuAt] = [performance.now(), cpuNow()];
    await bucket.read(query, signal);
    tick();
    clearInterval(ticker);
    if (round < 0) continue;
    walls.push(performance.now() - wallAt);
    cpus.push(cpuNow() - cpuAt);
  }
  return { wallMs: medianOf(walls), cpuMs: medianOf(cpus), leastMs: Math.min(...cpus), heldMs };
}

/** Name of the rows of a volume. */
const nameOf = ({ isScattered }: Volume, what: string) => (isScattered ? `${what}, scattered` : what);

async function measureWrite(bucket: Bucket, written: Volume): Promise<Row> {
  const { wallMs, cpuMs, slowestMs } = await writeVolume(bucket, written);
  return {
    what: nameOf(written, "write, batches of 5000"),
    series: written.series,
    "points/s": Math.round((written.points / wallMs) * 1000),
    "points/s of CPU": Math.round((written.points / cpuMs) * 1000),
    "wall ms": wallMs,
    "CPU ms": cpuMs,
    "least ms": "-",
    "loop held ms": slowestMs,
  };
}

async function measureRead(bucket: Bucket, read: Volume, { series, metrics }: Reads): Promise<Row> {
  const tags = series === 1 ? [{ tag: "host", value: "host-7" }] : [];
  const features = metrics.map((metric) => ({ name: metric, metric, field: "usage", tags }));
  const query = { range: rangeOf(read), intervalMs: MINUTE, features };
  const { wallMs, cpuMs, leastMs, heldMs } = await timeReads(bucket, query);
  const rate = (ms: number) => Math.round(((read.points / read.series) * series * 1000) / ms);
  return {
    what: nameOf(read, `read ${metrics.join("+")}`),
    series,
    "points/s": rate(wallMs),
    "points/s of CPU": rate(cpuMs),
    "wall ms": wallMs,
    "CPU ms": cpuMs,
    "least ms": leastMs,
    "loop held ms": heldMs,
  };
}

interface Reads {
  /** One of them, or all. */
  readonly series: number;
  readonly metrics: readonly string[];
}

function measureVolume(written: Volume, reads: readonly Reads[]): Promise<Row[]> {
  return withBucket(async (bucket) => {
    const rows = [await measureWrite(bucket, written)];
    for (const one of reads) rows.push(await measureRead(bucket, written, one));
    return rows;
  });
}

export const localBucket: Part = {
  name: "local",
  title:
    "Local bucket: 10 M points of 100 series over 30 d, read as minutes; series report together, or scattered " +
    "(median of 9; goals: write 200 000 points/s, each read 200 ms)",
  run: async () => {
    const readsOf = (series: number) => metricGroups.map((metrics) => ({ series, metrics }));
    const { series } = volume;
    return [
      ...(await measureVolume(volume, [...readsOf(1), ...readsOf(series)])),
      ...(await measureVolume({ ...volume, isScattered: true }, readsOf(series))),
    ];
  },
};

if (import.meta.main) await runAlone(localBucket);
