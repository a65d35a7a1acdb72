// Judgements of live models and series that are made from time to time: one at a time beside the loop, with pauses.
import { TorusError } from "../core/errors.ts";
import type { SeriesTags } from "../core/model/fleet.ts";
import type { ModelSettings } from "../core/model/model.ts";
import type { OpenBucket } from "../points/features.ts";
import type { Clock } from "../runtime/clock.ts";
import { sleep } from "../runtime/deadline.ts";
import type { Store } from "../store/db/open.ts";
import type { LiveFleet } from "./fleet/live-fleet.ts";
import { nameOf, SeriesQueue } from "./fleet/series-queue.ts";
import { type Turn, takeTurns } from "./fleet/turns.ts";
import type { Follower, Task } from "./task.ts";

/** Pause after each: 10 000 series take less than three hours. */
const PAUSE_MS = 1000;
/** Series requested per minute, see `takeTurns`. */
const PER_MINUTE = 64;
/** Series whose last judgement is remembered. */
const MAX_REMEMBERED = 100_000;

interface SubjectDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly openBucket: OpenBucket;
  readonly onError: (error: unknown, model: string | null) => void;
}

/** A model, or a series of it, with its history up to now. */
export interface Subject {
  /** Effective settings with the units in force, see `StoredSettings`. */
  readonly settings: ModelSettings;
  readonly intervalMs: number;
  /** Of a fleet: the series. */
  readonly series?: SeriesTags | undefined;
  /** End of the history, ms since the epoch. */
  readonly toAt: number;
}

/** Where a judgement is kept. */
interface SubjectName {
  readonly model: string;
  /** Key of the series. */
  readonly series: string | undefined;
}

/** What is judged of each. */
export interface Judgement {
  /** Time between two of a series, ms. */
  readonly everyMs: number;
  /** Whether the settings ask for it. */
  isAsked(settings: ModelSettings): boolean;
  /** Judges and keeps it. */
  judge(deps: SubjectDeps, name: SubjectName, subject: Subject, signal: AbortSignal): Promise<void>;
}

/** A model, or one of its series. */
interface Judged {
  readonly key?: string;
  readonly tags?: SeriesTags;
}

export class SubjectWatch implements Follower {
  readonly #queue = new SeriesQueue();
  /** When each was requested last, and with which settings. */
  readonly #requested = new Map<string, { readonly at: number; readonly revision: string }>();

  constructor(
    private readonly deps: SubjectDeps,
    private readonly judgement: Judgement,
  ) {}

  follow(fleet: LiveFleet, task: Task): void {
    if (!this.judgement.isAsked(task.effective.settings)) return;
    const due: Turn<Judged>[] = [];
    for (const { key, tags } of fleet.series.values()) {
      const lastAt = this.#requested.get(nameOf(task, { key }))?.at;
      if (this.#isDue({ key }, task)) due.push({ series: { key, tags }, lastAt });
    }
    const { intervalMs: everyMs } = task.schedule;
    for (const judged of takeTurns(due, { perMinute: PER_MINUTE, everyMs })) this.#request(judged, task);
  }

  followModel(task: Task): void {
    const { settings } = task.effective;
    // The series of a fleet are known once it is trained.
    if (settings.group_by || !this.judgement.isAsked(settings)) return;
    if (this.#isDue({}, task)) this.#request({}, task);
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  #isDue(judged: Judged, task: Task): boolean {
    const { nowAt, revision } = task;
    const name = nameOf(task, judged);
    const before = this.#requested.get(name);
    const isKnown =
      before?.revision === revision && before.at <= nowAt && nowAt - before.at < this.judgement.everyMs;
    return !isKnown && !this.#queue.has(name);
  }

  #request(judged: Judged, task: Task): void {
    const { nowAt, revision } = task;
    const name = nameOf(task, judged);
    if (this.#requested.size >= MAX_REMEMBERED) this.#requested.clear();
    this.#requested.set(name, { at: nowAt, revision });
    this.#queue.add(name, (signal) => this.#judge(judged, task, signal));
  }

  /** Never rejects: what cannot be read is judged the next time. */
  async #judge({ key, tags }: Judged, { row, effective, window }: Task, signal: AbortSignal): Promise<void> {
    const { clock, onError } = this.deps;
    const { model } = row;
    const { settings, intervalMs } = effective;
    try {
      const subject = { settings, intervalMs, series: tags, toAt: window.range.toAt };
      await this.judgement.judge(this.deps, { model, series: key }, subject, signal);
    } catch (error) {
      if (!(error instanceof TorusError)) onError(error, model);
    }
    await sleep(PAUSE_MS, signal, clock);
  }
}
