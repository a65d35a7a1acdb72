// Nodes of a cluster as processes, models that watch a table of the same PostgreSQL, and an audit in the database.
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { owner, type Postgres } from "../support/postgres.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

/** Lease of the nodes: the shortest there is. */
export const LEASE_MS = 2000;
const KEY = Buffer.alloc(32, 3).toString("base64");
const POLL_MS = 50;

export interface ClusterNode {
  readonly name: string;
  readonly server: ServerProcess;
  readonly client: Client;
}

export interface NodeOptions {
  readonly name: string;
  /** `host:port` of the database, or of what stands before it. */
  readonly addr: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly prefix?: readonly string[];
  /** As in `StartOptions`. */
  readonly program?: string;
}

/** Starts a node in a folder of its own. */
export async function startNode({ name, addr, env = {}, ...options }: NodeOptions): Promise<ClusterNode> {
  const server = await startServer({
    dataDir: temporaryFolder(),
    env: {
      TORUS_KEY: KEY,
      TORUS_STORAGE_URL: `postgres://${owner.user}:${owner.password}@${addr}/postgres`,
      TORUS_NODE_NAME: name,
      TORUS_CLUSTER_LEASE: `${LEASE_MS / 1000}s`,
      TORUS_TRAINING_STEPS: "60",
      TORUS_SERVER_WORKERS: "1",
      TORUS_HOOKS_WEBHOOK_PRIVATE_ADDRESSES: "true",
      ...env,
    },
    ...options,
  });
  const client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
  return { name, server, client };
}

/** Waits for something that other processes bring about. @throws Error that says what did not happen */
export async function until(
  what: string,
  isReached: () => Promise<boolean> | boolean,
  deadlineMs = 30_000,
): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  while (!(await isReached())) {
    if (performance.now() > endsAt) throw new Error(`not within ${deadlineMs / 1000} s: ${what}`);
    await Bun.sleep(POLL_MS);
  }
}

export interface DataSource {
  /** From now on the values are higher, or the usual ones again. @param height for the next time, as what recurs is usual */
  raise(isRaised: boolean, height?: number): Promise<void>;
}

/** A table with a point each second, of the past and of the next minutes; its values are raised where it is wanted. */
export async function makeSource(postgres: Postgres): Promise<DataSource> {
  await postgres.run(`
    create table moments (from_at timestamptz not null, height float8 not null);
    create view points as select time, sin(extract(epoch from time) / 4)
        + coalesce((select height from moments where from_at <= time order by from_at desc limit 1), 0) as v
      from generate_series(date_trunc('second', now()) - interval '10 minutes', now() + interval '1 minute', interval '1 second') as time
      where time <= clock_timestamp()`);
  return {
    raise: (isRaised, height = 50) =>
      postgres.run(`insert into moments values (clock_timestamp(), ${isRaised ? height : 0})`),
  };
}

/** Records in the database which windows were evaluated, in the order of the commits. */
export async function startAudit(postgres: Postgres): Promise<void> {
  await postgres.run(`
    create table audit (seq bigserial, model text, window_at bigint, missed bigint, failed boolean, at timestamptz not null default clock_timestamp());
    create function audit_live() returns trigger language plpgsql as $$ begin
      if new.last_slot is distinct from old.last_slot then
        insert into public.audit (model, window_at, missed, failed)
          values (new.model, new.last_window_at, new.missed - old.missed, new.failures > old.failures);
      end if;
      return new;
    end $$;
    create trigger audit_live after update on torus.live for each row execute function audit_live()`);
}

/** Rows of a statement, over a connection of its own. */
export async function query<T>(postgres: Postgres, statement: string): Promise<T[]> {
  const sql = postgres.connect();
  try {
    return (await sql.unsafe(statement)) as T[];
  } finally {
    await sql.close({ timeout: 0 });
  }
}

export interface AuditFindings {
  readonly recorded: number;
  /** Windows of a model that were recorded more than once. */
  readonly twice: number;
  /** Windows between two evaluated ones that neither failed nor were counted as missed. */
  readonly lost: number;
  /** Windows that were counted as missed. */
  readonly missed: number;
}

/**
 * What the database says, whatever the nodes claim. An evaluation that starts late looks at the newest window, so that the
 * next slot finds nothing left: one window is not counted then.
 */
export async function readAudit(postgres: Postgres, intervalMs: number): Promise<AuditFindings> {
  const [found] = await query<AuditFindings>(
    postgres,
    `
      with each as (select model, window_at, count(*) as n from audit where not failed group by model, window_at),
        numbered as (select *, count(*) filter (where not failed) over (partition by model order by seq desc) as step from audit),
        steps as (select model, max(window_at) as window_at, sum(missed) + count(*) filter (where failed) as counted from numbered group by model, step),
        gaps as (select counted, (window_at - lag(window_at) over (partition by model order by window_at)) / ${intervalMs} - 1 as left_out from steps)
      select (select count(*) from audit)::int as recorded, (select count(*) from each where n > 1)::int as twice,
        (select coalesce(sum(missed), 0)::int from audit) as missed, coalesce(sum(greatest(0, left_out - counted - 1)), 0)::int as lost from gaps`,
  );
  return found!;
}

/** Until each of so many models is evaluated once more. */
export async function untilEvaluated(postgres: Postgres, models: number): Promise<void> {
  const [last] = await query<{ seq: string }>(
    postgres,
    "select coalesce(max(seq), 0)::text as seq from audit",
  );
  await until("all models are evaluated", async () => {
    const statement = `select count(distinct model)::int as n from audit where seq > ${last!.seq}`;
    return (await query<{ n: number }>(postgres, statement))[0]!.n === models;
  });
}

/** The longest time between two recorded evaluations of a model. */
export async function longestGapMs(postgres: Postgres): Promise<number> {
  const [found] = await query<{ ms: number }>(
    postgres,
    `with gaps as (select at - lag(at) over (partition by model order by seq) as gap from audit)
      select (extract(epoch from max(gap)) * 1000)::float8 as ms from gaps`,
  );
  return found!.ms;
}

/** Live models with the ends of their last windows, s. */
export async function lastWindows(client: Client): Promise<ReadonlyMap<string, number>> {
  const views =
    await client.call<
      { settings: { name: string }; live?: { last_window: number | null; failures: number } }[]
    >("GET /models");
  return new Map(
    views.flatMap(({ settings, live }) => (live ? [[settings.name, live.last_window ?? 0] as const] : [])),
  );
}

interface WatchedModels {
  /** `host:port` of the PostgreSQL with the source. */
  readonly source: string;
  readonly names: readonly string[];
  /** Address of a webhook that gets all events. */
  readonly hook: string;
}

/** Trains one model on the source and starts copies of it, with an interval of a second. */
export async function startModels(
  { client }: ClusterNode,
  { source, names, hook }: WatchedModels,
): Promise<void> {
  await client.putBucket({
    ...{ name: "b", type: "postgres", addr: source, database: "postgres" },
    ...{ user: owner.user, password: owner.password, table: "points", time_column: "time" },
  });
  const features = [{ name: "v", metric: "avg", field: "v" }];
  const [first, ...copies] = names;
  await client.createModel({
    ...{ name: first!, type: "donut", default_bucket: "b", bucket_interval: "1s", offset: "2s", span: 12 },
    ...{ features, max_threshold: 60, min_threshold: 30 },
  });
  const to = Math.floor(Date.now() / 1000) - 5;
  await client.waitForJob(await client.train(first!, { from: to - 500, to, max_evals: 1 }));
  const bundle = await client.call<object>(`GET /models/${first}/_export`, { query: { format: "bundle" } });
  for (const name of copies)
    await client.call("POST /models/_import", { query: { name }, body: bundle, status: 201 });
  await client.call("POST /hooks", {
    body: { type: "webhook", name: "w", config: { url: hook } },
    status: 201,
  });
  await client.call(`POST /models/${names.join(";")}/_start`, {
    query: { detect_anomalies: true },
    status: 204,
  });
}

/** Shards of each node with a lease, by name. */
export async function countShards(postgres: Postgres): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ name: string; n: number }>(
    postgres,
    "select n.name, count(s.shard)::int as n from torus.nodes n left join torus.shards s on s.node = n.id where n.lease_until > clock_timestamp() group by n.name order by n.name",
  );
  return new Map(rows.map(({ name, n }) => [name, n]));
}

/** Until the shards are shared out evenly among these nodes, and no other one has a lease. */
export function untilShared(postgres: Postgres, ...names: readonly string[]): Promise<void> {
  const share = Math.ceil(1024 / names.length);
  return until(`${names} share the shards`, async () => {
    const counts = await countShards(postgres);
    const sum = [...counts.values()].reduce((total, n) => total + n, 0);
    return (
      [...counts.keys()].join() === [...names].sort().join() &&
      sum === 1024 &&
      [...counts.values()].every((n) => n <= share)
    );
  });
}
