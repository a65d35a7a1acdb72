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
  /** First instant of series that begin in the later one of two hours. */
  readonly #starts = new Map<string, number | undefined>();
  /** Usual time from row to row of a series, ms; an hour where the sample does not tell. */
  readonly #stepMs: number;

  /** @param sample rows from the first one on */
  constructor(
    private readonly context: ClockContext,
    sample: readonly SeriesTime[],
  ) {
    this.#offsetAt = offsetsOf(context.options.timezone) ?? utc;
    this.#stepMs = this.#offsetAt === utc ? HOUR_MS : this.#learn(sample);
  }

  /** @returns ms since the epoch; undefined for a local time that the clock skips */
  resolve({ ms, hasOffset }: WrittenTime, series: string): number | undefined {
    if (hasOffset || this.#offsetAt === utc) return ms;
    const found = instantsOf(ms, this.#offsetAt);
    const at = found.length > 1 ? this.#choose(ms, found, series) : found[0];
    if (at !== undefined) this.#last.set(series, { ms, at });
    return at;
  }

  /** The one that goes on from the row before. @param found ascending */
  #choose(ms: number, found: readonly number[], series: string): number {
    const [first, second] = this.#inOrder(found) as [number, number];
    const last = this.#last.get(series);
    if (!last) return this.#starts.get(series) ?? first;
    const [toFirst, toSecond] = [this.#ahead(last.at, first), this.#ahead(last.at, second)];
    if (toFirst > 0) return first;
    if (this.#ahead(last.ms, ms) > 0) return second;
    const step = this.#stepMs;
    // The same time once more is of the other hour only where rows are about as far apart as both are.
    if (toFirst === 0) return Math.abs(toSecond - step) <= step / 2 ? second : first;
    // Either the clock was put back, or a row repeats an earlier one: what is nearer.
    return (this.context.options.onDuplicate ?? "error") !== "error" &&
      toSecond > Math.max(-toFirst, 1.5 * step)
      ? first
      : second;
  }

  /** Finds where series begin. @returns the usual step, ms */
  #learn(sample: readonly SeriesTime[]): number {
    const bySeries = [...Map.groupBy(sample, ({ series }) => series)].map(
      ([series, rows]) => [series, rows.map(({ time }) => time.ms)] as const,
    );
    const steps = bySeries
      .flatMap(([, times]) => times.slice(1).map((ms, i) => this.#ahead(times[i]!, ms)))
      .filter((step) => step > 0)
      .sort((a, b) => a - b);
    const usual = steps[steps.length >> 1] ?? HOUR_MS;
    for (const [series, times] of bySeries) this.#starts.set(series, this.#findStart(times, usual));
    return usual;
  }

  /** The second instant of the first row where its hour is there once, and goes on behind it without a gap. */
  #findStart(times: readonly number[], usualMs: number): number | undefined {
    const found = times.map((ms) => instantsOf(ms, this.#offsetAt));
    const end = found.findIndex(
      (each, i) => each.length !== 2 || (i > 0 && this.#ahead(times[i - 1]!, times[i]!) <= 0),
    );
    if (end < 1 || found[end]!.length !== 1) return undefined;
    const last = this.#inOrder(found[end - 1]!)[1]!;
    return this.#ahead(last, found[end]![0]!) > 1.5 * usualMs ? undefined : this.#inOrder(found[0]!)[1];
  }

  /** The two instants of a time in the order of the rows. */
  #inOrder(found: readonly number[]): readonly number[] {
    return this.context.isNewestFirst ? found.toReversed() : found;
  }

  /** How much later in the order of the rows. */
  #ahead(from: number, to: number): number {
    return this.context.isNewestFirst ? from - to : to - from;
  }
}

/** The instants at which a clock shows a time: two in an hour that is repeated, none in one that is skipped; ascending. */
function instantsOf(ms: number, offsetAt: OffsetAt): number[] {
  const day = Math.floor(ms / DAY_MS) * DAY_MS;
  // Whole days around it, so that few offsets are asked for; no offset is longer than a day.
  const offsets = [offsetAt(day - DAY_MS), offsetAt(day + 2 * DAY_MS)] as const;
  if (offsets[0] === offsets[1]) return [ms - offsets[0]];
  const found = offsets.map((offset) => ms - offset).filter((at) => at + offsetAt(at) === ms);
  return found.sort((a, b) => a - b);
}
