// Lanes by data source: a source that hangs holds up its own models only.

type Task = () => Promise<void>;

interface Lane {
  busy: number;
  readonly queue: Task[];
}

export class BucketLimiter {
  readonly #byKey = new Map<string, Lane>();

  /** @param size tasks that run side by side in a lane */
  constructor(private readonly size: number) {}

  /** Runs the task when its lane has room, in order of arrival. It must not reject. */
  add(key: string, task: Task): void {
    const lane = this.#byKey.get(key) ?? { busy: 0, queue: [] };
    this.#byKey.set(key, lane);
    lane.queue.push(task);
    this.#serve(key, lane);
  }

  /** Forgets the tasks that wait. */
  clear(): void {
    for (const lane of this.#byKey.values()) lane.queue.length = 0;
  }

  #serve(key: string, lane: Lane): void {
    while (lane.busy < this.size) {
      const task = lane.queue.shift();
      if (!task) break;
      lane.busy++;
      void task().finally(() => {
        lane.busy--;
        this.#serve(key, lane);
      });
    }
    if (lane.busy === 0) this.#byKey.delete(key);
  }
}
