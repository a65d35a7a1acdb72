// Benchmark: three nodes on one PostgreSQL of this machine: claims, conflicts, records, and a node that is killed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { medianOf } from "../../src/models/stats/median.ts";
import { claimJob, finishJob, submitJobs } from "../../src/store/jobs/jobs.ts";
import { notKept } from "../../src/store/jobs/results.ts";
import { loadDue } from "../../src/store/live.ts";
import { createModel, loadModel, patchModels } from "../../src/store/models.ts";
import { openPostgres, type SharedStore } from "../../src/store/postgres/open.ts";
import {
  type ClusterNode,
  makeSource,
  startModels,
  startNode,
  until,
  untilShared,
} from "../cluster/nodes.ts";
import { aVersion, start, train } from "../store/fleets/builders.ts";
import { aModel } from "../support/builders.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";
import { startReceiver } from "../support/receiver.ts";
import { type Part, type Row, runAlone } from "./part.ts";

const STORES = 3;
const LANES = 4;
const MODELS = 200;
const JOBS = 2000;
const CHANGES = 300;

interface Shared {
  readonly stores: readonly SharedStore[];
  /** Transactions that were begun anew since the last call. */
  readonly takeRetries: () => number;
}

async function withStores<T>(measure: (shared: Shared) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "torus-bench-"));
  const server = await startPostgres({ fsync: true });
  const url = `postgres://${owner.user}:${owner.password}@${server.addr}/${server.database}`;
  let retries = 0;
  const onWrite = (attempts: number) => {
    retries += attempts - 1;
  };
  const stores: SharedStore[] = [];
  for (let i = 0; i < STORES; i++) stores.push(await openPostgres({ url, dir: join(dir, `${i}`), onWrite }));
  const takeRetries = () => {
    const taken = retries;
    retries = 0;
    return taken;
  };
  try {
    return await measure({ stores, takeRetries });
  } finally {
    for (const store of stores) await store.close();
    await server.stop();
    rmSync(dir, { recursive: true });
  }
}

/** Runs work in four lanes on each store until all have returned false. @returns seconds */
async function inLanes(
  stores: readonly SharedStore[],
  work: (store: SharedStore, lane: string) => Promise<boolean>,
): Promise<number> {
  const startedAt = performance.now();
  const lanes = stores.flatMap((store, i) =>
    Array.from({ length: LANES }, async (_, lane) => {
      while (await work(store, `${i}/${lane}`));
    }),
  );
  await Promise.all(lanes);
  return (performance.now() - startedAt) / 1000;
}

async function measureClaims({ stores, takeRetries }: Shared): Promise<Row> {
  const [first] = stores;
  const list = Array.from({ length: JOBS }, (_, i) => ({
    ...{ id: `job-${i}`, type: "forecast" as const, model: null, input: {} },
  }));
  await submitJobs(first!, list, { at: 1, maxWaiting: JOBS });
  const claimed: string[] = [];
  takeRetries();
  const seconds = await inLanes(stores, async (store, lane) => {
    const claim = { owner: `${lane}/${crypto.randomUUID()}`, at: 2, node: lane };
    const job = await claimJob(store, ["forecast"], claim);
    if (!job) return false;
    claimed.push(job.id);
    await finishJob(store, { id: job.id, owner: claim.owner, at: 3 }, notKept);
    return true;
  });
  const twice = claimed.length - new Set(claimed).size;
  return { what: "claim and finish, jobs", "per s": JOBS / seconds, retries: takeRetries(), twice };
}

async function measureChanges({ stores, takeRetries }: Shared, isSame: boolean): Promise<Row> {
  let left = CHANGES;
  takeRetries();
  const change = (settings: { max_threshold?: number }) => ({
    ...settings,
    max_threshold: (settings.max_threshold ?? 0) + 1,
  });
  await patchModels(stores[0]!, ["m0"], { at: 1, change: (old) => ({ ...old, max_threshold: 0 }) });
  const seconds = await inLanes(stores, async (store) => {
    if (left <= 0) return false;
    const name = isSame ? "m0" : `m${1 + (left % (MODELS - 1))}`;
    left--;
    await patchModels(store, [name], { at: 1, change: (old) => change(old) as typeof old });
    return true;
  });
  const counted = (await loadModel(stores[1]!, "m0")).settings.max_threshold ?? 0;
  const lost = isSame ? CHANGES - counted : 0;
  const what = isSame ? "changes of one model" : "changes of different models";
  return { what, "per s": CHANGES / seconds, retries: takeRetries(), lost };
}

async function measureDue({ stores }: Shared, together: number): Promise<Row> {
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    const startedAt = performance.now();
    for (let i = 0; i < MODELS; i += together)
      await Promise.all(Array.from({ length: together }, (_, j) => loadDue(stores[0]!, `m${i + j}`)));
    times.push((performance.now() - startedAt) / MODELS);
  }
  return { what: `due rows, ${together} at a time`, "per s": 1000 / medianOf(times) };
}

async function measureStores(shared: Shared): Promise<Row[]> {
  const [first] = shared.stores;
  for (let i = 0; i < MODELS; i++) {
    const name = `m${i}`;
    await createModel(first!, { name, settings: aModel({ name }) }, 1);
    await train(first!, `t${i}`, aVersion({ model: name }));
    await start(first!, name);
  }
  return [
    await measureClaims(shared),
    await measureChanges(shared, true),
    await measureChanges(shared, false),
    await measureDue(shared, 1),
    await measureDue(shared, 20),
  ];
}

const WATCHED = Array.from({ length: 100 }, (_, i) => `m${i}`);

/** Times from the kill of a node to the first record of each of its models elsewhere, s. */
async function measureTakeover(): Promise<Row[]> {
  const postgres = await startPostgres({ fsync: true });
  const receiver = startReceiver();
  const nodes: ClusterNode[] = [];
  try {
    await makeSource(postgres);
    for (const name of ["a", "b", "c"])
      nodes.push(await startNode({ name, addr: postgres.addr, env: { TORUS_CLUSTER_LEASE: "5s" } }));
    await startModels(nodes[0]!, { source: postgres.addr, names: WATCHED, hook: receiver.url });
    await untilShared(postgres, "a", "b", "c");
    await Bun.sleep(5000);
    return [await killOne(postgres, nodes)];
  } finally {
    await Promise.all(nodes.map(({ server }) => server.kill()));
    await receiver.stop();
    await postgres.stop();
  }
}

async function killOne(postgres: Postgres, nodes: readonly ClusterNode[]): Promise<Row> {
  const sql = postgres.connect();
  const select = `select l.model, extract(epoch from clock_timestamp())::float8 as now, l.rev::int as rev from torus.live l
    join torus.shards s on s.shard = l.shard join torus.nodes n on n.id = s.node where n.name = 'c'`;
  const owned = (await sql.unsafe(select)) as { model: string; now: number; rev: number }[];
  await nodes[2]!.server.kill();
  const killedAt = owned[0]!.now;
  const found = new Map<string, number>();
  await until("the models of the node are evaluated elsewhere", async () => {
    const rows = (await sql.unsafe(
      `select l.model, l.rev::int as rev, extract(epoch from clock_timestamp())::float8 as now from torus.live l
       join torus.shards s on s.shard = l.shard join torus.nodes n on n.id = s.node where n.name <> 'c'`,
    )) as { model: string; now: number; rev: number }[];
    for (const { model, rev } of owned) {
      const row = rows.find((each) => each.model === model);
      if (row && row.rev > rev && !found.has(model)) found.set(model, row.now - killedAt);
    }
    return found.size === owned.length;
  });
  await sql.close({ timeout: 0 });
  const times = [...found.values()].sort((x, y) => x - y);
  return {
    models: owned.length,
    "lease s": 5,
    "first s": times[0]!,
    "median s": medianOf(times),
    "last s": times.at(-1)!,
  };
}

export const cluster: Part = {
  name: "cluster",
  title: "Three nodes on one PostgreSQL with fsync",
  run: () => withPostgres(() => withStores(measureStores)),
};

export const takeover: Part = {
  name: "takeover",
  title: "A node is killed: its models evaluated elsewhere, after",
  run: () => withPostgres(measureTakeover),
};

async function withPostgres(measure: () => Promise<Row[]>): Promise<Row[]> {
  if (postgresMissing) console.log(postgresMissing);
  return postgresMissing ? [] : measure();
}

if (import.meta.main) for (const part of [cluster, takeover]) await runAlone(part);
