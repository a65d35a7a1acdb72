// A node of a cluster: beats, shards, dead nodes and changes of others, each in a loop of its own until it stops.
import type { Clock } from "../runtime/clock.ts";
import { sleep } from "../runtime/deadline.ts";
import { Lock } from "../runtime/lock.ts";
import type { Recovered } from "../store/jobs/recovery.ts";
import { buryNodes } from "../store/postgres/bury.ts";
import { sweepChanges } from "../store/postgres/change-feed.ts";
import {
  isSynchronous,
  listNodes,
  type Node,
  type NodeState,
  type RunningJob,
} from "../store/postgres/nodes.ts";
import { type Followers, follow } from "./follower.ts";
import { Member, type MemberDeps } from "./member.ts";
import { ShardOwner } from "./shard-owner.ts";
import { SkewWatch } from "./skew-watch.ts";

const BEATS_PER_LEASE = 5;
const FEED_MS = 250;
/** Changes are kept for nodes with a lease, whose longest is a minute. */
const KEPT_CHANGES_MS = 10 * 60_000;
const SWEEP_EVERY_MS = 60_000;

export type ClusterStep = "joined" | "lost" | "taken" | "buried" | "skewed" | "synchronized";

export interface ClusterDeps extends MemberDeps {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Called after shards that no node owned were taken. */
  readonly onTaken: (count: number) => void;
  readonly onChange: (step: ClusterStep, fields: object) => void;
}

/** What this node does for others, and they for it. */
export interface Work {
  readonly followers: Followers;
  /** Jobs that run here. */
  readonly listRunning: () => readonly RunningJob[];
  /** Called when the lease was lost: other nodes have the jobs. */
  readonly abandonJobs: () => void;
}

export class Cluster {
  readonly member: Member;
  readonly shards: ShardOwner;
  readonly #skew = new SkewWatch();
  readonly #stopping = new AbortController();
  readonly #beats = new Lock();
  #work: Work | undefined;
  #loops: Promise<unknown> = Promise.resolve();
  #elsewhere: ReadonlyMap<string, RunningJob> = new Map();
  /** Of the last answer of the feed, on the monotonic time. */
  #heardAt = 0;
  #sweptAt = 0;
  #isLost = false;
  /** Whether changes may have been missed: everything is read anew. */
  #isBehind = false;
  #nodes = 1;

  constructor(private readonly deps: ClusterDeps) {
    const { session } = deps.store;
    this.member = new Member(deps);
    this.shards = new ShardOwner({
      session,
      member: this.member,
      onError: deps.onError,
      onTaken: (count) => {
        deps.onTaken(count);
        deps.onChange("taken", { shards: count });
      },
    });
  }

  /** Joins, buries dead nodes, takes the shards that are free, and goes on with it. @throws TorusError */
  async start(): Promise<Recovered> {
    const recovered = await this.#join();
    const { leaseMs } = this.deps;
    this.#loops = Promise.all([
      this.#repeat(leaseMs / BEATS_PER_LEASE, () => this.#beats.run(() => this.#beat())),
      this.#repeat(FEED_MS, () => this.#hear()),
    ]);
    return recovered;
  }

  /** Sets the components that act on changes of other nodes. */
  follow(work: Work): void {
    this.#work = work;
  }

  /** Gives all shards away, once the components that work for them have stopped. */
  async release(): Promise<void> {
    await this.shards.release().catch(this.deps.onError);
  }

  /** Ends the membership. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loops;
    await this.#beats.run(() => this.member.leave()).catch(this.deps.onError);
  }

  /** Progress of a job that another node runs. */
  progressOf(id: string): RunningJob | undefined {
    return this.#elsewhere.get(id);
  }

  /** State of this node; asks nobody. */
  get state(): NodeState {
    const { clockSkewMs } = this.member;
    const leaseMs = Math.max(0, this.member.leaseMs);
    const feedAgeMs = this.deps.monotonic() - this.#heardAt;
    return { nodes: this.#nodes, shards: this.shards.size, leaseMs, clockSkewMs, feedAgeMs };
  }

  /** All nodes. @throws TorusError `storage_unavailable` */
  list(): Promise<Node[]> {
    return listNodes(this.deps.store.session);
  }

  /** As `isSynchronous` of the store. @throws TorusError `storage_unavailable` */
  isSynchronous(): Promise<boolean | undefined> {
    return isSynchronous(this.deps.store.session);
  }

  async #join(): Promise<Recovered> {
    const { store, clock, onChange } = this.deps;
    await this.member.join();
    // Changes before the first question are part of what is read after it.
    store.feed.reset();
    await store.feed.ask();
    this.#heardAt = this.deps.monotonic();
    const recovered = await buryNodes(store, clock.now());
    const answer = await this.member.beat([]);
    this.#watchClock();
    this.#nodes = answer.nodes;
    onChange("joined", { id: this.member.id, live_nodes: answer.liveNodes });
    await this.shards.rebalance(answer);
    return recovered;
  }

  /** Of failures in a row, the first one is reported. */
  async #repeat(everyMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    let isFailing = false;
    while (!signal.aborted) {
      if (!(await sleep(everyMs, signal, this.deps.clock))) return;
      try {
        await work();
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.deps.onError(error);
        isFailing = true;
      }
    }
  }

  async #beat(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    if (!this.#isLost) await this.#renew();
    if (this.#isLost) await this.#rejoin();
  }

  async #renew(): Promise<void> {
    const { store, clock, onChange } = this.deps;
    try {
      const answer = await this.member.beat(this.#work?.listRunning() ?? []);
      this.#watchClock();
      if (!answer.isHeld) return this.#lose();
      this.#nodes = answer.nodes;
      this.#announceProgress(answer.elsewhere);
      if (answer.deadNodes > 0) {
        onChange("buried", { ...(await buryNodes(store, clock.now())) });
        this.#work?.followers.waitingJobs();
      }
      await this.shards.rebalance(answer);
      await this.#sweep();
    } finally {
      if (!this.member.isGood) this.#lose();
    }
  }

  #watchClock(): void {
    const { clockSkewMs } = this.member;
    const step = this.#skew.observe(clockSkewMs);
    if (step) this.deps.onChange(step, { skew: Math.round(clockSkewMs) / 1000 });
  }

  /** Evaluations, deliveries and jobs under way are dropped: other nodes do them. */
  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#isBehind = true;
    this.deps.onChange("lost", { id: this.member.id });
    void this.shards.drop().catch(this.deps.onError);
    this.#work?.abandonJobs();
  }

  async #rejoin(): Promise<void> {
    // Transactions do not wait for a database that this session knows to be down.
    await this.deps.store.session.query("select 1");
    await this.#join();
    this.#isLost = false;
  }

  /** Changes are not heard of while the node is outside; one that could not be followed is not answered again. */
  async #hear(): Promise<void> {
    const { store, monotonic } = this.deps;
    if (this.#isLost || !this.#work) return;
    const { id } = this.member;
    const askedAt = monotonic();
    const { isReset, found } = await store.feed.ask();
    this.#heardAt = askedAt;
    const { followers } = this.#work;
    // Until they are taken, nothing evaluates their models; the next beat may be seconds away.
    if (found.some(({ signals }) => signals.some(({ topic }) => topic === "shards")))
      void this.#beats.run(() => this.#beat()).catch(this.deps.onError);
    const isBehind = this.#isBehind || isReset;
    this.#isBehind = true;
    if (isBehind) store.rowCache.invalidate();
    await (isBehind ? followers.all() : follow(found, followers, store));
    // A lease that was lost meanwhile leaves it behind again.
    if (!this.#isLost && this.member.id === id) this.#isBehind = false;
  }

  /** Progress is not stored; clients that follow events hear of it on every node. */
  #announceProgress(elsewhere: readonly RunningJob[]): void {
    const { changes } = this.deps.store;
    for (const running of elsewhere) {
      const isNew = !Bun.deepEquals(this.#elsewhere.get(running.id)?.progress, running.progress);
      if (isNew) changes.publish([{ type: "job", state: "running", ...running }]);
    }
    this.#elsewhere = new Map(elsewhere.map((running) => [running.id, running]));
  }

  /** Done by one node for all. */
  async #sweep(): Promise<void> {
    const nowAt = this.deps.monotonic();
    if (!this.shards.leads || nowAt - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = nowAt;
    await sweepChanges(this.deps.store.session, KEPT_CHANGES_MS);
  }
}
