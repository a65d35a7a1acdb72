// Benchmark: GET of a model, a different one by each connection, on SQLite and on a PostgreSQL of this machine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { medianOf } from "../../src/models/stats/median.ts";
import { owner, postgresMissing, startPostgres } from "../support/postgres.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type Measured, measureLoad, pinTo } from "./http-load.ts";
import { type Part, type Row, runAlone } from "./part.ts";

const MODELS = 64;
const ROUNDS = 5;
const SECONDS = 2;

async function measureGets(): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), "torus-bench-"));
  if (postgresMissing) console.log(postgresMissing);
  const database = postgresMissing ? undefined : await startPostgres({ fsync: true });
  const servers = new Map<string, ServerProcess>();
  try {
    servers.set("SQLite", await startServer({ dataDir: join(dir, "sqlite"), prefix: pinTo(1) }));
    if (database) {
      const env = {
        TORUS_KEY: Buffer.alloc(32, 3).toString("base64"),
        TORUS_STORAGE_URL: `postgres://${owner.user}:${owner.password}@${database.addr}/${database.database}`,
      };
      servers.set("PostgreSQL", await startServer({ dataDir: join(dir, "shared"), env, prefix: pinTo(1) }));
    }
    for (const { url } of servers.values()) await createModels(url);
    const rows: Row[] = [];
    for (const connections of [1, 16, 64]) rows.push(...(await compare(servers, connections)));
    return rows;
  } finally {
    for (const server of servers.values()) await server.kill();
    await database?.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function createModels(url: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
  await post("/buckets", {
    name: "b",
    type: "influxdb",
    addr: "127.0.0.1:1",
    database: "d",
    measurement: "m",
  });
  const features = [{ name: "load", metric: "avg", field: "load" }];
  const shape = { type: "donut", default_bucket: "b", bucket_interval: "1m", features };
  for (let i = 0; i < MODELS; i++) await post("/models", { ...shape, name: `m${i}` });
}

/** Medians of rounds that are interleaved over the servers. */
async function compare(servers: ReadonlyMap<string, ServerProcess>, connections: number): Promise<Row[]> {
  const found = new Map<string, Measured[]>([...servers.keys()].map((state) => [state, []]));
  const paths = Array.from({ length: MODELS }, (_, i) => `/models/m${i}`);
  for (let round = 0; round < ROUNDS; round++)
    for (const [state, { url }] of servers)
      found.get(state)!.push(await measureLoad({ url, paths, connections, seconds: SECONDS }));
  return [...found].map(([state, rounds]) => {
    const median = (pick: (measured: Measured) => number) => medianOf(rounds.map(pick));
    const times = { "p50 ms": median(({ p50 }) => p50), "p99 ms": median(({ p99 }) => p99) };
    const perSecond = median((each) => each.perSecond);
    return { state, connections, "GET/s": perSecond, ...times, "CPU µs": median((each) => each.cpuUs) };
  });
}

export const gets: Part = {
  name: "gets",
  title: `GET of a model, a different one by each connection, ${SECONDS} s each, medians of ${ROUNDS}`,
  run: measureGets,
};

if (import.meta.main) await runAlone(gets);
