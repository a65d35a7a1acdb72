// Failover of a replicated PostgreSQL under a real server: what was acknowledged is there, and it goes on by itself.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { owner, postgresMissing } from "../support/postgres.ts";
import { type PostgresPair, startPostgresPair } from "../support/postgres-pair.ts";
import { runServer, type ServerProcess, startServer } from "../support/server-process.ts";
import { isServerRequired } from "../support/spawned.ts";

const SETUP_MS = 60_000;
const TEST_MS = 180_000;
const POLL_MS = 20;
/** From the promotion to the first write that is taken. */
const RESUME_MS = 10_000;
const MIN_WRITES = 50;
const writers = [0, 1, 2, 3];
const KEY = Buffer.alloc(32, 3).toString("base64");

if (postgresMissing) console.log(postgresMissing);

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("a database with a standby", () => {
  let pair: PostgresPair;
  let server: ServerProcess;
  const urlOf = (...addresses: readonly string[]) =>
    `postgres://${owner.user}:${owner.password}@${addresses.join(",")}/postgres?target_session_attrs=read-write`;
  const envOf = (url: string) => ({ TORUS_KEY: KEY, TORUS_STORAGE_URL: url });
  const until = async (isReached: () => boolean | Promise<boolean>) => {
    while (!(await isReached())) await Bun.sleep(POLL_MS);
  };
  const isReady = async () => (await fetch(`${server.url}/readyz`)).status === 200;

  beforeAll(async () => {
    pair = await startPostgresPair();
  }, SETUP_MS);
  afterAll(async () => {
    await server?.kill();
    await pair?.stop();
  });

  test("is found in either order of the address; a standby alone is refused with the way out", async () => {
    server = await startServer({ dataDir: temporaryFolder(), env: envOf(urlOf(pair.standby, pair.primary)) });
    await server.stop();
    const { exitCode, output } = await runServer({
      dataDir: temporaryFolder(),
      env: envOf(urlOf(pair.standby)),
    });
    expect(exitCode).toBe(1);
    expect(output).toContain("takes no writes (a standby): name the primary, or all servers as in");
    expect(output).not.toContain(owner.password);
  });

  test(
    "that is promoted has all acknowledged writes, and the server goes on without a restart",
    async () => {
      const env = envOf(urlOf(pair.primary, pair.standby));
      server = await startServer({ dataDir: temporaryFolder(), env });
      const client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
      const acknowledged: string[] = [];
      const refused: number[] = [];
      let isStopped = false;
      const write = async (writer: number) => {
        for (let i = 0; !isStopped; i++) {
          const name = `b-${writer}-${i}`;
          const answer = await fetch(`${server.url}/buckets`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ name, type: "local" }),
          });
          await answer.text();
          if (answer.ok) acknowledged.push(name);
          else refused.push(answer.status);
          await Bun.sleep(POLL_MS);
        }
      };
      const writing = writers.map(write);
      await until(() => acknowledged.length >= MIN_WRITES);
      await pair.killPrimary();
      // At first, the primary that ends says so itself.
      await until(async () => {
        const { error } = (await (await fetch(`${server.url}/readyz`)).json()) as { error?: string };
        return (
          error?.includes("no server of the database takes writes, though a standby answers: promote it") ??
          false
        );
      });
      const before = acknowledged.length;
      await pair.promote();
      const promotedAt = performance.now();
      await until(() => acknowledged.length >= before + MIN_WRITES);
      expect(performance.now() - promotedAt).toBeLessThan(RESUME_MS);
      isStopped = true;
      await Promise.all(writing);
      await until(isReady);
      expect(new Set(refused)).toEqual(new Set([503]));
      const found = await client.call<{ name: string }[]>("GET /buckets");
      const names = new Set(found.map(({ name }) => name));
      expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
      expect(server.lines.join("\n")).not.toContain(owner.password);
    },
    TEST_MS,
  );

  test(
    "is found again by a start, while the first server of the address is gone",
    async () => {
      await server.stop();
      server = await startServer({
        dataDir: temporaryFolder(),
        env: envOf(urlOf(pair.primary, pair.standby)),
      });
      await until(isReady);
    },
    TEST_MS,
  );
});
