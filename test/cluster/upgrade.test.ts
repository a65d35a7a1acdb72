// Nodes replaced one by one by the next version under load, and one of them back again: nothing is lost, doubled, refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pack from "../../package.json" with { type: "json" };
import { makeNextVersion, nextVersion } from "../support/next-version.ts";
import { type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { isServerRequired } from "../support/spawned.ts";
import { startLoad } from "./load.ts";
import {
  type ClusterNode,
  type DataSource,
  longestGapMs,
  makeSource,
  query,
  readAudit,
  startAudit,
  startModels,
  startNode,
  until,
  untilEvaluated,
  untilShared,
} from "./nodes.ts";

/** More models and rounds in the slow proof: `npm run test:upgrade`. */
const MODELS = Number(process.env.TEST_MODELS ?? 16);
const ROUNDS = Number(process.env.TEST_ROUNDS ?? 1);
const INTERVAL_MS = 1000;
/** The slow proof has the default; this one is longer, for a busy machine must not lose it. */
const LEASE_MS = 1000 * Number(process.env.TEST_LEASE_S ?? 15);
const TEST_MS = 180_000;
/** The third anomaly within an hour ends when values have been usual for longer than before it. */
const ENDS_MS = 240_000;
const names = Array.from({ length: MODELS }, (_, i) => `m${i}`);

if (postgresMissing) console.log(postgresMissing);

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("an upgrade of three nodes", () => {
  let postgres: Postgres;
  let sourceServer: Postgres;
  let source: DataSource;
  let receiver: Receiver;
  /** Those that serve; one that is replaced is away meanwhile. */
  const nodes: ClusterNode[] = [];
  const programs = { [pack.version]: process.env.TORUS_PROGRAM ?? "", [nextVersion]: "" };

  const start = async (name: string, version = pack.version) => {
    const env = { TORUS_CLUSTER_LEASE: `${LEASE_MS / 1000}s` };
    nodes.push(await startNode({ name, addr: postgres.addr, program: programs[version]!, env }));
  };
  const replace = async (name: string, version: string) => {
    const place = nodes.findIndex((node) => node.name === name);
    const [leaving] = nodes.splice(place, 1);
    expect(await leaving!.server.stop()).toBe(0);
    await start(name, version);
    await untilShared(postgres, "a", "b", "c");
    expect(await versionsOf(nodes[0]!)).toMatchObject({ [name]: version });
    // A model that moves again before it is evaluated would wait for two nodes.
    await untilEvaluated(postgres, MODELS);
  };
  const countEvents = (kind: string) => {
    const counts = new Map(names.map((name) => [name, 0]));
    for (const event of eventsOf(receiver))
      if (event.kind === kind) counts.set(event.model, (counts.get(event.model) ?? 0) + 1);
    return [...counts.values()];
  };
  /** All three to the next version, and one of them back and up again, while an anomaly of every model begins and ends. */
  const upgrade = async (round: number) => {
    // What recurs is usual.
    await source.raise(true, 50 * 2 ** round);
    await until("the first anomaly is delivered", () => countEvents("anomaly_start").some((n) => n > round));
    await replace("a", nextVersion);
    await until("every model has an anomaly", () => countEvents("anomaly_start").every((n) => n > round));
    await replace("b", nextVersion);
    await source.raise(false);
    await replace("c", nextVersion);
    await replace("b", pack.version);
    await until(
      "the first end is delivered",
      () => countEvents("anomaly_end").some((n) => n > round),
      ENDS_MS,
    );
    await replace("b", nextVersion);
    await until("every anomaly has ended", () => countEvents("anomaly_end").every((n) => n > round));
  };

  beforeAll(async () => {
    programs[nextVersion] = process.env.TEST_NEXT_PROGRAM ?? makeNextVersion().program;
    [postgres, sourceServer] = await Promise.all([startPostgres({ fsync: true }), startPostgres()]);
    source = await makeSource(sourceServer);
    receiver = startReceiver();
    // Some are under way whenever a node is stopped.
    receiver.delayMs = 100;
    await start("a");
    await startModels(nodes[0]!, { source: sourceServer.addr, names, hook: receiver.url });
    await startAudit(postgres);
    await Promise.all([start("b"), start("c")]);
    await untilShared(postgres, "a", "b", "c");
  }, TEST_MS);
  afterAll(async () => {
    await Promise.all(nodes.map(({ server }) => server.kill()));
    await receiver?.stop();
    await Promise.all([postgres?.stop(), sourceServer?.stop()]);
  });

  test(
    "promise 40: one by one to the next version, one of them back and up again, under load",
    async () => {
      const load = await startLoad(() => nodes);
      for (let round = 0; round < ROUNDS; round++) {
        if (round > 0) for (const name of ["a", "b", "c"]) await replace(name, pack.version);
        await upgrade(round);
      }
      const { requests, failures } = await load.stop();
      expect(failures).toEqual([]);
      expect(requests).toBeGreaterThan(100);
      expect(await versionsOf(nodes[0]!)).toEqual({ a: nextVersion, b: nextVersion, c: nextVersion });
    },
    ROUNDS * TEST_MS + ENDS_MS,
  );

  test("promise 40: each event was delivered once, and is of an anomaly of its own", async () => {
    const keys = receiver.posts.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toHaveLength(new Set(keys).size);
    for (const kind of ["anomaly_start", "anomaly_end"])
      expect(countEvents(kind)).toEqual(names.map(() => ROUNDS));
    const [row] = await query<{ n: number }>(postgres, "select count(*)::int as n from torus.episodes");
    expect(row!.n).toBe(ROUNDS * MODELS);
  });

  test("promise 40: no window was left out or evaluated twice, and no model waited longer than a lease", async () => {
    expect(await readAudit(postgres, INTERVAL_MS)).toMatchObject({ twice: 0, lost: 0 });
    const gapMs = await longestGapMs(postgres);
    console.log(`longest time between two windows of a model: ${(gapMs / 1000).toFixed(1)} s`);
    expect(gapMs).toBeLessThan(INTERVAL_MS + LEASE_MS);
  });
});

interface ReceivedEvent {
  readonly kind: string;
  readonly model: string;
}

function eventsOf({ posts }: Receiver): ReceivedEvent[] {
  return posts.map(({ body }) => (JSON.parse(body) as { event: ReceivedEvent }).event);
}

/** Version of each node, by name. */
async function versionsOf({ client }: ClusterNode): Promise<Readonly<Record<string, string>>> {
  const { nodes } = await client.call<{ nodes: { name: string; version: string }[] }>("GET /_cluster");
  return Object.fromEntries(nodes.map(({ name, version }) => [name, version]));
}
