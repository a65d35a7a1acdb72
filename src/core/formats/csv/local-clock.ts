// Local times to instants; in an hour that a clock repeats the order of the rows decides.
import { type OffsetAt, utc } from "../../calendar/wall-time.ts";
import { DAY_MS, HOUR_MS } from "../../time/time.ts";
import { offsetsOf } from "../../time/timezone.ts";
import type { WrittenTime } from "./cell-date.ts";
import type { CsvOptions } from "./options.ts";

/** A time of the file, and the series that it is of. */
export interface SeriesTime {
  readonly time: WrittenTime;
  readonly series: string;
}

interface ClockContext {
  readonly options: Pick<CsvOptions, "timezone" | "onDuplicate">;
  /** The order of the rows. */
  readonly isNewestFirst: boolean;
}

/** Turns the times of a file into instants; rows of one series follow one another. */
export class LocalClock {
  readonly #offsetAt: OffsetAt;
  /** Local time of the last row of each series, and its instant. */
  readonly #last = new Map<string, { readonly ms: number; readonly at: number }>();
  /** 1: later rows are later, -1: they are earlier. */
  readonly #direction: 1 | -1;
  /** Usual time from row to row of a series, ms; an hour where the sample does not tell. */
  #stepMs = HOUR_MS;

  /** @param sample rows from the first one on */
  constructor(
    private readonly context: ClockContext,
    sample: readonly SeriesTime[],
  ) {
    this.#offsetAt = offsetsOf(context.options.timezone) ?? utc;
    this.#direction = context.isNewestFirst ? -1 : 1;
    if (this.#offsetAt !== utc) this.#learn(sample);
  }

  /** @returns ms since the epoch; undefined for a local time that the clock skips */
  resolve({ ms, hasOffset }: WrittenTime, series: string): number | undefined {
    if (hasOffset || this.#offsetAt === utc) return ms;
    const [first, second] = this.#instantsOf(ms);
    const at = second === undefined ? first : this.#choose(ms, [first!, second], series);
    if (at !== undefined) this.#last.set(series, { ms, at });
    return at;
  }

  /** The one that goes on from the row before. */
  #choose(ms: number, [first, second]: readonly [number, number], series: string): number {
    const last = this.#last.get(series);
    if (!last) return first;
    const [toFirst, toSecond] = [this.#ahead(last.at, first), this.#ahead(last.at, second)];
    if (toFirst > 0) return first;
    if (this.#ahead(last.ms, ms) > 0) return second;
    const step = this.#stepMs;
    // The same time once more is of the other hour only where rows are about as far apart as both are.
    if (toFirst === 0) return Math.abs(toSecond - step) <= step / 2 ? second : first;
    // Either the clock was put back, or a row repeats an earlier one: what is nearer.
    const { onDuplicate = "error" } = this.context.options;
    return onDuplicate !== "error" && toSecond > Math.max(-toFirst, 1.5 * step) ? first : second;
  }

  /** Finds the usual step, and the series that begin in the second hour. */
  #learn(sample: readonly SeriesTime[]): void {
    const bySeries = Map.groupBy(sample, ({ series }) => series);
    const steps = [...bySeries.values()]
      .flatMap((rows) => rows.slice(1).map(({ time }, i) => this.#ahead(rows[i]!.time.ms, time.ms)))
      .filter((step) => step > 0)
      .sort((a, b) => a - b);
    this.#stepMs = steps[steps.length >> 1] ?? HOUR_MS;
    for (const [series, rows] of bySeries) {
      const times = rows.map(({ time }) => time.ms);
      const [, second] = this.#instantsOf(times[0]!);
      // As if a row of the second hour stood before.
      if (this.#beginsSecond(times))
        this.#last.set(series, { ms: times[0]! - this.#direction, at: second! - this.#direction });
    }
  }

  /** Whether rows begin in an hour that is there once, and that goes on behind its second pass without a gap. */
  #beginsSecond(times: readonly number[]): boolean {
    const found = times.map((ms) => this.#instantsOf(ms));
    const end = found.findIndex(
      (each, i) => each.length !== 2 || (i > 0 && this.#ahead(times[i - 1]!, times[i]!) <= 0),
    );
    if (end < 1 || found[end]!.length !== 1) return false;
    return this.#ahead(found[end - 1]![1]!, found[end]![0]!) <= 1.5 * this.#stepMs;
  }

  /** How much later in the order of the rows. */
  #ahead(from: number, to: number): number {
    return this.#direction * (to - from);
  }

  /** The instants at which a clock shows a time, in the order of the rows: two where it is put back, none where it skips. */
  #instantsOf(ms: number): number[] {
    const day = Math.floor(ms / DAY_MS) * DAY_MS;
    // Whole days around it, so that few offsets are asked for; no offset is longer than a day.
    const before = this.#offsetAt(day - DAY_MS);
    const after = this.#offsetAt(day + 2 * DAY_MS);
    if (before === after) return [ms - before];
    const found = [ms - before, ms - after].filter((at) => at + this.#offsetAt(at) === ms);
    return found.sort((a, b) => this.#ahead(b, a));
  }
}
