// Benchmark: requests per second and p99 of dashboard requests: idle, during trainings, and per guard.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../support/server-process.ts";
import { load, type Measured, measureLoad, pinTo } from "./http-load.ts";
import { JOBS, MODELS, seed, train } from "./http-world.ts";
import { type Part, type Row, runAlone } from "./part.ts";

const CONNECTIONS = 16;
const SECONDS = 4;
const size = { connections: CONNECTIONS, seconds: SECONDS };
/** Warms up the compiler. */
const WARM_UP_S = 2;

interface HttpRow extends Measured {
  readonly server: string;
  readonly path: string;
  /** Requests per second, of those of a bare framework with one look-up in the same run. */
  readonly ratio: number;
}

interface Target {
  readonly server: string;
  readonly url: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server has one core and its client another, where there are two. */
async function measureAll(): Promise<HttpRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "torus-bench-"));
  try {
    const jobId = await seed(dataDir);
    const bare = await measureBare();
    const measure = async (target: Target): Promise<HttpRow> => {
      const { server, url, path, headers = {} } = target;
      const found = await measureLoad({ ...size, url: url + path, headers });
      return { server, path: path.replace(jobId, "<id>"), ...found, ratio: found.perSecond / bare.perSecond };
    };
    const reference = { server: "bare framework", path: "/jobs/<id>", ...bare, ratio: 1 };
    const guarded = await measureGuards({ dataDir, job: `/jobs/${jobId}`, measure });
    return [reference, ...(await measureRoutes({ dataDir, job: `/jobs/${jobId}`, measure })), ...guarded];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Bench {
  readonly dataDir: string;
  /** Path of a job. */
  readonly job: string;
  readonly measure: (target: Target) => Promise<HttpRow>;
}

async function measureBare(): Promise<Measured> {
  const command = [...pinTo(1), process.execPath, join(import.meta.dir, "http-world.ts")];
  const child = Bun.spawn(command, { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const url = `${new TextDecoder().decode(value).trim()}jobs/500`;
  await load({ url, connections: CONNECTIONS, seconds: WARM_UP_S });
  const found = await measureLoad({ ...size, url });
  child.kill();
  await child.exited;
  return found;
}

async function measureRoutes({ dataDir, job, measure }: Bench): Promise<HttpRow[]> {
  const byTime = "/jobs?page=0&sort=start_timestamp:-1";
  const paths = [job, "/models/m500", "/buckets/b", "/models", "/models?page=0", "/jobs?page=0", byTime];
  const server = await startServer({ dataDir, prefix: pinTo(1) });
  const rows: HttpRow[] = [];
  const run = async (state: string) => {
    for (const path of paths) rows.push(await measure({ server: state, url: server.url, path }));
  };
  await load({ url: `${server.url}${job}`, connections: CONNECTIONS, seconds: WARM_UP_S });
  await run("idle");
  await train(server.url);
  await run("two trainings");
  await server.kill();
  return rows;
}

/** The same query with each guard. A server each, so that none runs code compiled for another. */
async function measureGuards({ dataDir, job: path, measure }: Bench): Promise<HttpRow[]> {
  const rows: HttpRow[] = [];
  const run = async (server: string, { args = [], authorize }: Guard = {}) => {
    const { url, stop } = await startServer({ dataDir, args, prefix: pinTo(1) });
    const headers = authorize ? { authorization: authorize(await makeToken(url)) } : {};
    await load({ url: url + path, headers, connections: CONNECTIONS, seconds: WARM_UP_S });
    rows.push(await measure({ server, url, path, headers }));
    if (authorize) await fetch(`${url}/tokens/bench`, { method: "DELETE", headers });
    await stop();
  };
  await run("as it is");
  await run("a line in the log for each request", { args: ["--log-level", "debug"] });
  await run("bearer token", { authorize: (secret) => `Bearer ${secret}` });
  await run("basic authentication", { authorize: (secret) => `Basic ${btoa(`bench:${secret}`)}` });
  return rows;
}

interface Guard {
  readonly args?: readonly string[];
  readonly authorize?: (secret: string) => string;
}

async function makeToken(url: string): Promise<string> {
  const body = JSON.stringify({ name: "bench", scope: "admin" });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/tokens`, { method: "POST", body, headers });
  return ((await response.json()) as { token: string }).token;
}

export const http: Part = {
  name: "http",
  title: `REST: ${MODELS} models, ${JOBS} jobs, ${CONNECTIONS} connections, one core for the server, ${SECONDS} s each`,
  run: async () =>
    (await measureAll()).map(
      ({ server, path, perSecond, p50, p99, ratio, cpuUs }): Row => ({
        server,
        path,
        "requests/s": perSecond,
        "p50 ms": p50,
        "p99 ms": p99,
        "of bare": ratio,
        "CPU µs": cpuUs,
      }),
    ),
};

if (import.meta.main) await runAlone(http);
