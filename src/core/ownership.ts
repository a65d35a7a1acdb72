// Ownership of names by shards: each of 1024 shards belongs to one node of a cluster, all of them to a single server.
import { createHash } from "node:crypto";

export const SHARDS = 1024;

/** A node whose clock is off by more owns no shards: it must not decide when a window is due, ms. */
export const MAX_SKEW_MS = 10_000;

/** Shard of a name: low bits of its SHA-256, as `shard_of` of the database computes them. Never to change. */
export function shardOf(name: string): number {
  return createHash("sha256").update(name).digest().readUInt16BE() & (SHARDS - 1);
}

/** Shards in groups of a size, to read their rows group by group. */
export function groupShards(shards: readonly number[], size: number): (readonly number[])[] {
  return Array.from({ length: Math.ceil(shards.length / size) }, (_, i) =>
    shards.slice(i * size, (i + 1) * size),
  );
}

export interface Ownership {
  /** Whether this node evaluates, delivers and schedules for the name. */
  owns(name: string): boolean;
  /** The shards of this node, ascending; undefined: all, of a single server. */
  readonly shards: readonly number[] | undefined;
  /** Whether this node does what is done once for all, such as retention. */
  readonly leads: boolean;
}

/** A component that works for the names of some shards, which change while it runs. */
export interface ShardUser {
  /** Called after shards were taken: their work begins. */
  gain(shards: readonly number[]): Promise<void>;
  /** Called before shards are given away, while they are owned: resolves once work for them that takes long has ended. */
  drain?(shards: readonly number[]): Promise<void>;
  /** Called when shards are given away, or are lost: resolves once no work for them is under way. */
  lose(shards: readonly number[]): Promise<void>;
}

/** Ownership of a single server. */
export const soleOwner: Ownership = { owns: () => true, shards: undefined, leads: true };
