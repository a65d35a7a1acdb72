// Local times to instants; in an hour that a clock repeats the order of the rows decides.
import { type OffsetAt, utc } from "../../calendar/wall-time.ts";
import { DAY_MS } from "../../time/time.ts";
import { offsetsOf } from "../../time/timezone.ts";
import type { WrittenTime } from "./cell-date.ts";

/** Turns the times of a file into instants; rows of one series follow one another. */
export class LocalClock {
  readonly #offsetAt: OffsetAt;
  /** Last instant of each series. */
  readonly #last = new Map<string, number>();

  /** @param isNewestFirst the order of the rows */
  constructor(
    timezone: string | undefined,
    private readonly isNewestFirst: boolean,
  ) {
    this.#offsetAt = offsetsOf(timezone) ?? utc;
  }

  /** @returns ms since the epoch; undefined for a local time that the clock skips */
  resolve({ ms, hasOffset }: WrittenTime, series: string): number | undefined {
    if (hasOffset || this.#offsetAt === utc) return ms;
    const found = instantsOf(ms, this.#offsetAt);
    const at = found.length > 1 ? this.#choose(found, this.#last.get(series)) : found[0];
    if (at !== undefined) this.#last.set(series, at);
    return at;
  }

  /** The first one that goes on from the row before. @param found ascending */
  #choose(found: readonly number[], last: number | undefined): number {
    const [first, second] = this.isNewestFirst ? [found[1]!, found[0]!] : [found[0]!, found[1]!];
    if (last === undefined) return first;
    const goesOn = this.isNewestFirst ? first < last : first > last;
    return goesOn ? first : second;
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
