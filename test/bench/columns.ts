// Benchmark: a year of minutes read in each format, and how long that keeps the server thread from others.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/cli/client/client.ts";
import { medianOf } from "../../src/models/stats/median.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { readUsage } from "./process.ts";
import { ping } from "./stalls.ts";

const MINUTE_S = 60;
const YEAR = 525_600;
const BATCH = 100_000;
const RUNS = 5;
const POLL_MS = 2;

const read = `/buckets/year/_read?from=0&to=${YEAR * MINUTE_S}&bucket_interval=1m`;
const features = ["avg(v)", "avg(v);min(v);max(v);sum(v);count(v);stddev(v)"] as const;

/** One answer in a format. @param url of the read @returns its bytes */
type Ask = (url: URL) => Promise<number>;

function inColumns(accept: string): Ask {
  return async (url) => {
    const response = await fetch(url, { method: "POST", headers: { accept } });
    if (response.status !== 200) throw new Error(`the read answered ${response.status}`);
    return (await response.arrayBuffer()).byteLength;
  };
}

/** JSON is the result of a job: submitted, waited for, and read. */
async function inJson(url: URL): Promise<number> {
  const id = (await (await fetch(url, { method: "POST" })).json()) as string;
  const job = new URL(`/jobs/${id}`, url);
  for (;;) {
    const [{ state }] = (await (await fetch(`${job}?fields=result`)).json()) as [{ state: string }];
    if (state === "done") break;
    if (state === "failed") throw new Error("the read failed");
    await Bun.sleep(POLL_MS);
  }
  return (await (await fetch(job)).arrayBuffer()).byteLength;
}

const formats: Readonly<Record<string, Ask>> = {
  "JSON, a job and its result": inJson,
  "text/csv": inColumns("text/csv"),
  "application/vnd.apache.arrow.stream": inColumns("application/vnd.apache.arrow.stream"),
};

async function fill(url: string): Promise<void> {
  const client = createClient({ baseUrl: url, sleep: (ms) => Bun.sleep(ms) });
  await client.putBucket({ name: "year", type: "local" });
  for (let from = 0; from < YEAR; from += BATCH) {
    const points = Array.from({ length: Math.min(BATCH, YEAR - from) }, (_, i) => ({
      timestamp: (from + i) * MINUTE_S,
      v: Math.sin((from + i) / 100) * 50,
    }));
    await client.waitForJob(await client.write("year", points));
  }
}

/** Times without other requests, then the longest wait of others. */
async function measureFormat({ url, pid }: ServerProcess, ask: () => Promise<number>): Promise<Row> {
  const times: number[] = [];
  let bytes = 0;
  for (let run = 0; run < RUNS; run++) {
    const startedAt = performance.now();
    bytes = await ask();
    times.push(performance.now() - startedAt);
  }
  const state = { isDone: false, longest: 0 };
  const pinging = ping(`${url}/livez`, state);
  for (let run = 0; run < RUNS; run++) await ask();
  state.isDone = true;
  await pinging;
  const { peakMb } = readUsage(pid);
  return {
    "median ms": medianOf(times),
    MB: bytes / 1e6,
    "longest stall ms": state.longest,
    "peak MB": peakMb,
  };
}

export const columns: Part = {
  name: "columns",
  title: `A year of minutes by _read, ${RUNS} times (goal: longest wait of other requests 100 ms)`,
  async run() {
    const dataDir = mkdtempSync(join(tmpdir(), "bench-columns-"));
    const rows: Row[] = [];
    try {
      const filling = await startServer({ dataDir });
      await fill(filling.url);
      await filling.stop();
      // A process of its own each, as the peak of memory is that of its whole life.
      for (const text of features)
        for (const [format, ask] of Object.entries(formats)) {
          const server = await startServer({ dataDir });
          const url = new URL(`${read}&features=${text}`, server.url);
          const measured = await measureFormat(server, () => ask(url));
          rows.push({ format, features: text.split(";").length, ...measured });
          await server.stop();
        }
      return rows;
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  },
};

if (import.meta.main) await runAlone(columns);
