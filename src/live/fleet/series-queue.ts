// Queue of work on single series beside the live loop: one at a time, each series once, aborted when detection stops.
import { TorusError } from "../../core/errors.ts";
import { KeyedLimiter } from "../../runtime/keyed-limiter.ts";
import type { Task } from "../task.ts";

const ALL = "";

/** Name of a series in a queue, unique over all models. @param key absent: the only series of a model */
export function nameOf({ row }: Task, { key = "" }: { readonly key?: string }): string {
  return `${row.model} ${key}`;
}

export class SeriesQueue {
  readonly #limiter = new KeyedLimiter(1);
  readonly #pending = new Set<string>();
  readonly #controller = new AbortController();

  /** Whether work on the series waits or runs. @param name see `nameOf` */
  has(name: string): boolean {
    return this.#pending.has(name);
  }

  /** Runs work when its turn comes; returns at once. @param work must not reject */
  add(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    this.#pending.add(name);
    void this.#limiter.add(ALL, async () => {
      await work(this.#controller.signal);
      this.#pending.delete(name);
    });
  }

  /** Aborts what runs, drops what waits. */
  async stop(): Promise<void> {
    this.#controller.abort(new TorusError("canceled", "live detection has stopped"));
    this.#limiter.clear();
    await this.#limiter.idle();
  }
}
