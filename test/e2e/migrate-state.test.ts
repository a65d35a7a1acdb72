// The state of a real server moved to a real PostgreSQL and back by the command: live detection goes on, kills undo.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { openStore } from "../../src/store/db/open.ts";
import { createTrainedModel } from "../../src/store/versions.ts";
import { aVersion } from "../store/fleets/builders.ts";
import { rows } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { commandOf, type ServerProcess, startServer } from "../support/server-process.ts";
import { isServerRequired } from "../support/spawned.ts";

const SETUP_MS = 60_000;
const TEST_MS = 180_000;
const POLL_MS = 50;
/** Of a state that takes seconds to copy, 1 MB of weights each. */
const MODELS = 150;
const SECRET = "MARKER-hook-token";

if (postgresMissing) console.log(postgresMissing);

interface Anomaly {
  readonly id: string;
  readonly start: number;
}

interface View {
  readonly live?: { readonly last_window: number | null; readonly failures: number };
}

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("torus migrate-state", () => {
  const dataDir = temporaryFolder();
  const keyFile = join(dataDir, "torus.key");
  let postgres: Postgres;
  let receiver: Receiver;
  let server: ServerProcess;
  let client: Client;

  const inDatabase = () => ({
    PG_PASSWORD: owner.password,
    TORUS_STORAGE_KEY_FILE: keyFile,
    TORUS_STORAGE_URL: `postgres://${owner.user}:${owner.password}@${postgres.addr}/${postgres.database}`,
  });
  const settings = { TORUS_TRAINING_STEPS: "60", TORUS_HOOKS_WEBHOOK_PRIVATE_ADDRESSES: "true" };
  const startOn = async (env: Readonly<Record<string, string>>) => {
    server = await startServer({ dataDir, env: { ...settings, ...env } });
    client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
  };
  const spawn = (args: readonly string[], env: Readonly<Record<string, string>>) => {
    const rest = Object.entries(process.env).filter(([name]) => !name.startsWith("TORUS_"));
    return Bun.spawn([...commandOf(), "migrate-state", ...args], {
      env: { ...Object.fromEntries(rest), ...env },
      stdout: "pipe",
      stderr: "pipe",
    });
  };
  const migrate = async (args: readonly string[], env: Readonly<Record<string, string>> = inDatabase()) => {
    const child = spawn(args, env);
    const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()];
    const [out, err] = await Promise.all(texts);
    return { code: await child.exited, out: out!, err: err! };
  };
  const until = async (isReached: () => Promise<boolean>) => {
    while (!(await isReached())) await Bun.sleep(POLL_MS);
  };
  const view = async () => (await client.call<View[]>("GET /models/m"))[0]!;
  /** Until a window that ended later than now was evaluated. */
  const untilEvaluated = (since = Date.now() / 1000) =>
    until(async () => ((await view()).live?.last_window ?? 0) > since);
  /** What the move must not change. */
  const look = async () => ({
    jobs: await client.call<unknown>("GET /jobs"),
    // Scores of one that lasts change.
    anomalies: (await client.call<Anomaly[]>("GET /anomalies")).map(({ id, start }) => [id, start]),
    versions: await client.call<unknown>("GET /models/m/versions"),
    tokens: await client.call<unknown>("GET /tokens"),
  });
  const startsOf = () => receiver.posts.filter(({ body }) => body.includes("anomaly_start"));

  beforeAll(async () => {
    postgres = await startPostgres();
    receiver = startReceiver();
    await startOn({});
  }, SETUP_MS);
  afterAll(async () => {
    await server?.kill();
    await receiver?.stop();
    await postgres?.stop();
  });

  test(
    "a live model with an ongoing anomaly is refused while its server runs",
    async () => {
      await client.putBucket({ name: "b", type: "local" });
      const nowS = Math.floor(Date.now() / 1000);
      const points = Array.from({ length: 1200 }, (_, i) => ({
        timestamp: nowS - 600 + i,
        x: i < 610 ? Math.sin(i / 4) : 50,
      }));
      await client.waitForJob(await client.write("b", points));
      const features = [{ name: "x", metric: "avg", field: "x", default: 0 }];
      await client.createModel({
        ...{ name: "m", type: "donut", default_bucket: "b", bucket_interval: "1s", offset: "1s", span: 12 },
        ...{ features, max_threshold: 40, min_threshold: 20 },
      });
      const config = { url: receiver.url, headers: { authorization: `Bearer ${SECRET}` } };
      await client.call("POST /hooks", { body: { type: "webhook", name: "w", config }, status: 201 });
      await client.waitForJob(await client.train("m", { from: nowS - 600, to: nowS, max_evals: 1 }));
      await client.call("POST /models/m/_start", { query: { detect_anomalies: true }, status: 204 });
      await until(async () => startsOf().length > 0);
      const { code, err } = await migrate(["--data-dir", dataDir, "--without-local"]);
      expect([code, err]).toEqual([1, expect.stringContaining("is in use by another server: stop it")]);
      expect(err).not.toContain(owner.password);
    },
    TEST_MS,
  );

  test(
    "a server on the database goes on where the one on the file was; so does one on the file that it is moved back to",
    async () => {
      await server.stop();
      const local = await migrate(["--data-dir", dataDir]);
      expect([local.code, local.err]).toEqual([
        1,
        expect.stringContaining("the points of the buckets b are files"),
      ]);

      await startOn({});
      const before = await look();
      await server.stop();
      const target = `postgres://${owner.user}:\${PG_PASSWORD}@${postgres.addr}/${postgres.database}`;
      const { TORUS_STORAGE_URL: _, ...env } = inDatabase();
      const there = await migrate(["--data-dir", dataDir, "--without-local", "--to", target], env);
      expect(there).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^TABLE +ROWS\n[\s\S]*^versions +1$/m),
      });
      expect(there.err).toContain("next: set storage.url to the database");
      expect(existsSync(join(dataDir, "torus.db"))).toBe(false);

      await startOn(inDatabase());
      expect(await look()).toEqual(before);
      await untilEvaluated();
      expect((await view()).live!.failures).toBe(0);
      const later = await look();
      expect(later.anomalies).toEqual(before.anomalies);
      await server.stop();

      const back = await migrate(["--data-dir", dataDir, "--to", dataDir]);
      expect([back.code, back.err]).toEqual([0, expect.stringContaining("next: remove storage.url")]);
      await startOn({});
      expect(await look()).toEqual(later);
      await untilEvaluated();
      expect(startsOf()).toHaveLength(1);
      await server.stop();
    },
    TEST_MS,
  );

  test(
    "killed in the middle it leaves both as they were; the next run takes all",
    async () => {
      const from = temporaryFolder();
      const to = join(temporaryFolder(), "back");
      const store = openStore({ dir: from, sealing: { secretsOf: () => [] } });
      for (let i = 0; i < MODELS; i++) {
        const { model: _, ...version } = aVersion({ weights: new Float32Array(250_000).fill(i) });
        await createTrainedModel(store, { model: { name: `m${i}`, settings: aModel() }, version }, 1);
      }
      store.close();
      const env = { ...inDatabase(), TORUS_STORAGE_KEY_FILE: join(from, "torus.key") };
      const sql = postgres.connect();
      const countOf = async (what: string) =>
        Number((await sql.unsafe(`select count(*) as n from ${what}`))[0].n);
      await sql.unsafe("drop schema torus cascade");
      /** Kills the command while it runs a statement. */
      const killAt = async (statement: string, args: readonly string[]) => {
        const child = spawn(args, env);
        const active = `pg_stat_activity where query like '${statement}%' and pid <> pg_backend_pid()`;
        await until(async () => child.exitCode !== null || (await countOf(active)) > 0);
        child.kill("SIGKILL");
        await child.exited;
        expect(child.signalCode).toBe("SIGKILL");
      };

      await killAt('insert into "versions"', ["--data-dir", from]);
      expect(readdirSync(from).filter((name) => name.startsWith("torus.db.migrated"))).toEqual([]);
      await until(async () => (await countOf("pg_stat_activity where query like 'insert into%'")) === 0);
      expect(await countOf("torus.models")).toBe(0);
      expect(await migrate(["--data-dir", from], env)).toMatchObject({ code: 0 });
      expect(await countOf("torus.versions where length(weights) = 1000000")).toBe(MODELS);

      await killAt("fetch % from versions_rows", ["--to", to]);
      expect(existsSync(join(to, "torus.db"))).toBe(false);
      expect(await countOf("torus.versions")).toBe(MODELS);
      await until(async () => (await countOf("pg_stat_activity where query like 'fetch%'")) === 0);
      await sql.close();
      expect(await migrate(["--to", to], env)).toMatchObject({ code: 0 });
      const again = openStore({ dir: to });
      expect(await rows(again, "select count(*), sum(length(weights)) from versions")).toEqual([
        [MODELS, MODELS * 1_000_000],
      ]);
      again.close();
    },
    TEST_MS,
  );
});
