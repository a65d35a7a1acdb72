// Promise 14, on a real process: twenty live models survive five kills, and are watched again each time.
import { afterEach, expect, test } from "bun:test";
import { createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const MODELS = 20;
const KILLS = 5;
const POLL_MS = 50;
const DEADLINE_MS = 15_000;
const names = Array.from({ length: MODELS }, (_, i) => `m${i}`);

const dataDir = temporaryFolder();
let server: ServerProcess | undefined;

afterEach(() => server?.kill());

async function start() {
  server = await startServer({ dataDir });
  return createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
}

type Client = Awaited<ReturnType<typeof start>>;

async function trainAll(client: Client): Promise<void> {
  await client.putBucket({ name: "b", type: "local" });
  const points = Array.from({ length: 300 }, (_, i) => ({ timestamp: i, x: Math.sin(i / 4) }));
  await client.waitForJob(await client.write("b", points));
  for (const name of names) {
    const features = [{ name: "x", metric: "avg", field: "x", default: 0 }];
    const settings = { name, type: "donut", default_bucket: "b", bucket_interval: "1s", span: 12, features };
    await client.createModel(settings);
    const query = { from: 0, to: 300, max_evals: 1, epochs: 1 };
    await client.waitForJob(await client.call<string>(`POST /models/${name}/_train`, { query }));
  }
}

interface View {
  readonly settings: { readonly name: string };
  readonly live?: { readonly last_window: number | null; readonly failures: number };
}

/** Until every model has evaluated a window that ended after now. */
async function waitForAll(client: Client): Promise<void> {
  const since = Date.now();
  for (;;) {
    const views = await client.call<View[]>(`GET /models/${names.join(";")}`);
    expect(views.filter((view) => view.live)).toHaveLength(MODELS);
    const pending = views.filter(({ live }) => (live!.last_window ?? 0) * 1000 <= since);
    if (pending.length === 0) return;
    if (Date.now() - since > DEADLINE_MS)
      throw new Error(`not evaluated again: ${JSON.stringify(pending[0])}`);
    await Bun.sleep(POLL_MS);
  }
}

test("promise 14: killed five times, twenty live models are watched again within their interval or little more", async () => {
  let client = await start();
  await trainAll(client);
  await client.call(`POST /models/${names.join(";")}/_start`, {
    query: { detect_anomalies: true },
    status: 204,
  });
  await waitForAll(client);
  for (let i = 0; i < KILLS; i++) {
    await server!.kill();
    client = await start();
    await waitForAll(client);
  }
}, 150_000);
