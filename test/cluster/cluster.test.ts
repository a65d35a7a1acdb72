// A cluster of real processes on a real PostgreSQL through kills, pauses, cuts and outages; the database is the judge.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRandom } from "../../wasm/random.ts";
import { type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { isServerRequired } from "../support/spawned.ts";
import {
  type ClusterNode,
  countShards,
  type DataSource,
  LEASE_MS,
  lastWindows,
  makeSource,
  readAudit,
  startAudit,
  startModels,
  startNode,
  until,
  untilShared,
} from "./nodes.ts";
import { startProxy, type TcpProxy } from "./proxy.ts";

/** More, and rounds of failures, in the slow proof: `npm run test:cluster`. */
const MODELS = Number(process.env.TEST_MODELS ?? 24);
const ROUNDS = Number(process.env.TEST_ROUNDS ?? 0);
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
const MINUTE_MS = 60_000;
const TEST_MS = 3 * MINUTE_MS;
const names = Array.from({ length: MODELS }, (_, i) => `m${i}`);

if (postgresMissing) console.log(postgresMissing);

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("three nodes", () => {
  let postgres: Postgres;
  let sourceServer: Postgres;
  let source: DataSource;
  let receiver: Receiver;
  let proxy: TcpProxy;
  let nodes: ClusterNode[] = [];

  const start = (name: string, addr = postgres.addr) => startNode({ name, addr });
  /** Until every model has a window that ended after now, seen from any node. */
  const untilWatched = async (seenFrom = nodes[0]!) => {
    const since = Date.now() / 1000;
    await until("all models are evaluated", async () => {
      const ends = await lastWindows(seenFrom.client).catch(() => new Map<string, number>());
      return ends.size === MODELS && [...ends.values()].every((end) => end > since);
    });
  };
  beforeAll(async () => {
    [postgres, sourceServer] = await Promise.all([startPostgres({ fsync: true }), startPostgres()]);
    source = await makeSource(sourceServer);
    receiver = startReceiver();
    proxy = startProxy(postgres.addr);
    nodes = [await start("a")];
    await startModels(nodes[0]!, { source: sourceServer.addr, names, hook: receiver.url });
    await startAudit(postgres);
  }, TEST_MS);
  afterAll(async () => {
    await Promise.all(nodes.map(({ server }) => server.kill()));
    proxy?.stop();
    await receiver?.stop();
    await Promise.all([postgres?.stop(), sourceServer?.stop()]);
  });

  /** What the slow proof does in a random order; each ends with three nodes. */
  const failures = [
    async function kill() {
      const i = nodes.findIndex(({ name }) => name === "b");
      await nodes[i]!.server.kill();
      nodes[i] = await start("b");
    },
    async function pause() {
      const { pid } = nodes[0]!.server;
      process.kill(pid, "SIGSTOP");
      await untilShared(postgres, "b", "c");
      process.kill(pid, "SIGCONT");
    },
    async function cut() {
      proxy.isSwallowing = true;
      await untilShared(postgres, "a", "b");
      proxy.isSwallowing = false;
    },
    async function crash() {
      await postgres.crash();
      await postgres.resume();
    },
  ];

  test(
    "join: each takes its share of the shards, and all models go on",
    async () => {
      nodes.push(await start("b"), await start("c", proxy.addr));
      await untilShared(postgres, "a", "b", "c");
      await untilWatched(nodes[1]);
    },
    TEST_MS,
  );

  test(
    "promise 33: an anomaly of all models while a node is killed starts once and ends once",
    async () => {
      await source.raise(true);
      await until("the first starts are delivered", () => receiver.posts.length > 0);
      await nodes[1]!.server.kill();
      nodes.splice(1, 1);
      await until("every model has an anomaly", () => startedModels(receiver).size === MODELS);
      const began = episodesOf(receiver, "anomaly_start");
      await source.raise(false);
      await untilShared(postgres, "a", "c");
      const haveEnded = () => {
        const ended = episodesOf(receiver, "anomaly_end");
        return [...began].every((episode) => ended.has(episode));
      };
      await until("these anomalies have ended", haveEnded, 2 * MINUTE_MS);
      await untilWatched();
      nodes.push(await start("b"));
      await untilShared(postgres, "a", "b", "c");
    },
    TEST_MS,
  );

  test(
    "promise 34: a paused node loses its models; its late evaluations are refused, and it comes back",
    async () => {
      const { pid } = nodes[0]!.server;
      process.kill(pid, "SIGSTOP");
      await untilShared(postgres, "b", "c");
      await untilWatched(nodes[1]);
      process.kill(pid, "SIGCONT");
      await untilShared(postgres, "a", "b", "c");
      await untilWatched(nodes[0]);
    },
    TEST_MS,
  );

  test(
    "promise 35: a node that is cut off stops evaluating, and comes back by itself",
    async () => {
      proxy.isSwallowing = true;
      await untilShared(postgres, "a", "b");
      await untilWatched(nodes[0]);
      const cut = nodes.find(({ name }) => name === "c")!;
      expect((await fetch(`${cut.server.url}/readyz`)).status).toBe(503);
      proxy.isSwallowing = false;
      await untilShared(postgres, "a", "b", "c");
      await untilWatched(cut);
    },
    TEST_MS,
  );

  test(
    "a database that crashes and is back at once holds nobody up",
    async () => {
      await postgres.crash();
      await postgres.resume();
      await untilWatched();
      await untilShared(postgres, "a", "b", "c");
    },
    TEST_MS,
  );

  test(
    "promise 36: a database that is away for two leases: 503, then all go on without a restart",
    async () => {
      await postgres.crash();
      const answer = await fetch(`${nodes[0]!.server.url}/models`);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      await Bun.sleep(2 * LEASE_MS);
      await postgres.resume();
      await untilShared(postgres, "a", "b", "c");
      await untilWatched();
    },
    TEST_MS,
  );

  if (ROUNDS > 0)
    test(
      `${ROUNDS} rounds of kills, pauses, cuts and crashes, seed ${SEED}`,
      async () => {
        const random = createRandom(SEED);
        for (let round = 0; round < ROUNDS; round++) {
          const failure = failures[random.below(failures.length)]!;
          console.log(`round ${round}: ${failure.name}`);
          await failure();
          await untilShared(postgres, "a", "b", "c");
          await untilWatched();
        }
      },
      ROUNDS * MINUTE_MS,
    );

  test("promise 32: an answer is not older than its request, on any node", async () => {
    for (let i = 0; i < 20; i++) {
      const [writer, reader] = [nodes[i % 3]!, nodes[(i + 1) % 3]!];
      await writer.client.call("PATCH /models/m0", { body: { max_threshold: 60 + i }, status: 204 });
      const [view] = await reader.client.call<{ settings: { max_threshold: number } }[]>("GET /models/m0");
      expect(view!.settings.max_threshold).toBe(60 + i);
    }
  });

  test(
    "promise 33: a node that is stopped gives its models away at once",
    async () => {
      const leaving = nodes.splice(0, 1)[0]!;
      expect(await leaving.server.stop()).toBe(0);
      // Shorter than a lease: nobody waits for it.
      expect((await countShards(postgres)).has("a")).toBe(false);
      await untilShared(postgres, "b", "c");
      await untilWatched();
    },
    TEST_MS,
  );

  test("promise 34: no evaluation was recorded twice, and every one that was left out is counted", async () => {
    const { recorded, twice, lost } = await readAudit(postgres, 1000);
    expect(recorded).toBeGreaterThan(10 * MODELS);
    expect({ twice, lost }).toEqual({ twice: 0, lost: 0 });
    expect(await countOverlaps(postgres)).toBe(0);
  });
});

interface ReceivedEvent {
  readonly kind: string;
  readonly model: string;
  readonly episode: string;
}

function eventsOf({ posts }: Receiver): ReceivedEvent[] {
  return posts.map(({ body }) => (JSON.parse(body) as { event: ReceivedEvent }).event);
}

function startedModels(receiver: Receiver): Set<string> {
  return new Set(eventsOf(receiver).flatMap(({ kind, model }) => (kind === "anomaly_start" ? [model] : [])));
}

/** Anomalies whose start or end was delivered. */
function episodesOf(receiver: Receiver, kind: "anomaly_start" | "anomaly_end"): Set<string> {
  return new Set(eventsOf(receiver).flatMap((event) => (event.kind === kind ? [event.episode] : [])));
}

/** Pairs of anomalies of a model that last at the same time: one of them would have started twice. */
async function countOverlaps(postgres: Postgres): Promise<number> {
  const sql = postgres.connect();
  try {
    const [row] = await sql.unsafe(`select count(*)::int as n from torus.episodes a join torus.episodes b
      on a.model = b.model and a.id < b.id and a.start_at < coalesce(b.end_at, a.start_at + 1) and b.start_at < coalesce(a.end_at, b.start_at + 1)`);
    return row.n;
  } finally {
    await sql.close({ timeout: 0 });
  }
}
