// Benchmark: how fast the local bucket writes, and reads a month of minutes by each way it has to compute a metric.
import type { Bucket, ReadQuery } from "../../src/buckets/kind.ts";
import { medianOf } from "../../src/models/median.ts";
import { rangeOf, type Volume, withBucket, writeVolume } from "./local-points.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { cpuNow } from "./time.ts";

const volume: Volume = { points: 10_000_000, series: 100, days: 30 };
const MINUTE = 60_000;
const ROUNDS = 5;

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

/** Median of rounds, but for `heldMs`: the longest that the event loop was held in any of them. */
interface Reading {
  readonly wallMs: number;
  readonly cpuMs: number;
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
  return { wallMs: medianOf(walls), cpuMs: medianOf(cpus), heldMs };
}

async function measureWrite(bucket: Bucket): Promise<Row> {
  const { wallMs, cpuMs, slowestMs } = await writeVolume(bucket, volume);
  return {
    what: "write, batches of 5000",
    series: volume.series,
    "points/s": Math.round((volume.points / wallMs) * 1000),
    "points/s of CPU": Math.round((volume.points / cpuMs) * 1000),
    "wall ms": wallMs,
    "CPU ms": cpuMs,
    "loop held ms": slowestMs,
  };
}

async function measureReads(bucket: Bucket): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const series of [1, volume.series]) {
    const tags = series === 1 ? [{ tag: "host", value: "host-7" }] : [];
    for (const metrics of metricGroups) {
      const features = metrics.map((metric) => ({ name: metric, metric, field: "usage", tags }));
      const query = { range: rangeOf(volume), intervalMs: MINUTE, features };
      const { wallMs, cpuMs, heldMs } = await timeReads(bucket, query);
      const rate = (ms: number) => Math.round(((volume.points / volume.series) * series * 1000) / ms);
      rows.push({
        what: `read ${metrics.join("+")}`,
        series,
        "points/s": rate(wallMs),
        "points/s of CPU": rate(cpuMs),
        "wall ms": wallMs,
        "CPU ms": cpuMs,
        "loop held ms": heldMs,
      });
    }
  }
  return rows;
}

export const localBucket: Part = {
  name: "local",
  title:
    "Local bucket: 10 M points of 100 series over 30 d, read as minutes " +
    "(median of 5; goals: write 200 000 points/s, each read 200 ms)",
  run: () => withBucket(async (bucket) => [await measureWrite(bucket), ...(await measureReads(bucket))]),
};

if (import.meta.main) await runAlone(localBucket);
