// The live loop: one timer for the model that is due next; each model on its own schedule, limited per bucket.
import { TorusError } from "../core/errors.ts";
import { groupShards, type Ownership, type ShardUser, shardOf, soleOwner } from "../core/ownership.ts";
import { dueSlot, type Tick } from "../core/time/tick.ts";
import { MINUTE_MS } from "../core/time/time.ts";
import { DueQueue } from "../runtime/due-queue.ts";
import { KeyedLimiter } from "../runtime/keyed-limiter.ts";
import { type LiveRow, listLive, loadLive } from "../store/live.ts";
import { loadModel, type ModelRow, readModels } from "../store/models.ts";
import { type BucketChange, BucketWatch } from "./bucket-watch.ts";
import { budgetJudgement } from "./budget/judge.ts";
import { capacityJudgement } from "./capacity/judge.ts";
import { SeriesFitter } from "./fleet/fitter.ts";
import { FleetCache } from "./fleet/fleet-cache.ts";
import { FleetForecaster } from "./fleet/forecaster.ts";
import { type LiveModel, makeLiveModel, updateSchedule } from "./live-model.ts";
import { ModelCache } from "./model-cache.ts";
import { CombinedReads } from "./reads/index.ts";
import { RecentChanges } from "./recent-changes.ts";
import { Recorder, type RecorderDeps } from "./recorder.ts";
import { type EvaluationReport, evaluateSlot } from "./slot.ts";
import { SourceWatch } from "./source-watch.ts";
import { storedSettings } from "./stored-settings.ts";
import { SubjectWatch } from "./subject-watch.ts";
import type { EvaluationDeps } from "./task.ts";

/** Longest sleep: a timer does not notice that the clock was set. */
const MAX_WAIT_MS = 10_000;
/** Evaluations of the same buckets at a time: some wait for a combined read, others for a combined commit. */
const MAX_PER_BUCKETS = 64;
/** Shards read at once: some 3 % of the models. */
const SHARDS_AT_ONCE = 32;
/** Pause of models whose lease has ended. */
const LEASE_WAIT_MS = 500;
const SOURCE_GRACE_MS = 5 * MINUTE_MS;

export interface LoopDeps
  extends Omit<
      EvaluationDeps,
      "recorder" | "recentChanges" | "models" | "bucketWatch" | "forecasting" | "fleets" | "followers"
    >,
    Partial<Pick<RecorderDeps, "groupMs" | "onRefused">> {
  /** Models that are evaluated here; default: all. */
  readonly ownership?: Ownership;
  /** Longest evaluation, ms. */
  readonly deadlineMs: number;
  /** How long reads of a data source fail before it is announced, ms; default: 5 min. */
  readonly sourceGraceMs?: () => number;
  /** Called when a bucket begins to fail live reads, and when it is back. */
  readonly onBucketChange?: (change: BucketChange) => void;
  /** Called after every evaluation. */
  readonly onEvaluation?: (report: EvaluationReport) => void;
}

export class LiveLoop implements ShardUser {
  readonly #models = new Map<string, LiveModel>();
  readonly #due = new DueQueue();
  readonly #limiter = new KeyedLimiter(MAX_PER_BUCKETS);
  readonly #shared: EvaluationDeps;
  readonly #sources: SourceWatch;
  #clearTimer = () => {};
  /** The clock at the last wake-up, ms since the epoch. */
  #lastWakeAt = -Infinity;
  #isOpen = false;

  constructor(private readonly deps: LoopDeps) {
    const reads = new CombinedReads(deps);
    this.#sources = new SourceWatch({
      ...deps,
      graceMs: deps.sourceGraceMs ?? (() => SOURCE_GRACE_MS),
      readersOf: (bucket) => this.#readersOf(bucket),
    });
    const forecasting = new KeyedLimiter(1);
    this.#shared = {
      ...deps,
      openBucket: (name) => reads.open(name),
      bucketWatch: new BucketWatch({
        clock: deps.clock,
        onChange: (change) => this.#reportBucket(change),
        sources: this.#sources,
      }),
      forecasting,
      recorder: new Recorder({ ...deps, groupMs: deps.groupMs ?? 0 }),
      recentChanges: new RecentChanges(deps),
      models: new ModelCache(deps.store),
      fleets: new FleetCache(deps),
      followers: [
        new SeriesFitter(deps),
        new FleetForecaster(deps),
        new SubjectWatch(deps, capacityJudgement),
        new SubjectWatch(deps, budgetJudgement),
      ],
    };
  }

  /** Nothing is stored: the next start finds out anew. */
  #reportBucket(change: BucketChange): void {
    const { store, onBucketChange } = this.deps;
    onBucketChange?.(change);
    const error = change.state === "failing" ? { error: change.reason } : {};
    store.changes.publish([{ type: "bucket", bucket: change.bucket, step: change.state, ...error }]);
  }

  /** Resumes every live model of this node where it stood. @returns how many there are */
  async start(): Promise<number> {
    this.#isOpen = true;
    return this.#resume(this.#ownership.shards);
  }

  /** Resumes the live models of shards where they stood, on any node. */
  async gain(shards: readonly number[]): Promise<void> {
    if (this.#isOpen) await this.#resume(shards);
  }

  /** Aborts evaluations of shards and starts no more: what is recorded late is refused. */
  async lose(shards: readonly number[]): Promise<void> {
    const lost = new Set(shards);
    for (const model of [...this.#models.keys()]) if (lost.has(shardOf(model))) this.#leave(model);
    if (this.#isOpen) this.#sources.forgetUnread();
  }

  async #resume(shards: readonly number[] | undefined): Promise<number> {
    const { store } = this.deps;
    await this.#sources.start();
    let count = 0;
    // The states of thousands of models at once would hold up everything else.
    for (const part of shards ? groupShards(shards, SHARDS_AT_ONCE) : [undefined]) {
      const rows = await listLive(store, part);
      const models = await readModels(
        store,
        rows.map((row) => row.model),
      );
      for (const row of rows) {
        const model = models.get(row.model);
        // Deleted, or lost, meanwhile.
        if (model && this.#ownership.owns(row.model)) this.#enter(row, model);
      }
      count += rows.length;
      this.#wake();
    }
    this.#sources.forgetUnread();
    return count;
  }

  get #ownership(): Ownership {
    return this.deps.ownership ?? soleOwner;
  }

  /** Number of live models. */
  get size(): number {
    return this.#models.size;
  }

  /** Age of the oldest evaluation that waits or runs, ms. */
  overdueMs(): number {
    const nowAt = this.deps.clock.now();
    let oldestAt = nowAt;
    for (const { isTaken, takenAt } of this.#models.values())
      if (isTaken && takenAt < oldestAt) oldestAt = takenAt;
    return nowAt - oldestAt;
  }

  /** Aborts evaluations that run, without recording them, and starts no more. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    this.#clearTimer();
    this.#limiter.clear();
    for (const { controller } of this.#models.values()) controller?.abort(stopped());
    this.#shared.recorder.stop();
    await Promise.all(this.#shared.followers.map((follower) => follower.stop()));
    await this.#limiter.idle();
    await this.deps.output.stop();
  }

  /** Reads models again that were started, stopped, changed or deleted. */
  async follow(names: readonly string[]): Promise<void> {
    for (const name of new Set(names)) {
      if (!this.#ownership.owns(name) && !this.#models.has(name)) continue;
      const row = this.#ownership.owns(name) ? await loadLive(this.deps.store, name) : undefined;
      if (row) this.#enter(row, await loadModel(this.deps.store, name));
      else this.#leave(name);
    }
    this.#sources.forgetUnread();
    this.#wake();
  }

  #readersOf(bucket: string): string[] {
    const entries = [...this.#models.values()];
    return entries.filter(({ buckets }) => buckets.includes(bucket)).map(({ model }) => model);
  }

  #enter(row: LiveRow, model: ModelRow): void {
    const settings = storedSettings(model);
    const known = this.#models.get(row.model);
    if (known && known.run !== row.state.run) this.#leave(row.model);
    const entry = this.#models.get(row.model) ?? makeLiveModel(row, settings);
    this.#models.set(row.model, entry);
    updateSchedule(entry, settings);
    if (!row.options.save) this.deps.output.forget(row.model);
    this.#shared.bucketWatch.keep(row.model, settings.buckets);
    // The change may have repaired what failed.
    entry.retryAt = -Infinity;
    this.#plan(entry);
  }

  #leave(model: string): void {
    this.#models.get(model)?.controller?.abort(stopped());
    this.#models.delete(model);
    this.#due.remove(model);
    this.#shared.bucketWatch.keep(model);
    this.deps.versions.forget(model);
    this.#shared.models.forget(model);
    this.#shared.fleets.forget(model);
    this.deps.output.forget(model);
  }

  /** Puts a model into the queue for its next slot. */
  #plan(entry: LiveModel): void {
    if (entry.isTaken || this.#models.get(entry.model) !== entry) return;
    const nowAt = this.deps.clock.now();
    const { slot, nextAt } = this.#tick(entry);
    this.#due.put(entry.model, Math.max(slot === undefined ? nextAt : nowAt, entry.retryAt));
  }

  #tick({ schedule, lastSlot }: LiveModel): Tick {
    return dueSlot({ ...schedule, lastSlot, nowAt: this.deps.clock.now() });
  }

  /** Starts every evaluation that is due, then sleeps until the next. */
  #wake(): void {
    if (!this.#isOpen) return;
    const nowAt = this.deps.clock.now();
    if (nowAt < this.#lastWakeAt) this.#replan();
    this.#lastWakeAt = nowAt;
    for (let name = this.#due.takeDue(nowAt); name !== undefined; name = this.#due.takeDue(nowAt))
      this.#launch(this.#models.get(name)!);
    this.#clearTimer();
    const waitMs = Math.max(0, (this.#due.nextAt ?? Infinity) - nowAt);
    this.#clearTimer = this.deps.clock.setTimer(() => this.#wake(), Math.min(waitMs, MAX_WAIT_MS));
  }

  /** The clock was set back: planned slots are too far ahead. */
  #replan(): void {
    for (const entry of this.#models.values()) {
      entry.retryAt = -Infinity;
      this.#plan(entry);
    }
  }

  #launch(entry: LiveModel): void {
    // The lease has ended: unless it is renewed, the model is about to be lost.
    if (!this.#ownership.owns(entry.model)) {
      this.#due.put(entry.model, this.deps.clock.now() + LEASE_WAIT_MS);
      return;
    }
    entry.isTaken = true;
    entry.takenAt = this.deps.clock.now();
    void this.#limiter.add(entry.buckets.join(";"), () => this.#run(entry));
  }

  /** Never rejects: the failure of one model does not concern others. */
  async #run(entry: LiveModel): Promise<void> {
    if (!this.#isOpen || this.#models.get(entry.model) !== entry) return;
    const { slot, missed, nextAt } = this.#tick(entry);
    if (slot !== undefined) {
      const tick = { slot, missed: missed + entry.unrecorded, nextAt };
      await evaluateSlot(entry, tick, { ...this.deps, shared: this.#shared });
    }
    entry.isTaken = false;
    this.#plan(entry);
    this.#wake();
  }
}

function stopped(): TorusError {
  return new TorusError("canceled", "the model is not evaluated any more");
}
