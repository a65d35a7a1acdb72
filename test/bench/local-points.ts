// Points for benchmarks of the local bucket: series of noise, in batches as an agent sends them.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bucket } from "../../src/buckets/kind.ts";
import { local } from "../../src/buckets/local/index.ts";
import type { Point } from "../../src/core/series/query.ts";
import { cpuNow } from "./time.ts";

const BATCH = 5000;
const DAY = 86_400_000;

/** Evenly spread over `days` from the start of 2026. */
export interface Volume {
  readonly points: number;
  readonly series: number;
  readonly days: number;
  /** Each series has moments of its own, and is late by up to a second: absent, all report together. */
  readonly isScattered?: boolean;
}

export function rangeOf({ days }: Volume): { fromAt: number; toAt: number } {
  const fromAt = Date.UTC(2026, 0, 1);
  return { fromAt, toAt: fromAt + days * DAY };
}

/** Noise, from 0 to 2^24: of neighbours (a murmur's last steps), too. Values in a pattern would be put in order faster. */
function mix(index: number): number {
  let mixed = Math.imul(index ^ (index >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed >>> 8;
}

function makeBatch(volume: Volume, first: number): Point[] {
  const { points, series, days, isScattered } = volume;
  const { fromAt } = rangeOf(volume);
  const stepMs = (days * DAY * series) / points;
  const delayOf = (index: number) =>
    isScattered ? (mix(index % series) % (stepMs - 1000)) + (mix(index) % 1000) : 0;
  return Array.from({ length: Math.min(BATCH, points - first) }, (_, i) => {
    const index = first + i;
    const host = `host-${index % series}`;
    const at = Math.floor(fromAt + Math.floor(index / series) * stepMs + delayOf(index));
    return { at, fields: { usage: (mix(index + 1) % 1000) / 10 }, tags: { host, region: "eu" } };
  });
}

export interface Written {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Wall time of the slowest batch. */
  readonly slowestMs: number;
}

/** Writes all points; the time to make them does not count. */
export async function writeVolume(bucket: Bucket, volume: Volume): Promise<Written> {
  const { signal } = new AbortController();
  let [wallMs, cpuMs, slowestMs] = [0, 0, 0];
  for (let first = 0; first < volume.points; first += BATCH) {
    const batch = makeBatch(volume, first);
    const [wallAt, cpuAt] = [performance.now(), cpuNow()];
    await bucket.write!(batch, { measurement: "cpu" }, signal);
    const tookMs = performance.now() - wallAt;
    wallMs += tookMs;
    cpuMs += cpuNow() - cpuAt;
    slowestMs = Math.max(slowestMs, tookMs);
  }
  return { wallMs, cpuMs, slowestMs };
}

/** Runs `work` on an empty bucket; `sizeOf` answers the bytes of its file. The bucket is removed afterwards. */
export async function withBucket<T>(work: (bucket: Bucket, sizeOf: () => number) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-local-"));
  const bucket = local.open("bench", {}, { dataDir });
  const folder = join(dataDir, "buckets");
  const isMain = (file: string) => file.endsWith(".db");
  const sizeOf = () =>
    readdirSync(folder)
      .filter(isMain)
      .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  try {
    return await work(bucket, sizeOf);
  } finally {
    bucket.close();
    rmSync(dataDir, { recursive: true });
  }
}
