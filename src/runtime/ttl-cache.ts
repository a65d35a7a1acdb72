// TTL cache: answers by key for a time, as dashboards repeat requests; beyond a number the oldest is dropped.
import type { Clock } from "./clock.ts";

interface Entry<T> {
  readonly answer: T;
  readonly keptAt: number;
}

export class TtlCache<T> {
  readonly #byKey = new Map<string, Entry<T>>();

  constructor(
    private readonly clock: Pick<Clock, "now">,
    private readonly limits: { readonly max: number; readonly ms: number },
  ) {}

  /** The cached answer of the key, or that of `make`; undefined is not cached. */
  async getOrMake(key: string, make: () => Promise<T | undefined>): Promise<T | undefined> {
    const nowAt = this.clock.now();
    const known = this.#byKey.get(key);
    if (known && nowAt - known.keptAt < this.limits.ms) return known.answer;
    const answer = await make();
    if (answer === undefined) return undefined;
    this.#byKey.delete(key);
    this.#byKey.set(key, { answer, keptAt: nowAt });
    for (const old of this.#byKey.keys()) if (this.#byKey.size > this.limits.max) this.#byKey.delete(old);
    return answer;
  }
}
