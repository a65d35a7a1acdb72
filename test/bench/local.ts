// Prints how fast the local bucket writes and reads: 10 M points of 100 series over 30 days, batches of 5 000.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Point } from "../../src/buckets/kind.ts";
import { local } from "../../src/buckets/local/index.ts";

const POINTS = Number(Bun.argv[2] ?? 10_000_000);
const BATCH = 5000;
const SERIES = 100;
const DAYS = 30;
const MINUTE = 60_000;
const startAt = Date.UTC(2026, 0, 1);
const range = { fromAt: startAt, toAt: startAt + DAYS * 24 * 60 * MINUTE };
const stepMs = ((range.toAt - range.fromAt) * SERIES) / POINTS;
const { signal } = new AbortController();

function makeBatch(number: number): Point[] {
  return Array.from({ length: BATCH }, (_, i) => {
    const index = number * BATCH + i;
    const host = `host-${index % SERIES}`;
    const at = Math.floor(startAt + Math.floor(index / SERIES) * stepMs);
    return { at, fields: { usage: (index % 997) / 10 }, tags: { host, region: "eu" } };
  });
}

/** Runs `work` and answers its time and the longest time the event loop was held, both in ms. */
async function time(work: () => Promise<unknown>) {
  let held = 0;
  let lastAt = performance.now();
  const ticker = setInterval(() => {
    held = Math.max(held, performance.now() - lastAt);
    lastAt = performance.now();
  }, 0);
  const begunAt = performance.now();
  await work();
  const took = performance.now() - begunAt;
  clearInterval(ticker);
  return { took, held };
}

const dataDir = mkdtempSync(join(tmpdir(), "bench-local-"));
const bucket = local.open("bench", {}, { dataDir });
let spent = 0;
let slowest = 0;
for (let number = 0; number < POINTS / BATCH; number++) {
  const batch = makeBatch(number);
  const begunAt = performance.now();
  await bucket.write!(batch, { measurement: "cpu" }, signal);
  const took = performance.now() - begunAt;
  spent += took;
  slowest = Math.max(slowest, took);
}
console.log(`write: ${Math.round((POINTS / spent) * 1000)} points/s, slowest batch ${slowest.toFixed(1)} ms`);

const one = [{ tag: "host", value: "host-7" }];
for (const [label, tags] of [
  ["1 of 100 series", one],
  ["all 100 series", []],
] as const) {
  for (const metrics of [["avg"], ["count", "avg", "min", "max", "stddev"], ["95percentile"], ["rate"]]) {
    const features = metrics.map((metric) => ({ name: `f-${metric}`, metric, field: "usage", tags }));
    const runs = [];
    for (let i = 0; i < 3; i++) {
      runs.push(await time(() => bucket.read({ range, intervalMs: MINUTE, features }, signal)));
    }
    const text = runs.map(({ took, held }) => `${took.toFixed(0)} ms (loop held ${held.toFixed(0)} ms)`);
    console.log(`read 30 d of 1 min, ${label}, ${metrics.join("+")}: ${text.join(", ")}`);
  }
}
bucket.close();
rmSync(dataDir, { recursive: true });
