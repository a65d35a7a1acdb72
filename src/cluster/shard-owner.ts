// Shards of this node: as many as its share of the nodes, taken where they are free and given away where they are too many.
import { MAX_SKEW_MS, type Ownership, SHARDS, type ShardUser, shardOf } from "../core/ownership.ts";
import { type BeatAnswer, giveShards, listShards, takeShards } from "../store/postgres/nodes.ts";
import type { SingleStatements } from "../store/postgres/session.ts";
import type { Member } from "./member.ts";

interface OwnerDeps {
  readonly session: SingleStatements;
  readonly member: Pick<Member, "id" | "isGood" | "isPreparing" | "work" | "clockSkewMs" | "retire">;
  readonly onError: (error: unknown) => void;
  /** Called after shards that belonged to nobody were taken. */
  readonly onTaken?: (count: number) => void;
}

export class ShardOwner implements Ownership {
  /** In the order in which they were taken. */
  readonly #owned = new Set<number>();
  /** Owned until their deliveries have ended, then given away. */
  readonly #draining = new Set<number>();
  /** Given up, and not given away yet: work for them ends. */
  readonly #leaving = new Set<number>();
  readonly #users: ShardUser[] = [];

  constructor(private readonly deps: OwnerDeps) {}

  owns(name: string): boolean {
    return this.deps.member.isGood && this.#owned.has(shardOf(name));
  }

  get shards(): readonly number[] {
    return this.deps.member.isGood ? [...this.#owned].sort((a, b) => a - b) : [];
  }

  get leads(): boolean {
    return this.deps.member.isGood && this.#owned.has(0);
  }

  /** Number of shards. */
  get size(): number {
    return this.#owned.size;
  }

  /** Adds a component; it begins with the shards that are owned when it starts. */
  addUser(user: ShardUser): void {
    this.#users.push(user);
  }

  /** Takes or gives away shards, as the answer to a beat shows. @throws TorusError `storage_unavailable` */
  async rebalance(answer: BeatAnswer): Promise<void> {
    if (answer.shards !== this.#owned.size + this.#leaving.size) return this.#reconcile();
    const share = this.#isFit(answer) ? Math.ceil(SHARDS / Math.max(1, answer.liveNodes)) : 0;
    const kept = [...this.#owned].filter((shard) => !this.#draining.has(shard));
    const surplus = kept.length - share;
    // The models of the shards it had last may not have been evaluated here yet: they would wait for two nodes.
    if (surplus > 0) void this.#give(kept.slice(0, surplus));
    else if (surplus < 0 && answer.freeShards > 0) await this.#take(-surplus);
  }

  /** While a node prepares for live work it has shards only where no other node could work for them. */
  #isFit({ liveNodes }: BeatAnswer): boolean {
    const { member } = this.deps;
    const isLive = member.isPreparing ? liveNodes === 0 : member.work.includes("live");
    return isLive && Math.abs(member.clockSkewMs) <= MAX_SKEW_MS;
  }

  /** Gives all shards away and takes no more. */
  async release(): Promise<void> {
    await this.deps.member.retire();
    await this.#give([...this.#owned]);
  }

  /** Forgets all shards, as their lease has ended. */
  async drop(): Promise<void> {
    const shards = [...this.#owned];
    this.#owned.clear();
    this.#draining.clear();
    this.#leaving.clear();
    await Promise.all(this.#users.map((user) => user.lose(shards)));
  }

  async #take(most: number): Promise<void> {
    const { session, member } = this.deps;
    const taken = await takeShards(session, member.id, most);
    if (taken.length === 0) return;
    this.deps.onTaken?.(taken.length);
    await this.#gain(taken);
  }

  async #gain(shards: readonly number[]): Promise<void> {
    for (const shard of shards) this.#owned.add(shard);
    await Promise.all(this.#users.map((user) => user.gain(shards)));
  }

  /** Work for the shards ends before another node begins it; never rejects. */
  async #give(shards: readonly number[]): Promise<void> {
    const { session, member, onError } = this.deps;
    const { id } = member;
    try {
      await this.#drain(shards);
      // Lost meanwhile, they are those of another membership.
      if (member.id !== id) return;
      for (const shard of shards) if (this.#owned.delete(shard)) this.#leaving.add(shard);
      await Promise.all(this.#users.map((user) => user.lose(shards)));
      if (member.id === id) await giveShards(session, id, shards);
    } catch (error) {
      onError(error);
    } finally {
      for (const shard of shards) this.#leaving.delete(shard);
    }
  }

  /** Their models are evaluated meanwhile: the next node would have to wait for as long. */
  async #drain(shards: readonly number[]): Promise<void> {
    for (const shard of shards) this.#draining.add(shard);
    try {
      await Promise.all(this.#users.map((user) => user.drain?.(shards)));
    } finally {
      for (const shard of shards) this.#draining.delete(shard);
    }
  }

  /** An answer about shards was lost: the database says which ones they are. */
  async #reconcile(): Promise<void> {
    const { session, member } = this.deps;
    if (this.#leaving.size > 0) return;
    const actual = new Set(await listShards(session, member.id));
    const lost = [...this.#owned].filter((shard) => !actual.has(shard));
    for (const shard of lost) this.#owned.delete(shard);
    await Promise.all(this.#users.map((user) => user.lose(lost)));
    await this.#gain([...actual].filter((shard) => !this.#owned.has(shard)));
  }
}
