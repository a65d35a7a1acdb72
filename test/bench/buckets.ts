// Benchmark: write and read throughput of each kind of bucket over a year of minutes, and memory of reads.
import { openBucket } from "../../src/buckets/index.ts";
import type { Bucket } from "../../src/buckets/kind.ts";
import type { Point } from "../../src/core/series/query.ts";
import { type BenchedKind, benchedKinds, type Prepared, type Target } from "./bucket-servers.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { readUsage } from "./process.ts";

const MINUTE = 60_000;
const YEAR = 525_600;
const BATCH = 5000;
const startAt = Date.UTC(2025, 0, 1);
const MB = 1024 * 1024;
const { signal } = new AbortController();

/** One kind; rates are points per second, memory is in MB above the process before it reads. Null: cannot write. */
interface BenchRow {
  readonly kind: string;
  /** False: against a stand-in, which takes a part of the time. */
  readonly isReal: boolean;
  readonly points: number;
  readonly writeRate: number | null;
  /** Through the points themselves, as for a metric that the store does not compute. */
  readonly rawRate: number;
  readonly rawMb: number;
  /** Through aggregation in the store. */
  readonly gridRate: number;
  readonly gridMb: number;
  /** Of the process before it reads. */
  readonly baseMb: number;
}

/** Task of a child process, and its result. */
interface Work {
  readonly target: Target;
  readonly points: number;
  /** Absent: writes. */
  readonly metric?: string;
}
interface Outcome {
  readonly tookMs: number;
  readonly baseMb: number;
  readonly peakMb: number;
}

const valueAt = (index: number) => (index % 997) / 10;
const pointAt = (index: number): Point => ({
  at: startAt + index * MINUTE,
  fields: { v: valueAt(index) },
  tags: { host: "a" },
});

function toCsv(points: number): string {
  const rows = Array.from({ length: points }, (_, i) => `${(startAt + i * MINUTE) / 1000},a,${valueAt(i)}`);
  return `timestamp,host,v\n${rows.join("\n")}\n`;
}

async function benchKind(kind: BenchedKind, points = YEAR): Promise<BenchRow> {
  const prepared = await kind.prepare(() => toCsv(points));
  try {
    return { kind: kind.label, isReal: kind.isReal, points, ...(await measure(prepared, points)) };
  } finally {
    await prepared.stop();
  }
}

async function measure({ target, settle }: Prepared, points: number) {
  const rate = ({ tookMs }: Outcome) => Math.round((points / tookMs) * 1000);
  const isReadOnly = target.type === "csv";
  const written = isReadOnly ? undefined : await runChild({ target, points });
  await settle?.();
  const raw = await runChild({ target, points, metric: "mode" });
  const grid = await runChild({ target, points, metric: "avg" });
  return {
    writeRate: written ? rate(written) : null,
    rawRate: rate(raw),
    rawMb: raw.peakMb - raw.baseMb,
    gridRate: rate(grid),
    gridMb: grid.peakMb - grid.baseMb,
    baseMb: raw.baseMb,
  };
}

/** Does the work in a fresh process, so that its memory is that of the work. */
async function runChild(work: Work): Promise<Outcome> {
  const child = Bun.spawn([process.execPath, import.meta.path, "--child", JSON.stringify(work)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const said = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${work.target.type}: the process that measures failed`);
  return JSON.parse(said);
}

async function beChild({ target, points, metric }: Work): Promise<Outcome> {
  const { type, settings, ...context } = target;
  const bucket = openBucket({ name: "bench", type, ...settings } as never, context);
  try {
    return metric === undefined ? await write(bucket, points) : await read(bucket, points, metric);
  } finally {
    bucket.close();
  }
}

async function write(bucket: Bucket, points: number): Promise<Outcome> {
  let tookMs = 0;
  for (let from = 0; from < points; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, points - from) }, (_, i) => pointAt(from + i));
    const begunAt = performance.now();
    await bucket.write!(batch, {}, signal);
    tookMs += performance.now() - begunAt;
  }
  return { tookMs, baseMb: 0, peakMb: 0 };
}

/** A short read first, so that code and connection are there. */
async function read(bucket: Bucket, points: number, metric: string): Promise<Outcome> {
  const features = [{ name: "v", metric, field: "v", tags: [] }];
  const readTo = (minutes: number) =>
    bucket.read(
      { range: { fromAt: startAt, toAt: startAt + minutes * MINUTE }, intervalMs: MINUTE, features },
      signal,
    );
  await readTo(1);
  Bun.gc(true);
  const memory = await watchMemory();
  const begunAt = performance.now();
  const { columns } = await readTo(points);
  const tookMs = performance.now() - begunAt;
  const peakMb = memory.end();
  const wrong = columns.v!.findIndex(
    (value, i) => Math.abs(value - valueAt(i)) > 1e-9 || Number.isNaN(value),
  );
  if (wrong >= 0 || columns.v!.length !== points) throw new Error(`${metric}: wrong value at ${wrong}`);
  return { tookMs, baseMb: memory.baseMb, peakMb };
}

/** Resident memory in MB: the kernel's own peak where it keeps one, samples elsewhere. */
async function watchMemory() {
  const now = () => process.memoryUsage.rss() / MB;
  const baseMb = now();
  let sampled = baseMb;
  const hasPeak = await Bun.write("/proc/self/clear_refs", "5").then(
    () => true,
    () => false,
  );
  const timer = setInterval(() => {
    sampled = Math.max(sampled, now());
  }, 5);
  return {
    baseMb,
    end() {
      clearInterval(timer);
      return Math.max(sampled, hasPeak ? readUsage(process.pid).peakMb : 0, now());
    },
  };
}

function toRow(row: BenchRow): Row {
  return {
    kind: row.kind + (row.isReal ? "" : " (stand-in)"),
    "written/s": row.writeRate ?? "-",
    "read raw/s": row.rawRate,
    "read by the store/s": row.gridRate,
    "base MB": row.baseMb,
    "raw +MB": row.rawMb,
    "store +MB": row.gridMb,
  };
}

export const buckets: Part = {
  name: "buckets",
  title:
    "A year of minutes in each kind of bucket: points per second, and memory above the process before it reads",
  run: async () => {
    const rows: Row[] = [];
    for (const kind of benchedKinds) {
      if (kind.missing) console.warn(kind.missing);
      else rows.push(toRow(await benchKind(kind)));
    }
    return rows;
  },
};

if (import.meta.main) {
  const [first, work] = Bun.argv.slice(2);
  if (first === "--child") console.log(JSON.stringify(await beChild(JSON.parse(work!))));
  else await runAlone(buckets);
}
