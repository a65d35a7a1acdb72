// Capacity of live models: outlooks of models and series, made one at a time beside the loop, with pauses.
import { TorusError } from "../../core/errors.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import { HOUR_MS } from "../../core/time/time.ts";
import type { OpenBucket } from "../../points/features.ts";
import type { Clock } from "../../runtime/clock.ts";
import { sleep } from "../../runtime/deadline.ts";
import type { Store } from "../../store/db/open.ts";
import { replaceOutlooks } from "../../store/outlooks.ts";
import type { LiveFleet } from "../fleet/live-fleet.ts";
import { SeriesQueue } from "../fleet/series-queue.ts";
import type { FleetFollower, Task } from "../task.ts";
import { judgedLimits, judgeSubject } from "./judge.ts";

/** Time between two outlooks of a series. */
const EVERY_MS = 6 * HOUR_MS;
/** Pause after each: 10 000 series take less than the time between two outlooks. */
const PAUSE_MS = 1000;
/** Series requested by one evaluation: the others come with the next ones. */
const MAX_PER_EVALUATION = 64;
/** Series whose last outlook is remembered. */
const MAX_REMEMBERED = 100_000;

interface CapacityDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly openBucket: OpenBucket;
  readonly onError: (error: unknown, model: string | null) => void;
}

/** A model, or one of its series. */
interface Judged {
  readonly key?: string;
  readonly tags?: SeriesTags;
}

export class CapacityWatch implements FleetFollower {
  readonly #queue = new SeriesQueue();
  /** When each was requested last, and with which settings. */
  readonly #requested = new Map<string, { readonly at: number; readonly revision: string }>();

  constructor(private readonly deps: CapacityDeps) {}

  follow(fleet: LiveFleet, task: Task): void {
    if (judgedLimits(task.effective.settings).length === 0) return;
    let requested = 0;
    for (const { key, tags } of fleet.series.values()) {
      if (requested >= MAX_PER_EVALUATION) return;
      if (this.#request({ key, tags }, task)) requested++;
    }
  }

  /** Requests the outlook of a model of one series, where it is due; returns at once. */
  followModel(task: Task): void {
    const { settings } = task.effective;
    // The series of a fleet are known once it is trained.
    if (!settings.group_by && judgedLimits(settings).length > 0) this.#request({}, task);
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  /** @returns whether it is due */
  #request(judged: Judged, task: Task): boolean {
    const { nowAt, revision, row } = task;
    const name = `${row.model} ${judged.key ?? ""}`;
    const before = this.#requested.get(name);
    const isKnown = before?.revision === revision && before.at <= nowAt && nowAt - before.at < EVERY_MS;
    if (isKnown || this.#queue.has(name)) return false;
    if (this.#requested.size >= MAX_REMEMBERED) this.#requested.clear();
    this.#requested.set(name, { at: nowAt, revision });
    this.#queue.add(name, (signal) => this.#judge(judged, task, signal));
    return true;
  }

  /** Never rejects: what cannot be read is judged the next time. */
  async #judge({ key, tags }: Judged, { row, effective, window }: Task, signal: AbortSignal): Promise<void> {
    const { store, clock, openBucket, onError } = this.deps;
    const { model } = row;
    const { settings, intervalMs } = effective;
    try {
      const subject = { settings, intervalMs, series: tags, toAt: window.range.toAt };
      const found = await judgeSubject(openBucket, subject, signal);
      await replaceOutlooks(store, { model, series: key }, found);
    } catch (error) {
      if (!(error instanceof TorusError)) onError(error, model);
    }
    await sleep(PAUSE_MS, signal, clock);
  }
}
