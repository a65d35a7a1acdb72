// Membership of a node: a lease that beats renew; a lost one is followed by another membership with a new id.
import type { Clock } from "../runtime/clock.ts";
import { joinNode } from "../store/postgres/join.ts";
import {
  type BeatAnswer,
  beatNode,
  leaveNodes,
  type NewNode,
  type RunningJob,
  retireNode,
} from "../store/postgres/nodes.ts";
import type { SharedStore } from "../store/postgres/open.ts";

export interface MemberDeps {
  readonly store: SharedStore;
  readonly clock: Pick<Clock, "now">;
  /** Time that only rises, ms: unlike the clock, nobody sets it. */
  readonly monotonic: () => number;
  readonly leaseMs: number;
  /** Kinds of buckets whose points are in files of one server. */
  readonly kindsWithFiles: readonly string[];
  readonly node: Omit<NewNode, "id" | "address">;
  /** Where the node listens, `host:port`; empty until it does. */
  readonly address: () => string;
  /** A fresh UUID. */
  readonly newId: () => string;
}

export class Member {
  #id = "";
  /** On the monotonic time. */
  #goodUntil = Number.NEGATIVE_INFINITY;
  #clockSkewMs = 0;
  #stage: "preparing" | "working" | "retired" = "preparing";

  constructor(private readonly deps: MemberDeps) {}

  /** UUID of the membership; never used again. */
  get id(): string {
    return this.#id;
  }

  /** Work that others leave to this node: live work once it is prepared for it, none once it stops. */
  get work(): readonly string[] {
    const { work } = this.deps.node;
    if (this.#stage === "retired") return [];
    return this.isPreparing ? work.filter((part) => part !== "live") : work;
  }

  /** Whether it prepares for live work. */
  get isPreparing(): boolean {
    return this.#stage === "preparing" && this.deps.node.work.includes("live");
  }

  /** Whether the lease holds, counted from before the beat that renewed it: never longer than in the database. */
  get isGood(): boolean {
    return this.deps.monotonic() < this.#goodUntil;
  }

  /** Of this clock against that of the database, ms; at most the time of a beat too much. */
  get clockSkewMs(): number {
    return this.#clockSkewMs;
  }

  /** Until the lease ends, ms; negative: it has. */
  get leaseMs(): number {
    return this.#goodUntil - this.deps.monotonic();
  }

  /** @throws TorusError `storage_unavailable`, `not_supported` beside a server whose files hold points */
  async join(): Promise<void> {
    const { store, clock, monotonic, leaseMs, kindsWithFiles, node, address, newId } = this.deps;
    const id = newId();
    const sentAt = monotonic();
    await joinNode(
      store,
      { ...node, id, address: address(), work: this.work },
      { leaseMs, kindsWithFiles, at: clock.now() },
    );
    this.#id = id;
    this.#goodUntil = sentAt + leaseMs;
  }

  /** Renews the lease. @returns `isHeld: false` where it had ended. @throws TorusError `storage_unavailable` */
  async beat(running: readonly RunningJob[]): Promise<BeatAnswer> {
    const { store, clock, monotonic, leaseMs, address } = this.deps;
    const sentAt = monotonic();
    const beforeAt = clock.now();
    const beat = { id: this.#id, leaseMs, address: address(), work: this.work, at: beforeAt, running };
    const answer = await beatNode(store.session, beat);
    this.#clockSkewMs = (beforeAt + clock.now()) / 2 - answer.at;
    this.#goodUntil = answer.isHeld ? sentAt + leaseMs : Number.NEGATIVE_INFINITY;
    return answer;
  }

  /** It is prepared for live work, as the next beat says: others give shards away then. */
  begin(): void {
    if (this.#stage === "preparing") this.#stage = "working";
  }

  /** Shows that this node does no more work: others take its share. @throws TorusError `storage_unavailable` */
  async retire(): Promise<void> {
    this.#stage = "retired";
    await retireNode(this.deps.store.session, this.#id);
  }

  /** Ends the membership: its shards are free at once. @throws TorusError `storage_unavailable` */
  async leave(): Promise<void> {
    this.#goodUntil = Number.NEGATIVE_INFINITY;
    await leaveNodes(this.deps.store.session, this.#id);
  }
}
