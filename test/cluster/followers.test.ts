// Two nodes on a real PostgreSQL: each acts on what the other one commits.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { temporaryFolder } from "../support/folder.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";
import { runServer } from "../support/server-process.ts";
import { isServerRequired } from "../support/spawned.ts";
import { type ClusterNode, makeSource, startNode, until } from "./nodes.ts";

const TEST_MS = 180_000;

if (postgresMissing) console.log(postgresMissing);

interface JobView {
  readonly id: string;
  readonly state: string;
  readonly progress?: object;
  readonly error?: string;
}

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("two nodes", () => {
  let postgres: Postgres;
  let a: ClusterNode;
  let b: ClusterNode;
  const job = async ({ client }: ClusterNode, id: string) =>
    (await client.call<JobView[]>(`GET /jobs/${id}`))[0]!;
  const nowS = () => Math.floor(Date.now() / 1000);

  beforeAll(async () => {
    postgres = await startPostgres();
    await makeSource(postgres);
    a = await startNode({ name: "a", addr: postgres.addr });
    // It runs no jobs but those that its own requests wait for.
    b = await startNode({ name: "b", addr: postgres.addr, args: ["--config", await writeConfig()] });
    const [host, port] = postgres.addr.split(":");
    await a.client.putBucket({
      ...{ name: "b", type: "postgres", addr: `${host}:${port}`, database: "postgres" },
      ...{ user: owner.user, password: owner.password, table: "points", time_column: "time" },
    });
    const features = [{ name: "v", metric: "avg", field: "v" }];
    await b.client.createModel({
      ...{ name: "m", type: "donut", default_bucket: "b", bucket_interval: "1s", span: 12, features },
    });
  }, TEST_MS);
  afterAll(async () => {
    await Promise.all([a?.server.kill(), b?.server.kill()]);
    await postgres?.stop();
  });

  async function writeConfig(): Promise<string> {
    const path = `${temporaryFolder()}/torus.yml`;
    await Bun.write(path, "cluster: {work: [live]}\n");
    return path;
  }

  test(
    "a job that one node is asked for runs on the other, which both show; either cancels it",
    async () => {
      const to = nowS() - 5;
      const query = { from: to - 500, to, max_evals: 900 };
      const id = await b.client.call<string>("POST /models/m/_train", { query });
      await until("both nodes show its progress", async () => {
        const views = await Promise.all([job(a, id), job(b, id)]);
        return views.every(({ state, progress }) => state === "running" && progress !== undefined);
      });
      await b.client.call(`POST /jobs/${id}/_cancel`, { status: 204 });
      expect((await job(a, id)).state).toBe("canceled");
      // The lane is free again: there is one worker for trainings.
      const next = await b.client.call<string>("POST /models/m/_train", {
        query: { ...query, max_evals: 1 },
      });
      await until("the next training ends", async () => (await job(b, next)).state === "done");
    },
    TEST_MS,
  );

  test("a request is answered by the node that was asked", async () => {
    const query = { from: nowS() + 1, to: nowS() + 31 };
    for (const { client } of [a, b]) {
      const { timestamps } = await client.call<{ timestamps: number[] }>("POST /models/m/_forecast", {
        query: { ...query, bg: false },
      });
      expect(timestamps).toHaveLength(30);
    }
  });

  test(
    "promise 37: a job of a node that is killed runs again on another",
    async () => {
      const c = await startNode({ name: "c", addr: postgres.addr });
      const to = nowS() - 5;
      const ids: string[] = [];
      for (const name of ["k0", "k1"]) {
        await b.client.createModel({
          ...{ name, type: "donut", default_bucket: "b", bucket_interval: "1s", span: 12 },
          features: [{ name: "v", metric: "avg", field: "v" }],
        });
        const query = { from: to - 500, to, max_evals: 40 };
        ids.push(await b.client.call<string>(`POST /models/${name}/_train`, { query }));
      }
      await until("each node has one", async () => {
        const views = await Promise.all(ids.map((id) => job(b, id)));
        return views.every(({ state }) => state === "running");
      });
      await c.server.kill();
      await until("both trainings end", async () => {
        const views = await Promise.all(ids.map((id) => job(b, id)));
        return views.every(({ state }) => state === "done");
      });
    },
    TEST_MS,
  );

  test("a bucket whose settings one node changes is read with them by the other", async () => {
    const query = `from=${nowS() - 60}&to=${nowS() - 30}`;
    // A request that is waited for runs on the node that was asked.
    const read = async ({ server }: ClusterNode) =>
      (await fetch(`${server.url}/models/m/_eval?${query}`, { method: "POST" })).ok ? "works" : "fails";
    expect([await read(a), await read(b)]).toEqual(["works", "works"]);
    await a.client.call("PATCH /buckets/b", { body: { table: "missing" }, status: 204 });
    await until("the other node uses the new settings", async () => (await read(b)) === "fails");
    await a.client.call("PATCH /buckets/b", { body: { table: "points" }, status: 204 });
    await until("and those after", async () => (await read(b)) === "works");
  });

  test("promise 39: points in files of one server are refused", async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ name: "l", type: "local" });
    const answer = await fetch(`${a.server.url}/buckets`, { method: "POST", headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "not_supported",
      error: expect.stringContaining("2 nodes share the state"),
    });
  });

  test("promise 38: a token that one node revokes opens the other no more", async () => {
    const status = async ({ server }: ClusterNode, token?: string) =>
      (await fetch(`${server.url}/models`, token ? { headers: { authorization: `Bearer ${token}` } } : {}))
        .status;
    const create = async (name: string, scope: string, token?: string) => {
      const answer = await fetch(`${a.server.url}/tokens`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify({ name, scope }),
      });
      return ((await answer.json()) as { token: string }).token;
    };
    const admin = await create("admin", "admin");
    await until("the other node asks for tokens", async () => (await status(b)) === 401);
    const reader = await create("reader", "read", admin);
    await until("it knows the second token", async () => (await status(b, reader)) === 200);
    await fetch(`${a.server.url}/tokens/reader`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${admin}` },
    });
    await until("it refuses the token", async () => (await status(b, reader)) === 401);
    expect(await status(b, admin)).toBe(200);
  });

  test("another cluster and another key are refused", async () => {
    const env = {
      TORUS_STORAGE_URL: `postgres://${owner.user}:${owner.password}@${postgres.addr}/postgres`,
      TORUS_KEY: Buffer.alloc(32, 3).toString("base64"),
    };
    const other = await runServer({
      dataDir: temporaryFolder(),
      env: { ...env, TORUS_CLUSTER_NAME: "other" },
    });
    expect([other.exitCode, other.output]).toEqual([1, expect.stringContaining("holds the cluster torus")]);
    const key = Buffer.alloc(32, 4).toString("base64");
    const wrong = await runServer({ dataDir: temporaryFolder(), env: { ...env, TORUS_KEY: key } });
    expect([wrong.exitCode, wrong.output]).toEqual([1, expect.stringContaining("sealed with the key")]);
  });
});
