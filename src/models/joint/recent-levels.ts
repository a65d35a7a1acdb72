// Recent level of each feature: how its last points differ from its mean of a day, so that what wanders slowly says nothing; pure.
import { DAY_MS } from "../../core/time/time.ts";

/** Points of the level: measured, fewer raise more of noise, more miss what lasts a few points. */
const LEVEL_POINTS = 2;
/** Span of the mean that levels differ from: measured, without it a feature that wanders hides relations of the others. */
const MEAN_MS = DAY_MS;
/** Points after which a level is not known any more. */
const KNOWN_POINTS = 5;

/** Level of a feature, its mean of a day, and the start of the interval (ms since the epoch) of its last point. */
export type KnownLevel = readonly [level: number, mean: number, at: number];

export class RecentLevels {
  readonly #levels: (KnownLevel | null)[];
  /** Values of the last step that are to be learned; NaN = none. */
  #values: readonly number[] = [];

  /** @param known levels of an earlier pass; null = none */
  constructor(
    private readonly intervalMs: number,
    known: readonly (KnownLevel | null)[],
  ) {
    this.#levels = [...known];
  }

  /**
   * Follows the levels; `learn` makes the values part of their means.
   * @param at start of the interval, ms since the epoch; one that is known already changes nothing
   * @param values one per feature; NaN = missing
   * @returns by feature; NaN where there was no point lately; undefined where most features have none
   */
  step(at: number, values: readonly number[]): Float64Array | undefined {
    this.#values = values.map((value, j) =>
      at > (this.#levels[j]?.[2] ?? Number.NEGATIVE_INFINITY) ? value : Number.NaN,
    );
    for (const [j, value] of this.#values.entries())
      if (Number.isFinite(value)) this.#levels[j] = this.#next(this.#levels[j]!, value, at);
    const levels = Float64Array.from(this.#levels, (level) =>
      this.#isRecent(level, at) ? level![0] : Number.NaN,
    );
    const known = levels.filter(Number.isFinite).length;
    return 2 * known > values.length && known > 1 ? levels : undefined;
  }

  /** Left out in an anomaly, or what is usual after it would differ from the mean. */
  learn(): void {
    for (const [j, value] of this.#values.entries()) {
      if (!Number.isFinite(value)) continue;
      const [level, mean, at] = this.#levels[j]!;
      this.#levels[j] = [level, mean + newest(MEAN_MS / this.intervalMs) * (value - mean), at];
    }
    this.#values = [];
  }

  toMemory(): (KnownLevel | null)[] {
    return [...this.#levels];
  }

  #next(known: KnownLevel | null, value: number, at: number): KnownLevel {
    if (!known || at - known[2] > MEAN_MS) return [0, value, at];
    const [level, mean] = known;
    const difference = value - mean;
    const before = this.#isRecent(known, at) ? level : difference;
    return [before + newest(LEVEL_POINTS) * (difference - before), mean, at];
  }

  #isRecent(known: KnownLevel | null, at: number): boolean {
    return known !== null && at - known[2] <= KNOWN_POINTS * this.intervalMs;
  }
}

/** Weight of the newest point in an exponential mean of a span in points. */
function newest(span: number): number {
  return Math.min(1, 2 / (span + 1));
}
