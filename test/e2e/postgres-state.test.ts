// A real server whose state is on a real PostgreSQL: work, restarts, outages of the database, files of one server.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hostname } from "node:os";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { runServer, type ServerProcess, startServer } from "../support/server-process.ts";
import { isServerRequired } from "../support/spawned.ts";

const SETUP_MS = 60_000;
const TEST_MS = 180_000;
const POLL_MS = 50;
/** Longer than a few live intervals, shorter than a client's patience. */
const OUTAGE_MS = 5000;
const SECRET = "MARKER-hook-token";
const reachable = { TORUS_HOOKS_WEBHOOK_PRIVATE_ADDRESSES: "true" };
const KEY = "kl3pq2Jx0m7Q5dQXc1m1o0nV8yqJmW3b9x7v6u5t4s0=";

if (postgresMissing) console.log(postgresMissing);

interface View {
  readonly live?: { readonly last_window: number | null; readonly failures: number };
}

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("state on PostgreSQL", () => {
  const dataDir = temporaryFolder();
  let postgres: Postgres;
  let receiver: Receiver;
  let server: ServerProcess;
  let client: Client;

  const urlOf = () => `postgres://${owner.user}:${owner.password}@${postgres.addr}/${postgres.database}`;
  const env = () => ({
    TORUS_KEY: KEY,
    TORUS_STORAGE_URL: urlOf(),
    TORUS_TRAINING_STEPS: "60",
    ...reachable,
  });
  const start = async (onLine?: (line: string) => void) => {
    server = await startServer({ dataDir, env: env(), ...(onLine && { onLine }) });
    client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
  };
  const until = async (isReached: () => Promise<boolean>) => {
    while (!(await isReached())) await Bun.sleep(POLL_MS);
  };
  const view = async () => (await client.call<View[]>("GET /models/m"))[0]!;
  /** Until a window that ended later than now was evaluated. */
  const untilEvaluated = (since = Date.now() / 1000) =>
    until(async () => ((await view()).live?.last_window ?? 0) > since);
  const status = async (path: string, init?: RequestInit) =>
    (await fetch(`${server.url}${path}`, init)).status;

  beforeAll(async () => {
    postgres = await startPostgres();
    receiver = startReceiver();
    await start();
  }, SETUP_MS);
  afterAll(async () => {
    await server?.kill();
    await receiver?.stop();
    await postgres?.stop();
  });

  test(
    "a model is trained, forecasts, watches, and its hook is called",
    async () => {
      await client.putBucket({ name: "b", type: "local" });
      const nowS = Math.floor(Date.now() / 1000);
      const points = Array.from({ length: 600 }, (_, i) => ({
        timestamp: nowS - 600 + i,
        x: Math.sin(i / 4),
      }));
      await client.waitForJob(await client.write("b", points));
      const features = [{ name: "x", metric: "avg", field: "x", default: 0 }];
      await client.createModel({
        ...{
          name: "m",
          type: "donut",
          default_bucket: "b",
          bucket_interval: "1s",
          offset: "1s",
          span: 12,
          features,
        },
        ...{ max_threshold: 40, min_threshold: 20 },
      });
      const config = { url: receiver.url, headers: { authorization: `Bearer ${SECRET}` } };
      await client.call("POST /hooks", { body: { type: "webhook", name: "w", config }, status: 201 });
      await client.waitForJob(await client.train("m", { from: nowS - 600, to: nowS, max_evals: 1 }));
      expect((await client.forecast("m", { from: nowS, to: nowS + 30 })).timestamps).toHaveLength(30);
      await client.call("POST /models/m/_start", { query: { detect_anomalies: true }, status: 204 });
      await untilEvaluated();
      expect((await view()).live!.failures).toBe(0);
      await client.call("POST /hooks/w/_test");
      await until(async () =>
        receiver.posts.some(({ headers }) => headers.get("authorization")?.endsWith(SECRET)),
      );
      const rows = (await postgres.connect().unsafe("select config from torus.global_hooks")) as {
        config: string;
      }[];
      expect(JSON.stringify(rows)).not.toContain(SECRET);
    },
    TEST_MS,
  );

  test("a second server is refused beside files with points, naming the bucket; no secret is shown", async () => {
    const { exitCode, output } = await runServer({ dataDir: temporaryFolder(), env: env() });
    expect(exitCode).toBe(1);
    expect(output).toContain(`bucket b (local) keeps points in files of the server on ${hostname()}`);
    expect(output).not.toContain(owner.password);
  });

  test("another key is refused", async () => {
    await server.stop();
    const other = { ...env(), TORUS_KEY: Buffer.alloc(32, 7).toString("base64") };
    const { exitCode, output } = await runServer({ dataDir, env: other });
    expect(exitCode).toBe(1);
    expect(output).toContain("sealed with the key");
    const { TORUS_KEY: _, ...keyless } = env();
    expect((await runServer({ dataDir, env: keyless })).output).toContain("storage.key_file: is required");
    await start();
  });

  test(
    "killed and started again, the model is watched again",
    async () => {
      await server.kill();
      await start();
      await untilEvaluated();
    },
    TEST_MS,
  );

  test(
    "a database that crashes while the server starts, after it was opened, is waited for",
    async () => {
      await server.stop();
      const session = postgres.connect();
      await session.unsafe("begin");
      await session.unsafe("lock table torus.nodes in access exclusive mode");
      const lines: string[] = [];
      const starting = start((line) => lines.push(line));
      const blocked = "select count(*) from pg_locks where not granted";
      await until(async () => Number((await session.unsafe(blocked).values())[0][0]) > 0);
      await postgres.crash();
      await postgres.resume();
      await starting;
      await session.close({ timeout: 0 });
      expect(lines.filter((line) => line.includes("starting anew")).length).toBeGreaterThan(0);
      await untilEvaluated();
    },
    TEST_MS,
  );

  test(
    "promise 4: a database that crashes and comes back: 503 meanwhile, then all goes on without a restart",
    async () => {
      await postgres.crash();
      const put = { method: "POST", body: JSON.stringify({ name: "c", type: "local" }) };
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${server.url}/buckets`, { ...put, headers });
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await answer.json()).toMatchObject({ code: "storage_unavailable" });
      await until(async () => (await status("/readyz")) === 503);
      await Bun.sleep(OUTAGE_MS);
      await postgres.resume();
      const since = Date.now() / 1000;
      await until(async () => (await status("/readyz")) === 200);
      await untilEvaluated(since);
      expect(await status("/buckets", { ...put, headers })).toBeLessThan(300);
      expect(server.lines.join("\n")).not.toContain(owner.password);
    },
    TEST_MS,
  );

  test(
    "a server that is started while the database restarts waits for it",
    async () => {
      await server.stop();
      await postgres.crash();
      const waits = Promise.withResolvers<void>();
      const starting = start((line) => line.includes("waiting for it") && waits.resolve());
      await Promise.race([waits.promise, starting]);
      await postgres.resume();
      await starting;
      // Its live windows are late by the outage.
      await until(async () => (await status("/readyz")) === 200);
      const said = server.lines.filter((line) => line.includes("the database cannot be used: waiting"));
      expect(said).toHaveLength(1);
      await untilEvaluated();
    },
    TEST_MS,
  );

  test("a backup names pg_dump", async () => {
    const answer = await fetch(`${server.url}/_backup`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "not_supported",
      error: expect.stringContaining("pg_dump"),
    });
  });

  test("stopped, it leaves the database to the next server at once", async () => {
    expect(await server.stop()).toBe(0);
    await start();
    expect(await status("/models/m")).toBe(200);
  });
});
