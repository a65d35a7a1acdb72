// Prints how fast a server takes line protocol over HTTP: batches of 5 000 points of 100 series, as Telegraf sends them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../support/server-process.ts";

const POINTS = Number(Bun.argv[2] ?? 2_000_000);
const BATCH = 5000;
const SERIES = 100;
const startAt = Date.UTC(2026, 0, 1);

/** Points of the batch number `number`: one every 10 s and series. */
function makeBatch(number: number): string {
  const lines = Array.from({ length: BATCH }, (_, i) => {
    const index = number * BATCH + i;
    const at = startAt + Math.floor(index / SERIES) * 10_000;
    return `cpu,host=host-${index % SERIES},region=eu usage=${(index % 997) / 10} ${at}000000`;
  });
  return lines.join("\n");
}

const dataDir = mkdtempSync(join(tmpdir(), "bench-lines-"));
const server = await startServer({ dataDir });
const json = { "content-type": "application/json" };
for (const [label, path, packed] of [
  ["/write", "/write?db=", false],
  ["/api/v2/write, gzip", "/api/v2/write?bucket=", true],
] as const) {
  const name = packed ? "packed" : "plain";
  const body = JSON.stringify({ name, type: "local" });
  await fetch(`${server.url}/buckets`, { method: "POST", headers: json, body });
  const headers: Record<string, string> = packed ? { "content-encoding": "gzip" } : {};
  let spentMs = 0;
  let slowestMs = 0;
  for (let number = 0; number < POINTS / BATCH; number++) {
    const lines = Buffer.from(makeBatch(number));
    const init = { method: "POST", headers, body: packed ? Bun.gzipSync(lines) : lines };
    const begunAt = performance.now();
    const { status } = await fetch(`${server.url}${path}${name}`, init);
    const tookMs = performance.now() - begunAt;
    if (status !== 204) throw new Error(`answered ${status}`);
    spentMs += tookMs;
    slowestMs = Math.max(slowestMs, tookMs);
  }
  const rate = Math.round((POINTS / spentMs) * 1000);
  console.log(`${label}: ${rate} points/s on one connection, slowest batch ${slowestMs.toFixed(0)} ms`);
}
await server.stop();
rmSync(dataDir, { recursive: true });
