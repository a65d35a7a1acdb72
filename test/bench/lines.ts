// Benchmark: points pushed over HTTP in batches of 5 000 points of 100 series, as Telegraf and Prometheus send them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseLines } from "../../src/buckets/line-protocol/index.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { readUsage } from "./process.ts";
import {
  BATCH,
  type Encoding,
  lineProtocol,
  makeBatch,
  otlp,
  packedLines,
  remoteWrite,
  startAt,
} from "./pushes.ts";
import { cpuNow } from "./time.ts";

const POINTS = 1_000_000;

interface Way extends Encoding {
  readonly what: string;
  readonly path: string;
  readonly bucket: string;
}

const ways: readonly Way[] = [
  { what: "/write", path: "/write?db=plain", bucket: "plain", ...lineProtocol },
  { what: "/api/v2/write, gzip", path: "/api/v2/write?bucket=packed", bucket: "packed", ...packedLines },
  ...([1, 2] as const).map((version) => ({
    what: `/api/v1/write, remote write ${version}.0`,
    path: `/api/v1/write?bucket=remote${version}`,
    bucket: `remote${version}`,
    ...remoteWrite(version),
  })),
  ...(["protobuf", "json"] as const).map((encoding) => ({
    what: `/v1/metrics, OTLP in ${encoding === "json" ? "JSON" : "protocol buffers"}`,
    path: `/v1/metrics?bucket=otlp-${encoding}`,
    bucket: `otlp-${encoding}`,
    ...otlp(encoding),
  })),
];

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
async function measureWay(server: ServerProcess, { what, path, bucket, headers, encode }: Way): Promise<Row> {
  await fetch(`${server.url}/buckets`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: bucket, type: "local" }),
  });
  let [wallMs, slowestMs] = [0, 0];
  const before = readUsage(server.pid);
  for (let number = 0; number < POINTS / BATCH; number++) {
    const init = { method: "POST", headers, body: encode(number) };
    const wallAt = performance.now();
    const { status } = await fetch(`${server.url}${path}`, init);
    const tookMs = performance.now() - wallAt;
    if (status >= 300) throw new Error(`answered ${status}`);
    wallMs += tookMs;
    slowestMs = Math.max(slowestMs, tookMs);
  }
  const cpuMs = (readUsage(server.pid).cpuS - before.cpuS) * 1000;
  return rowOf(what, { wallMs, cpuMs, slowestMs });
}

export const lines: Part = {
  name: "lines",
  title: `Points pushed into a local bucket, ${POINTS} points on one connection (goal: 200 000 points/s)`,
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
