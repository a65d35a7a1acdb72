// SQL of the nodes that share the database: each holds a lease, by the clock of the database.

import type { JobProgress, JobType } from "../../core/job.ts";
import { MAX_SKEW_MS } from "../../core/ownership.ts";
import type { RemoteChange } from "./change-feed.ts";
import type { SingleStatements } from "./session.ts";

/** Facts of a node, set when it joins. */
export interface NewNode {
  /** UUID of one membership; never used again. */
  readonly id: string;
  /** Of its data directory, which one process at a time uses. */
  readonly storage: string;
  readonly name: string;
  readonly host: string;
  /** Where it listens, `host:port`; empty until it does. */
  readonly address: string;
  readonly version: string;
  readonly work: readonly string[];
  /** Of its settings; equal on all nodes. */
  readonly settingsHash: string;
  /** ms since the epoch */
  readonly startedAt: number;
}

/** A job that a node runs, with its progress. */
export interface RunningJob {
  readonly id: string;
  readonly job: JobType;
  readonly model: string | null;
  readonly progress: JobProgress;
  readonly remainingMs?: number;
}

export interface Node extends NewNode {
  /** Until the end of its lease, ms; negative: it has ended. */
  readonly leaseMs: number;
  /** Of its clock against that of the database, ms. */
  readonly clockSkewMs: number;
  /** Number of its shards. */
  readonly shards: number;
}

/** State of this node, from its memory. */
export interface NodeState {
  /** Nodes with a lease, as of the last beat. */
  readonly nodes: number;
  /** Number of its shards. */
  readonly shards: number;
  /** Until the end of its lease, ms; 0: it has ended. */
  readonly leaseMs: number;
  /** Of its clock against that of the database, ms. */
  readonly clockSkewMs: number;
  /** Age of what it knows of other nodes, ms. */
  readonly feedAgeMs: number;
}

const isAlive = "lease_until > clock_timestamp()";
/** SQL behind the time of a clock, for its skew, ms: the time of the way to the database makes it look late. */
export const lessDatabaseTime =
  "::double precision - extract(epoch from clock_timestamp())::double precision * 1000";

/** What a node reports with each beat. */
interface Beat {
  readonly id: string;
  readonly leaseMs: number;
  readonly address: string;
  readonly work: readonly string[];
  /** Clock of the node, ms since the epoch. */
  readonly at: number;
  readonly running: readonly RunningJob[];
}

export interface BeatAnswer {
  /** False where the lease had ended before: the membership is over. */
  readonly isHeld: boolean;
  /** Nodes with a lease, this one included. */
  readonly nodes: number;
  /** Those of them that do live work, and whose clock is right. */
  readonly liveNodes: number;
  /** Nodes whose lease has ended. */
  readonly deadNodes: number;
  /** Shards of this node. */
  readonly shards: number;
  /** Shards that belong to no node with a lease. */
  readonly freeShards: number;
  /** Clock of the database, ms since the epoch. */
  readonly at: number;
  /** Jobs that other nodes run. */
  readonly elsewhere: readonly RunningJob[];
}

/** Renews the lease, unless it has ended. */
export async function beatNode(session: SingleStatements, beat: Beat): Promise<BeatAnswer> {
  const [row] = (await session.query(
    `with renewed as (
       update nodes set lease_until = clock_timestamp() + ?::bigint * interval '1 millisecond', address = ?,
         work = ?, clock_skew_ms = ?${lessDatabaseTime}, progress = ?
       where id = ? and ${isAlive} returning id)
     select (select count(*) from renewed),
       (select count(*) from nodes where ${isAlive}),
       (select count(*) from nodes where ${isAlive} and work like '%live%' and abs(clock_skew_ms) <= ${MAX_SKEW_MS}),
       (select count(*) from nodes where not (${isAlive})),
       (select count(*) from shards where node = ?),
       (select count(*) from shards where node is null or node not in (select id from nodes where ${isAlive})),
       extract(epoch from clock_timestamp())::double precision * 1000,
       (select string_agg(progress, ',') from nodes where id <> ? and ${isAlive} and progress <> '[]')`,
    [
      beat.leaseMs,
      beat.address,
      beat.work.join(","),
      beat.at,
      JSON.stringify(beat.running),
      ...Array(3).fill(beat.id),
    ],
  )) as [number, number, number, number, number, number, number, string | null][];
  const [renewed, nodes, liveNodes, deadNodes, shards, freeShards, at, lists] = row!;
  const elsewhere = (JSON.parse(`[${lists ?? ""}]`) as RunningJob[][]).flat();
  return { isHeld: renewed === 1, nodes, liveNodes, deadNodes, shards, freeShards, at, elsewhere };
}

/** Shows that a node does no more work: others take its share. */
export async function retireNode(session: SingleStatements, id: string): Promise<void> {
  await session.query("update nodes set work = '' where id = ?", [id]);
}

/** Ends the membership; its shards are free at once. */
export async function leaveNodes(session: SingleStatements, id: string): Promise<void> {
  await session.query("update shards set node = null where node = ?", [id]);
  await session.query("delete from nodes where id = ?", [id]);
}

/** All nodes, by name; those whose lease has ended until they are removed. */
export async function listNodes(session: SingleStatements): Promise<Node[]> {
  const rows = (await session.query(
    `select id, storage, name, host, address, version, work, settings_hash, started_at,
       extract(epoch from lease_until - clock_timestamp())::double precision * 1000, clock_skew_ms,
       (select count(*) from shards where node = id)
     from nodes order by name, started_at, id`,
  )) as NodeRow[];
  return rows.map(
    ([
      id,
      storage,
      name,
      host,
      address,
      version,
      work,
      settingsHash,
      startedAt,
      leaseMs,
      clockSkewMs,
      shards,
    ]) => ({
      ...{ id, storage, name, host, address, version, work: work ? work.split(",") : [] },
      ...{ settingsHash, startedAt, leaseMs, clockSkewMs, shards },
    }),
  );
}

/**
 * Whether commits wait for a standby, so that they outlive the loss of the primary.
 * @returns undefined where the user may not see the standbys: that takes the role `pg_read_all_stats`
 */
export async function isSynchronous(session: SingleStatements): Promise<boolean | undefined> {
  const [row] = await session.query(
    `select case
       when current_setting('synchronous_standby_names') = '' then false
       when current_setting('synchronous_commit') in ('off', 'local') then false
       when pg_has_role('pg_read_all_stats', 'usage')
       then exists (select 1 from pg_stat_replication where sync_state in ('sync', 'quorum')) end`,
  );
  return (row?.[0] as boolean | null) ?? undefined;
}

type Texts = [string, string, string, string, string, string, string, string];
type NodeRow = [...Texts, number, number, number, number];

/** The shards of a node, ascending. */
export async function listShards(session: SingleStatements, id: string): Promise<number[]> {
  const rows = await session.query("select shard from shards where node = ? order by shard", [id]);
  return rows.map(([shard]) => shard as number);
}

/**
 * Takes free shards for a node with a lease, as many as there are up to `most`; those that another node takes at the
 * same time are skipped.
 * @returns the shards taken
 */
export async function takeShards(session: SingleStatements, id: string, most: number): Promise<number[]> {
  const rows = await session.query(
    `update shards set node = ?, fence = fence + 1
     where shard in (
       select shard from shards
       where node is null or node not in (select id from nodes where ${isAlive})
       order by shard limit ? for update skip locked)
     and exists (select 1 from nodes where id = ? and ${isAlive})
     returning shard`,
    [id, most, id],
  );
  return rows.map(([shard]) => shard as number).sort((a, b) => a - b);
}

/** Gives shards of a node away, and tells the others so. */
export async function giveShards(
  session: SingleStatements,
  id: string,
  shards: readonly number[],
): Promise<void> {
  const told: RemoteChange = { changes: [], signals: [{ topic: "shards" }] };
  await session.query(
    `with given as (
       update shards set node = null
       where node = ? and shard = any(string_to_array(?, ',')::smallint[]) returning shard)
     insert into changes (origin, body) select ?, ? where exists (select from given)`,
    [id, shards.join(","), id, JSON.stringify(told)],
  );
}
