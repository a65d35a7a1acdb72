// Promise 1, on a real process: clients write without a pause, the server is killed again and again, nothing is lost.
import { afterEach, expect, test } from "bun:test";
import { createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const KILLS = 8;
const CLIENTS = 4;

const dataDir = temporaryFolder();
let server: ServerProcess | undefined;
afterEach(() => server?.kill());

/** What the server has said is written. */
const models: string[] = [];
const points: number[] = [];
let next = 0;

async function writeModel(url: string): Promise<void> {
  const name = `m${next++}`;
  const features = [{ name: "x", metric: "avg", field: "x" }];
  const body = JSON.stringify({ name, type: "donut", bucket_interval: "1m", features });
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(`${url}/models`, { method: "POST", headers, body });
  if (status !== 201) throw new Error(`POST /models answered ${status}`);
  models.push(name);
}

async function writePoint(url: string): Promise<void> {
  const at = next++;
  const { status } = await fetch(`${url}/write?db=b&precision=s`, { method: "POST", body: `p x=1 ${at}` });
  if (status !== 204) throw new Error(`POST /write answered ${status}`);
  points.push(at);
}

/** Writes until the server is gone: only a connection that broke is no fault. */
async function writeOn(url: string, gone: AbortSignal): Promise<void> {
  for (let i = 0; ; i++) {
    try {
      await (i % 2 === 0 ? writeModel(url) : writePoint(url));
    } catch (error) {
      if (gone.aborted) return;
      throw error;
    }
  }
}

test("promise 1: killed eight times while clients write: every model and point that was acknowledged is there", async () => {
  for (let kill = 0; kill <= KILLS; kill++) {
    // Heads so small that points become blocks all the time.
    server = await startServer({ dataDir, env: { TORUS_SERVER_LIMITS_HEAD_POINTS: "40" } });
    const client = createClient({ baseUrl: server.url, sleep: () => Bun.sleep(10) });
    if (kill === 0) await client.putBucket({ name: "b", type: "local" });
    const there = await client.call<{ settings: { name: string } }[]>("GET /models");
    const names = new Set(there.map(({ settings }) => settings.name));
    expect(models.filter((name) => !names.has(name))).toEqual([]);
    expect(await readPoints(client)).toEqual(expect.arrayContaining(points));
    if (kill === KILLS) break;
    const gone = new AbortController();
    const before = next;
    const writers = Array.from({ length: CLIENTS }, () => writeOn(server!.url, gone.signal));
    // Each time at another place of what is under way.
    while (next - before < 40 + 7 * kill) await Bun.sleep(1);
    gone.abort();
    await server.kill();
    await Promise.all(writers);
  }
  expect(models.length).toBeGreaterThan(100);
  expect(points.length).toBeGreaterThan(100);
}, 180_000);

async function readPoints(client: ReturnType<typeof createClient>): Promise<number[]> {
  const query = { from: 0, to: next + 1, bucket_interval: 1, features: "count(p.x)" };
  const job = await client.waitForJob(await client.call<string>("POST /buckets/b/_read", { query }));
  const { timestamps, observed } = job.result as { timestamps: number[]; observed: Record<string, number[]> };
  const [counts] = Object.values(observed);
  return timestamps.filter((_, i) => counts![i] === 1);
}
