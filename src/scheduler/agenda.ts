// Agenda of scheduled jobs: the next slot of each, so that a wake-up reads only those that are due.
import { isEnabled, nextRun } from "../core/time/scheduled-job.ts";
import { DueQueue } from "../runtime/due-queue.ts";
import type { ScheduledJobRow } from "../store/scheduled-jobs.ts";

/** A job whose slot has come. */
interface DueJob {
  readonly name: string;
  /** Slots up to here were looked at, ms since the epoch. */
  readonly fromAt: number;
}

export class Agenda {
  readonly #queue = new DueQueue();
  /** By name, see `DueJob.fromAt`. */
  readonly #from = new Map<string, number>();

  /** @param timezone IANA time zone of times of day */
  constructor(private readonly timezone: string) {}

  /** Time of the first slot, ms since the epoch; infinite without one. */
  get nextAt(): number {
    return this.#queue.nextAt ?? Number.POSITIVE_INFINITY;
  }

  /** Plans the first slot of a job after an instant; a paused job has none. @param fromAt ms since the epoch, exclusive */
  put({ name, definition }: Pick<ScheduledJobRow, "name" | "definition">, fromAt: number): void {
    this.remove(name);
    if (!isEnabled(definition)) return;
    this.#from.set(name, fromAt);
    this.#queue.put(name, nextRun(definition, fromAt, this.timezone));
  }

  remove(name: string): void {
    this.#from.delete(name);
    this.#queue.remove(name);
  }

  /** Removes the first job that is due. @returns undefined where none is */
  takeDue(nowAt: number): DueJob | undefined {
    const name = this.#queue.takeDue(nowAt);
    if (name === undefined) return undefined;
    const fromAt = this.#from.get(name)!;
    this.#from.delete(name);
    return { name, fromAt };
  }
}
