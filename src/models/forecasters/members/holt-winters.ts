// Holt-Winters smoothing with damped trend, daily and weekly season, and autocorrelated errors; pure.
import { Type } from "@sinclair/typebox";
import { alikeness, partsOf } from "../../stats/certain-cycle.ts";
import { medianOf } from "../../stats/median.ts";
import { mediansByPlace } from "../../stats/medians-by-place.ts";
import { type Stored, share, strict } from "../../stored-schema.ts";
import { type Seasons, SeasonsSchema } from "../season/season.ts";

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

/** Limit of an error, in mean absolute errors, so that one spike does not move the level. */
const MAX_ERRORS = 3;
/** Limit of an error in the mean absolute error itself: larger, so that it adapts to a series that becomes active. */
const MAX_ERRORS_IN_SCALE = 100;
const ERROR_SCALE_RATE = 0.005;
/** Cycles of the longest season that the state is initialised from, up to half of the column. */
const START_CYCLES = 2;
/** Least share of the initial weekly season that is kept, as it is based on few weeks: more of one that is certain. */
const MIN_START_WEEK = 0.5;

export const SmoothedSeasonsSchema = Type.Object(
  { seasons: SeasonsSchema, smoothing: SmoothingSchema },
  strict,
);
type SmoothedSeasons = Stored<typeof SmoothedSeasonsSchema>;

/** Level and seasons that smoothing begins with. */
export interface Start {
  readonly level: number;
  readonly day: Float64Array;
  readonly week: Float64Array;
  /** Mean magnitude of what is left. */
  readonly errorScale: number;
}

/**
 * The start of a column: level and seasons of its first cycles.
 * @param known index of the first interval that must not be read
 */
export function startOf(column: Float64Array, known: number, seasons: Seasons): Start {
  const begun = Math.max(0, column.findIndex(Number.isFinite));
  const cycles = START_CYCLES * (seasons.week ?? seasons.day ?? 1);
  const end = Math.min(known, begun + Math.ceil(Math.min(cycles, (known - begun) / 2)));
  // Seasons are counted from the start of the column, so values before the first one stay missing.
  const first = column.slice(0, end);
  const level = medianOf(first);
  const deseasoned = first.map((value) => value - level);
  const day = takeSeason(deseasoned, seasons.day);
  const cycle = seasons.week && { length: seasons.week, parts: partsOf.week };
  const kept = cycle ? Math.max(MIN_START_WEEK, 1 - 1 / alikeness(column.subarray(0, known), cycle)) : 1;
  const week = takeSeason(deseasoned, seasons.week).map((value) => kept * value);
  return { level, day, week, errorScale: meanMagnitude(deseasoned) };
}

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

  /** @param start see `startOf`, with the same seasons */
  constructor(
    private readonly column: Float64Array,
    start: Start,
    { seasons, smoothing }: SmoothedSeasons,
  ) {
    this.#seasons = seasons;
    this.#smoothing = smoothing;
    this.#level = start.level;
    this.#day = start.day.slice();
    this.#week = start.week.slice();
    this.#errorScale = start.errorScale;
  }

  /** Advances the state to `end` (exclusive); a missing value moves the level along the trend. */
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
   * Predicts the intervals `leads` after the state, 0 = the next one; negative where a clock is set back.
   * @returns NaN before the first value
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

/** Median by index in the season, subtracted from `values`; a single 0 without a season. */
function takeSeason(values: Float64Array, length: number | undefined): Float64Array {
  if (length === undefined) return new Float64Array(1);
  const medians = mediansByPlace(values, Math.ceil(length), (i) => indexOf(i, length));
  const season = medians.map((median) => median || 0);
  for (let i = 0; i < values.length; i++) values[i]! -= season[indexOf(i, length)]!;
  return season;
}

function meanMagnitude(values: Float64Array): number {
  const present = values.filter(Number.isFinite);
  return present.reduce((sum, value) => sum + Math.abs(value), 0) / Math.max(1, present.length);
}

function clamp(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value));
}
