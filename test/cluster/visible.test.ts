// Two nodes on a real PostgreSQL, as people and their monitoring see them; one of them loses the database.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ClusterView } from "../../src/api/server/cluster.ts";
import type { NodesView } from "../../src/api/server/root.ts";
import { run } from "../cli/fake-terminal.ts";
import { type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";
import { isServerRequired } from "../support/spawned.ts";
import { type ClusterNode, LEASE_MS, startNode, until } from "./nodes.ts";
import { startProxy, type TcpProxy } from "./proxy.ts";

const TEST_MS = 180_000;
/** Less than any deadline of a statement: an answer within it waited for no database. */
const AT_ONCE_MS = 1000;

if (postgresMissing) console.log(postgresMissing);

interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly error?: string }>>;
}

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("two nodes", () => {
  let postgres: Postgres;
  let proxy: TcpProxy;
  let a: ClusterNode;
  let b: ClusterNode;

  beforeAll(async () => {
    postgres = await startPostgres();
    proxy = startProxy(postgres.addr);
    a = await startNode({ name: "a", addr: postgres.addr });
    b = await startNode({ name: "b", addr: proxy.addr, env: { TORUS_SERVER_VERSIONS_KEPT: "7" } });
    // The database learns an address with the first beat of a node that listens.
    await until("each has half of the shards and an address", async () =>
      (await view(a)).nodes.every(({ shards, address }) => shards === 512 && address),
    );
  }, TEST_MS);
  afterAll(async () => {
    await Promise.all([a?.server.kill(), b?.server.kill()]);
    proxy?.stop();
    await postgres?.stop();
  });

  const view = ({ client }: ClusterNode) => client.call<ClusterView>("GET /_cluster");
  const idOf = async ({ client }: ClusterNode) => (await client.call<{ host_id: string }>("GET /")).host_id;
  const addressOf = ({ server }: ClusterNode) => server.url.replace("http://", "");
  const readiness = async ({ server }: ClusterNode) => {
    const answer = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(AT_ONCE_MS) });
    return { status: answer.status, ...((await answer.json()) as Readiness) };
  };
  /** Values of metrics without labels, by name. */
  const metrics = async ({ server }: ClusterNode) => {
    const answer = await fetch(`${server.url}/metrics`, { signal: AbortSignal.timeout(AT_ONCE_MS) });
    const lines = (await answer.text()).matchAll(/^torus_(\w+) (\S+)$/gm);
    return Object.fromEntries([...lines].map(([, name, value]) => [name!, Number(value)]));
  };

  test("each answers the same about both, and names the settings that differ from its own", async () => {
    for (const [node, other] of [
      [a, "b"],
      [b, "a"],
    ] as const) {
      const cluster = await view(node);
      expect(cluster).toMatchObject({
        ...{ name: "torus", shared: true, answered_by: await idOf(node) },
        ...{ shards_without_owner: 0, synchronous: false },
      });
      expect(cluster.nodes.map(({ name, work, shards }) => [name, work, shards])).toEqual([
        ["a", ["live", "jobs"], 512],
        ["b", ["live", "jobs"], 512],
      ]);
      for (const { name, lease_seconds, clock_skew_seconds, settings_differ } of cluster.nodes) {
        expect(lease_seconds).toBeGreaterThan(0);
        expect(lease_seconds).toBeLessThanOrEqual(LEASE_MS / 1000);
        expect(Math.abs(clock_skew_seconds)).toBeLessThan(1);
        expect(settings_differ).toBe(name === other ? true : undefined);
      }
    }
  });

  test("old clients find both, or one by its id", async () => {
    const all = await a.client.call<NodesView>("GET /_nodes/_all/http");
    expect(all).toMatchObject({ _nodes: { total: 2, successful: 2, failed: 0 }, cluster_name: "torus" });
    for (const node of [a, b]) {
      const id = await idOf(node);
      expect(all.nodes[id]).toMatchObject({
        name: node.name,
        roles: ["master", "compute"],
        http: { publish_address: addressOf(node) },
      });
      for (const { client } of [a, b])
        expect(await client.call<NodesView>(`GET /_nodes/${id}/http`)).toMatchObject({
          _nodes: { total: 1, successful: 1, failed: 0 },
          nodes: { [id]: all.nodes[id]! },
        });
    }
    expect((await fetch(`${a.server.url}/_nodes/nope/http`)).status).toBe(404);
  });

  test("a model deleted on one node is restored on the other, and live detection takes it on", async () => {
    const bucket = { name: "away", type: "influxdb", addr: "127.0.0.1:9", database: "d", measurement: "m" };
    await a.client.putBucket(bucket);
    const features = [{ name: "v", metric: "avg", field: "v" }];
    const names = ["deleted-1", "deleted-2", "deleted-3"];
    for (const name of names)
      await a.client.createModel({
        ...{ name, type: "donut", default_bucket: "away", bucket_interval: "1s", interval: "1s" },
        ...{ detector: "auto", features },
      });
    await a.client.call(`POST /models/${names.join(";")}/_start?detect_anomalies=true`);
    await a.client.call(`DELETE /models/${names.join(";")}`);
    const entries = await b.client.call<{ id: string; name: string }[]>("GET /bin");
    expect(entries.map(({ name }) => name)).toEqual(names);
    expect(await a.client.call("GET /bin")).toEqual(entries);
    const restored = await b.client.call(`POST /bin/${entries.map(({ id }) => id).join(";")}/_restore`);
    expect(restored).toEqual(names.map((name) => ({ kind: "model", name, live: true })));
    // Each by the node that owns its shard: the data source cannot be read.
    await until("all are evaluated again", async () => {
      const models = await a.client.call<{ live?: { failures: number } }[]>("GET /models");
      return models.length === 3 && models.every(({ live }) => (live?.failures ?? 0) > 0);
    });
    await a.client.call(`DELETE /models/${names.join(";")}`);
    await a.client.call("DELETE /buckets/away");
  });

  test("the command line lists them, and says whose settings differ", async () => {
    const env = { TORUS_ADDR: a.server.url };
    const { out, err } = await run("list-nodes", { env });
    const [titles, ...rows] = out.trimEnd().split("\n");
    expect(titles).toMatch(/^NAME +ADDRESS +WORK +SHARDS +LEASE +SKEW +VERSION$/);
    for (const [i, node] of [a, b].entries())
      expect(rows[i]).toMatch(
        new RegExp(`^${node.name} +${addressOf(node)} +live, jobs +512 +[\\d.]+ s +-?[\\d.]+ s +2`),
      );
    expect(err).toContain("the settings of b differ");
    const json = JSON.parse((await run("list-nodes --json", { env })).out) as { name: string }[];
    expect(json.map(({ name }) => name)).toEqual(["a", "b"]);
    const csv = (await run("list-nodes --format csv", { env })).out;
    expect(csv).toMatch(/^b,[^\n]*,512,[\d.]+,-?[\d.]+,2/m);
  });

  test("their metrics count shards, writes and what was taken", async () => {
    for (const node of [a, b]) {
      const found = await metrics(node);
      expect(found).toMatchObject({ cluster_nodes: 2, node_shards: 512, pool_resets_total: 0 });
      expect(found.node_lease_seconds).toBeGreaterThan(0);
      expect(found.feed_age_seconds).toBeLessThan(2);
      expect(found.node_takeovers_total).toBeGreaterThanOrEqual(512);
      expect(found.store_writes_total).toBeGreaterThan(0);
      expect(found.store_retries_total).toBeGreaterThanOrEqual(0);
    }
  });

  test(
    "one without the database says so at once, the other has its shards; it comes back by itself",
    async () => {
      const before = await idOf(b);
      expect(await readiness(b)).toMatchObject({ status: 200, checks: { cluster: { ok: true } } });
      const taken = (await metrics(a)).node_takeovers_total!;
      proxy.isSwallowing = true;
      await until("its lease is lost", () => b.server.lines.some((line) => line.includes("lease lost")));
      expect(await readiness(b)).toMatchObject({
        status: 503,
        checks: {
          storage: { ok: false },
          cluster: { ok: false, error: expect.stringContaining("check the database and the network") },
        },
      });
      expect(await metrics(b)).toMatchObject({ node_lease_seconds: 0, node_shards: 0 });
      expect(await readiness(a)).toMatchObject({ status: 200 });
      await until("the other has all shards", async () => (await metrics(a)).node_shards === 1024);
      expect((await metrics(a)).node_takeovers_total).toBe(taken + 512);
      await until("it is the only one", async () => (await view(a)).nodes.length === 1);
      expect(await a.client.call<NodesView>("GET /_nodes/_all/http")).toMatchObject({ _nodes: { total: 1 } });
      proxy.isSwallowing = false;
      await until("it is ready again", async () => (await readiness(b)).ready);
      expect(await idOf(b)).not.toBe(before);
      expect((await metrics(b)).pool_resets_total).toBeGreaterThan(0);
    },
    TEST_MS,
  );
});
