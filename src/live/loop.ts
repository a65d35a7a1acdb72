// The loop: one timer for the model that is due next; every model at its own rhythm, none in the way of another.
import { TorusError } from "../core/errors.ts";
import { storedSettings } from "../core/model/effective-settings.ts";
import { dueSlot, moveSlot, startOfSlot, type Tick } from "../core/time/tick.ts";
import { type LiveRow, listLive, loadLive } from "../store/live.ts";
import { listModels, loadModel, type ModelRow } from "../store/models.ts";
import { BucketLimiter } from "./bucket-limiter.ts";
import { type BucketChange, BucketWatch } from "./bucket-watch.ts";
import { DueQueue } from "./due-queue.ts";
import {
  bucketsOf,
  type DueTick,
  type EvaluationDeps,
  type EvaluationResult,
  runEvaluation,
} from "./evaluation.ts";
import { type LiveModel, makeEntry, settle, updateSchedule } from "./live-model.ts";
import { CombinedReads } from "./reads/index.ts";
import { Recorder } from "./recorder.ts";
import { SettingsCache } from "./settings-cache.ts";

/** The clock is looked at this often at least: a timer does not notice that it was set. */
const LONGEST_WAIT_MS = 10_000;
/** Evaluations side by side of the same buckets: some wait to be read together, others to be recorded together. */
const LANE_SIZE = 64;

export interface LoopDeps extends Omit<EvaluationDeps, "settings" | "recorder" | "bucketWatch"> {
  /** Shortest time between two commits of evaluations, ms; default: each has its own. */
  readonly groupMs?: number;
  /** Longest evaluation, ms. */
  readonly deadlineMs: number;
  /** Called when a bucket begins to fail live reads, and when it is back. */
  readonly onBucketChange?: (change: BucketChange) => void;
  /** Told of every evaluation that ended. */
  readonly onRound?: (round: RoundReport) => void;
}

/** How one evaluation went. */
export interface RoundReport {
  readonly end: EvaluationResult["end"];
  /** From the start of its slot to its own, ms. */
  readonly lateMs: number;
  readonly durationMs: number;
  /** Slots skipped before it. */
  readonly missed: number;
}

export class LiveLoop {
  readonly #entries = new Map<string, LiveModel>();
  readonly #agenda = new DueQueue();
  readonly #lanes = new BucketLimiter(LANE_SIZE);
  readonly #rounds = new Set<Promise<void>>();
  readonly #shared: EvaluationDeps;
  #clearTimer = () => {};
  #seenAt = -Infinity;
  #open = false;

  constructor(private readonly deps: LoopDeps) {
    const reads = new CombinedReads(deps);
    this.#shared = {
      ...deps,
      openBucket: (name) => reads.open(name),
      settings: new SettingsCache(deps),
      bucketWatch: new BucketWatch({
        clock: deps.clock,
        onChange: (change) => deps.onBucketChange?.(change),
      }),
      recorder: new Recorder({ ...deps, groupMs: deps.groupMs ?? 0 }),
    };
  }

  /** Resumes every live model where it stood. @returns how many there are */
  async start(): Promise<number> {
    const rows = await listLive(this.deps.store);
    const models = new Map((await listModels(this.deps.store)).map((row) => [row.name, row]));
    this.#open = true;
    for (const row of rows) this.#enter(row, models.get(row.model)!);
    this.#wake();
    return rows.length;
  }

  /** Models that are live. */
  get size(): number {
    return this.#entries.size;
  }

  /** How long the evaluation that has waited or run longest has done so, ms. */
  overdueMs(): number {
    const nowAt = this.deps.clock.now();
    let oldestAt = nowAt;
    for (const { taken, takenAt } of this.#entries.values())
      if (taken && takenAt < oldestAt) oldestAt = takenAt;
    return nowAt - oldestAt;
  }

  /** Ends what runs, without recording it, and starts nothing more. */
  async stop(): Promise<void> {
    this.#open = false;
    this.#clearTimer();
    this.#lanes.clear();
    for (const { controller } of this.#entries.values()) controller?.abort(stopped());
    this.#shared.recorder.stop();
    await Promise.all(this.#rounds);
    this.deps.output.stop();
  }

  /** Looks again at models that were started, stopped, changed or deleted. */
  async follow(names: readonly string[]): Promise<void> {
    for (const name of new Set(names)) {
      const row = await loadLive(this.deps.store, name);
      if (row) this.#enter(row, await loadModel(this.deps.store, name));
      else this.#leave(name);
    }
    this.#wake();
  }

  #enter(row: LiveRow, model: ModelRow): void {
    const settings = storedSettings(model);
    const known = this.#entries.get(row.model);
    if (known && known.run !== row.state.run) this.#leave(row.model);
    const entry = this.#entries.get(row.model) ?? makeEntry(row, settings);
    this.#entries.set(row.model, entry);
    updateSchedule(entry, settings);
    this.#shared.bucketWatch.keep(row.model, bucketsOf(settings));
    // Whoever changed something may have repaired what failed.
    entry.retryAt = -Infinity;
    this.#plan(entry);
  }

  #leave(model: string): void {
    this.#entries.get(model)?.controller?.abort(stopped());
    this.#entries.delete(model);
    this.#agenda.remove(model);
    this.#shared.bucketWatch.keep(model);
    this.deps.versions.forget(model);
    this.#shared.settings.forget(model);
    this.deps.output.forget(model);
  }

  /** Puts an entry where it is due next. */
  #plan(entry: LiveModel): void {
    if (entry.taken || this.#entries.get(entry.model) !== entry) return;
    const nowAt = this.deps.clock.now();
    const { slot, nextAt } = this.#tick(entry);
    this.#agenda.put(entry.model, Math.max(slot === undefined ? nextAt : nowAt, entry.retryAt));
  }

  #tick({ rhythm, lastSlot }: LiveModel): Tick {
    return dueSlot({ ...rhythm, lastSlot, nowAt: this.deps.clock.now() });
  }

  /** Sends off everyone who is due, then waits for the next one. */
  #wake(): void {
    if (!this.#open) return;
    const nowAt = this.deps.clock.now();
    if (nowAt < this.#seenAt) this.#replan();
    this.#seenAt = nowAt;
    for (let name = this.#agenda.takeDue(nowAt); name !== undefined; name = this.#agenda.takeDue(nowAt))
      this.#send(this.#entries.get(name)!);
    this.#clearTimer();
    const waitMs = Math.max(0, (this.#agenda.nextAt ?? Infinity) - nowAt);
    this.#clearTimer = this.deps.clock.setTimer(() => this.#wake(), Math.min(waitMs, LONGEST_WAIT_MS));
  }

  /** The clock went back: what was planned lies too far ahead. */
  #replan(): void {
    for (const entry of this.#entries.values()) {
      entry.retryAt = -Infinity;
      this.#plan(entry);
    }
  }

  #send(entry: LiveModel): void {
    entry.taken = true;
    entry.takenAt = this.deps.clock.now();
    this.#lanes.add(entry.lane, () => {
      const round = this.#runRound(entry).finally(() => this.#rounds.delete(round));
      this.#rounds.add(round);
      return round;
    });
  }

  /** Never rejects: one model's trouble is its own. */
  async #runRound(entry: LiveModel): Promise<void> {
    if (!this.#open || this.#entries.get(entry.model) !== entry) return;
    const { slot, missed, nextAt } = this.#tick(entry);
    if (slot !== undefined) await this.#evaluate(entry, { slot, missed, nextAt });
    entry.taken = false;
    this.#plan(entry);
    this.#wake();
  }

  async #evaluate(entry: LiveModel, tick: DueTick): Promise<void> {
    const { model, rhythm } = entry;
    const { clock, deadlineMs } = this.deps;
    const startedAt = clock.now();
    const controller = new AbortController();
    entry.controller = controller;
    const giveUp = () =>
      controller.abort(new TorusError("deadline", `the evaluation took longer than ${deadlineMs / 1000} s`));
    const clearTimer = clock.setTimer(giveUp, deadlineMs);
    let round: EvaluationResult = { end: "failed" };
    try {
      round = await runEvaluation(this.#shared, { model, tick, schedule: rhythm, signal: controller.signal });
    } catch (error) {
      this.deps.onError(error, model);
    }
    clearTimer();
    const durationMs = clock.now() - startedAt;
    const lateMs = Math.max(0, startedAt - startOfSlot(rhythm, tick.slot));
    this.deps.onRound?.({ end: round.end, lateMs, durationMs, missed: tick.missed });
    entry.controller = undefined;
    entry.lastSlot = moveSlot(tick.slot, rhythm, entry.rhythm);
    settle(entry, round);
  }
}

function stopped(): TorusError {
  return new TorusError("canceled", "the model is not evaluated any more");
}
