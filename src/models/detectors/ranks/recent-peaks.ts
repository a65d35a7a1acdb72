// Recent peaks of rarity: a point of a burst counts in full only as a new peak; pure.
import { DAY_MS } from "../../../core/time/time.ts";
import type { Memory } from "../types.ts";

/** Window of the peaks, in points and in time. */
const MAX_POINTS = 400;
const MAX_AGE_MS = 1.5 * DAY_MS;

export class RecentPeaks {
  readonly #peaks: (readonly [number, number])[];
  #scored: number;
  readonly #maxAge: number;

  constructor(intervalMs: number, { scored, peaks }: Pick<Memory, "scored" | "peaks">) {
    this.#maxAge = Math.max(1, Math.min(MAX_POINTS, Math.floor(MAX_AGE_MS / intervalMs)));
    this.#scored = scored;
    this.#peaks = [...peaks];
  }

  /** The highest rarity of the window, decades. */
  get highest(): number {
    return this.#peaks[0]?.[1] ?? 0;
  }

  /** Whether a rarity, in decades, exceeds all those of the window. */
  isNewPeak(rarity: number): boolean {
    return rarity > this.highest;
  }

  /** Adds a point to the sliding maximum: a queue of descending peaks. */
  add(rarity: number): void {
    const point = ++this.#scored;
    while (this.#peaks.length > 0 && this.#peaks.at(-1)![1] <= rarity) this.#peaks.pop();
    this.#peaks.push([point, rarity]);
    while (this.#peaks[0]![0] <= point - this.#maxAge) this.#peaks.shift();
  }

  toMemory(): Pick<Memory, "scored" | "peaks"> {
    return { scored: this.#scored, peaks: this.#peaks };
  }
}
