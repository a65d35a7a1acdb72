// Benchmark: line protocol over HTTP, in batches of 5 000 points of 100 series, as Telegraf sends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseLines } from "../../src/buckets/line-protocol/index.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { readUsage } from "./process.ts";
import { cpuNow } from "./time.ts";

const POINTS = 1_000_000;
const BATCH = 5000;
const SERIES = 100;
const startAt = Date.UTC(2026, 0, 1);

const ways = [
  { what: "/write", path: "/write?db=plain", bucket: "plain", isPacked: false },
  { what: "/api/v2/write, gzip", path: "/api/v2/write?bucket=packed", bucket: "packed", isPacked: true },
];

/** Points of the batch number `number`: one every 10 s and series. */
function makeBatch(number: number): string {
  const lines = Array.from({ length: BATCH }, (_, i) => {
    const index = number * BATCH + i;
    const at = startAt + Math.floor(index / SERIES) * 10_000;
    return `cpu,host=host-${index % SERIES},region=eu usage=${(index % 997) / 10} ${at}000000`;
  });
  return lines.join("\n");
}

function rowOf(
  what: string,
  { wallMs, cpuMs, slowestMs }: Record<"wallMs" | "cpuMs" | "slowestMs", number>,
): Row {
  return {
    what,
    "points/s": Math.round((POINTS / wallMs) * 1000),
    "points/s of CPU": Math.round((POINTS / cpuMs) * 1000),
    "slowest batch ms": slowestMs,
  };
}

function measureParsing(): Row {
  let [wallMs, cpuMs, slowestMs] = [0, 0, 0];
  for (let number = 0; number < POINTS / BATCH; number++) {
    const text = makeBatch(number);
    const [wallAt, cpuAt] = [performance.now(), cpuNow()];
    parseLines(text, { precision: "ns", nowAt: startAt });
    const tookMs = performance.now() - wallAt;
    wallMs += tookMs;
    cpuMs += cpuNow() - cpuAt;
    slowestMs = Math.max(slowestMs, tookMs);
  }
  return rowOf("parsing alone", { wallMs, cpuMs, slowestMs });
}

/** CPU time is that of all threads of the server. */
async function measureWay(
  server: ServerProcess,
  { what, path, bucket, isPacked }: (typeof ways)[number],
): Promise<Row> {
  await fetch(`${server.url}/buckets`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: bucket, type: "local" }),
  });
  const headers: Record<string, string> = isPacked ? { "content-encoding": "gzip" } : {};
  let [wallMs, slowestMs] = [0, 0];
  const before = readUsage(server.pid);
  for (let number = 0; number < POINTS / BATCH; number++) {
    const lines = Buffer.from(makeBatch(number));
    const init = { method: "POST", headers, body: isPacked ? Bun.gzipSync(lines) : lines };
    const wallAt = performance.now();
    const { status } = await fetch(`${server.url}${path}`, init);
    const tookMs = performance.now() - wallAt;
    if (status !== 204) throw new Error(`answered ${status}`);
    wallMs += tookMs;
    slowestMs = Math.max(slowestMs, tookMs);
  }
  const cpuMs = (readUsage(server.pid).cpuS - before.cpuS) * 1000;
  return rowOf(what, { wallMs, cpuMs, slowestMs });
}

export const lines: Part = {
  name: "lines",
  title: `Line protocol into a local bucket, ${POINTS} points on one connection (goal: 200 000 points/s)`,
  async run() {
    const dataDir = mkdtempSync(join(tmpdir(), "bench-lines-"));
    const server = await startServer({ dataDir });
    try {
      const rows = [measureParsing()];
      for (const way of ways) rows.push(await measureWay(server, way));
      return rows;
    } finally {
      await server.stop();
      rmSync(dataDir, { recursive: true });
    }
  },
};

if (import.meta.main) await runAlone(lines);
