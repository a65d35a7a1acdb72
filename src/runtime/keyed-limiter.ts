// Concurrency limit per key: tasks of one key run N at a time, in order of arrival; keys do not wait for one another.
import { abortable } from "./abortable.ts";

/** Must not reject. */
type Task = () => Promise<void>;

interface Queued {
  readonly task: Task;
  readonly resolve: () => void;
}

interface Slots {
  running: number;
  readonly queue: Queued[];
}

export class KeyedLimiter {
  readonly #byKey = new Map<string, Slots>();
  readonly #running = new Set<Promise<void>>();

  /** @param maxPerKey tasks of one key that run at the same time */
  constructor(private readonly maxPerKey: number) {}

  /** Tasks that run now. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether a task of this key would have to wait. */
  isFull(key: string): boolean {
    return (this.#byKey.get(key)?.running ?? 0) >= this.maxPerKey;
  }

  /** Runs the task now, or later while its key is full. @returns when it has ended, or was dropped by `clear` */
  add(key: string, task: Task): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slots = this.#byKey.get(key) ?? { running: 0, queue: [] };
    this.#byKey.set(key, slots);
    slots.queue.push({ task, resolve });
    this.#run(key, slots);
    return promise;
  }

  /**
   * Runs work when its key has room; work that was aborted while it waited does not start.
   * @returns its outcome, or a rejection with the reason of the abort
   */
  run<T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const outcome = new Promise<T>((resolve, reject) => {
      void this.add(key, async () => {
        if (!signal.aborted) await work().then(resolve, reject);
      });
    });
    return abortable(outcome, signal);
  }

  /** Drops the tasks that wait. */
  clear(): void {
    for (const { queue } of this.#byKey.values()) for (const { resolve } of queue.splice(0)) resolve();
  }

  /** Resolves when the tasks that run now have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #run(key: string, slots: Slots): void {
    while (slots.running < this.maxPerKey) {
      const next = slots.queue.shift();
      if (!next) break;
      slots.running++;
      const ended = next.task().finally(() => {
        slots.running--;
        this.#running.delete(ended);
        this.#run(key, slots);
        next.resolve();
      });
      this.#running.add(ended);
    }
    if (slots.running === 0) this.#byKey.delete(key);
  }
}
