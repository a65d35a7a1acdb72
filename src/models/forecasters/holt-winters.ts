// Holt-Winters smoothing: level, damped trend, a daily and a weekly season, and a memory of the last error; pure.
import { Type } from "@sinclair/typebox";
import { medianOf } from "../stats/median.ts";
import { type Stored, share, strict } from "../stored-schema.ts";
import { type Seasons, SeasonsSchema } from "./season.ts";

/** Smoothing factors, 0..1: the share of an interval's error that each part of the state takes in. */
const SmoothingSchema = Type.Object(
  {
    level: share,
    trend: share,
    /** Share of the trend that remains after an interval. */
    damping: share,
    day: share,
    week: share,
    /** Share of an error that recurs in the next interval (Taylor 2003). */
    memory: share,
  },
  strict,
);
export type Smoothing = Stored<typeof SmoothingSchema>;

/** An error counts as at most so many mean absolute errors: one spike must not move the level. */
const MAX_ERRORS = 3;
/** The mean absolute error itself may grow faster, or a series that wakes up would never be followed. */
const MAX_ERRORS_IN_SCALE = 100;
const ERROR_SCALE_RATE = 0.005;
/** Cycles of the longest season that the state is started from, unless that is more than half of what there is. */
const START_CYCLES = 2;
/** Of the difference to the daily season, what the weekly one starts with: a single week is not believed whole. */
const START_WEEK = 0.5;

export const SmoothedSeasonsSchema = Type.Object(
  { seasons: SeasonsSchema, smoothing: SmoothingSchema },
  strict,
);
export type SmoothedSeasons = Stored<typeof SmoothedSeasonsSchema>;

/** The state after some intervals of a column. */
export class HoltWinters {
  readonly #seasons: Seasons;
  readonly #smoothing: Smoothing;
  readonly #day: Float64Array;
  readonly #week: Float64Array;
  #level: number;
  #trend = 0;
  #error = 0;
  #errorScale: number;
  #at = 0;

  /**
   * Starts from the beginning of the column: level and seasons of its first cycles.
   * @param known index of the first interval that is not to be looked at
   */
  constructor(
    private readonly column: Float64Array,
    known: number,
    { seasons, smoothing }: SmoothedSeasons,
  ) {
    this.#seasons = seasons;
    this.#smoothing = smoothing;
    const begun = Math.max(0, column.findIndex(Number.isFinite));
    const cycles = START_CYCLES * (seasons.week ?? seasons.day ?? 1);
    const end = Math.min(known, begun + Math.ceil(Math.min(cycles, (known - begun) / 2)));
    // Places in the seasons are counted from the beginning of the column: what lies before the first value stays missing.
    const first = column.slice(0, end);
    this.#level = medianOf(first);
    const deseasoned = first.map((value) => value - this.#level);
    this.#day = takeSeason(deseasoned, seasons.day);
    this.#week = takeSeason(deseasoned, seasons.week).map((value) => START_WEEK * value);
    this.#errorScale = meanMagnitude(deseasoned);
  }

  /** Takes in the intervals before `end`; a missing one moves the level along the trend. */
  advance(end: number): void {
    for (; this.#at < end; this.#at++) {
      const value = this.column[this.#at]!;
      if (!Number.isNaN(this.#level)) this.#step(value);
      else if (Number.isFinite(value)) this.#level = value;
    }
  }

  #step(value: number): void {
    const [smoothing, seasons] = [this.#smoothing, this.#seasons];
    const day = indexOf(this.#at, seasons.day);
    const week = indexOf(this.#at, seasons.week);
    this.#level += smoothing.damping * this.#trend;
    this.#trend *= smoothing.damping;
    const error = value - this.#level - this.#day[day]! - this.#week[week]!;
    if (!Number.isFinite(error)) {
      this.#error *= smoothing.memory;
      return;
    }
    const unit = this.#errorScale > 0 ? this.#errorScale : Number.POSITIVE_INFINITY;
    const news = error - smoothing.memory * this.#error;
    const surprise = clamp(news, MAX_ERRORS * unit);
    const magnitude = Math.min(Math.abs(news), MAX_ERRORS_IN_SCALE * unit);
    this.#errorScale += ERROR_SCALE_RATE * (magnitude - this.#errorScale);
    this.#level += smoothing.level * surprise;
    this.#trend += smoothing.trend * surprise;
    if (seasons.day) this.#day[day]! += smoothing.day * surprise;
    if (seasons.week) this.#week[week]! += smoothing.week * surprise;
    this.#error = clamp(error, 2 * MAX_ERRORS * unit);
  }

  /**
   * Predicts the intervals `leads` after those taken in, 0 = the next one; below 0 where the clock is set back to what it
   * has shown before. NaN while none held a value.
   */
  predict(leads: ArrayLike<number>): Float64Array {
    const { damping, memory } = this.#smoothing;
    return Float64Array.from(leads, (lead) => {
      const steps = Math.max(1, lead + 1);
      const grown = damping < 1 ? (damping * (1 - damping ** steps)) / (1 - damping) : steps;
      const day = this.#day[indexOf(this.#at + lead, this.#seasons.day)]!;
      const week = this.#week[indexOf(this.#at + lead, this.#seasons.week)]!;
      return this.#level + grown * this.#trend + day + week + memory ** steps * this.#error;
    });
  }
}

function indexOf(at: number, length: number | undefined): number {
  return length === undefined ? 0 : Math.floor(at % length);
}

/** Median by place in the season, taken out of `values`; a single 0 where there is no such season. */
function takeSeason(values: Float64Array, length: number | undefined): Float64Array {
  if (length === undefined) return new Float64Array(1);
  const places = Array.from({ length: Math.ceil(length) }, (): number[] => []);
  for (const [i, value] of values.entries()) places[indexOf(i, length)]!.push(value);
  const season = Float64Array.from(places, (seen) => medianOf(seen) || 0);
  for (const i of values.keys()) values[i]! -= season[indexOf(i, length)]!;
  return season;
}

function meanMagnitude(values: Float64Array): number {
  const present = values.filter(Number.isFinite);
  return present.reduce((sum, value) => sum + Math.abs(value), 0) / Math.max(1, present.length);
}

function clamp(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value));
}
