// Seasonal detector: usual value by time of day or week, adapted slowly, and deviations from it; pure.
import { Type } from "@sinclair/typebox";
import { DAY_MS } from "../../../core/time/time.ts";
import { locationDigits } from "../../compact.ts";
import { MAD_TO_DEVIATION, medianOf, medianOfSorted } from "../../stats/median.ts";
import { numbers, positive, type Stored, strict } from "../../stored-schema.ts";
import { LONGEST_OF_DAY_MS, type Timeline } from "../timeline.ts";
import {
  findAlone,
  marksOf,
  NEIGHBOUR_SLOTS,
  type Season,
  type Slots,
  slotOf,
  sortBySlot,
  taughtBy,
} from "./slots.ts";

/** Largest number of slots of a day (5 minutes each) and of a week (15 minutes each). */
const MAX_SLOTS = { 1: 288, 7: 672 } as const;
/** Least number of cycles in the training range; longer intervals leave few points to a slot. */
const MIN_CYCLES = { ofHours: 2, ofDays: 4 };
/** Memory of a slot, in points: two months of days. */
const SLOT_MEMORY = 60 * (2 * NEIGHBOUR_SLOTS + 1);
/** Memory of the scale, in points. */
const SCALE_MEMORY = 5000;
/** Least scale, as a share of the series' deviation: a constant part must not make noise rare. */
const FLOOR_SHARE = 0.05;
/** Deviation of a constant series, rounding included, and its least scale, as shares of its magnitude. */
const CONSTANT_DEVIATION = 1e-10;
const CONSTANT_FLOOR = 1e-9;
/** Significant digits of a usual value, at least: they halve the stored bytes. */
const DIGITS = 6;
/** Deviation that a usual value is rounded by, in least scales: no step of `learn` is lost. */
const ROUNDED_BY = 10;

/** Usual values by time of day or week, and the scale of the deviations from them. */
export const SeasonalProfileSchema = Type.Object(
  {
    /** Length of the season. */
    days: Type.Union([Type.Literal(1), Type.Literal(7)], { rule: "must be 1 or 7" }),
    /** Usual value per slot of the season; one slot without a season. */
    values: Type.Array(Type.Number(), { minItems: 1, maxItems: 10_000 }),
    /** Number of points in each slot, those of its neighbours included. */
    counts: numbers(10_000),
    /** Slots that learn from their own points alone; absent: none. */
    alone: Type.Optional(numbers(10_000)),
    /** Robust deviation from the profile. */
    scale: positive,
    /** Lower bound of `scale`. */
    floor: positive,
    /** Number of points in the scale. */
    points: Type.Number({ minimum: 0 }),
  },
  strict,
);
export type SeasonalProfile = Stored<typeof SeasonalProfileSchema>;

/**
 * Fits medians per slot and its neighbours.
 * @param column NaN = missing
 * @param findsAlone whether slots whose neighbours tell nothing of them learn alone
 */
export function fitProfile(
  column: Float64Array,
  timeline: Timeline,
  { days = 1, findsAlone = true }: { days?: Season; findsAlone?: boolean } = {},
): SeasonalProfile {
  const slots = slotCount(column.length, timeline.intervalMs, days);
  const season = { days, slots };
  const present = column.filter((value) => Number.isFinite(value));
  const slotOfPoint = new Int32Array(present.length);
  let next = 0;
  for (let i = 0; i < column.length; i++)
    if (Number.isFinite(column[i])) slotOfPoint[next++] = slotOf(i, timeline, season);
  // The profile of an empty range is 0.
  const overall = medianOf(present) || 0;
  const alone = findsAlone ? findAlone(present, slotOfPoint, season) : [];
  const bySlot = sortBySlot(present, slotOfPoint, { season, isAlone: marksOf(alone, slots) });
  const counts = bySlot.map((own) => own.length);
  const floor = leastScale(present, overall);
  const values = bySlot.map((own) => roundUsual(own.length > 0 ? medianOfSorted(own) : overall, floor));
  const deviations = present.map((value, i) => Math.abs(value - values[slotOfPoint[i]!]!));
  return {
    days,
    values,
    counts,
    ...(alone.length > 0 && { alone }),
    scale: Math.max(MAD_TO_DEVIATION * (medianOf(deviations) || 0), floor),
    floor,
    points: present.length,
  };
}

/** An adaptive profile: each point moves the median of its slot by a decreasing step. */
export class Seasonal {
  readonly #days: Season;
  readonly #values: Float64Array;
  readonly #counts: Float64Array;
  readonly #alone: readonly number[];
  readonly #isAlone: Uint8Array | undefined;
  #scale: number;
  #points: number;
  readonly #floor: number;

  constructor(
    profile: SeasonalProfile,
    private readonly timeline: Timeline,
  ) {
    this.#days = profile.days;
    this.#values = Float64Array.from(profile.values);
    this.#counts = Float64Array.from(profile.counts);
    this.#alone = profile.alone ?? [];
    this.#isAlone = marksOf(this.#alone, profile.values.length);
    this.#scale = profile.scale;
    this.#points = profile.points;
    this.#floor = profile.floor;
  }

  /** The usual value of interval `i`. */
  expect(i: number): number {
    return this.#values[this.#slot(i)]!;
  }

  /** Signed deviation from the usual value, in robust deviations. */
  residual(i: number, value: number): number {
    return (value - this.expect(i)) / this.#scale;
  }

  /**
   * Adapts the profile to a point by stochastic approximation of medians (Robbins and Monro 1951). Steps depend on the
   * side of the point, not on its distance, so an anomaly moves the profile no more than any other point.
   */
  learn(i: number, value: number): void {
    const error = Math.abs(value - this.expect(i));
    for (const slot of taughtBy(this.#slot(i), this.#slots, this.#isAlone)) {
      const count = Math.min(++this.#counts[slot]!, SLOT_MEMORY);
      const off = value - this.#values[slot]!;
      const side = Math.sign(off) * Math.min(1, Math.abs(off) / (0.1 * this.#scale));
      // Rounded here and not when stored, so that the result does not depend on how often it is stored.
      this.#values[slot] = roundUsual(this.#values[slot]! + (1.2 * this.#scale * side) / count, this.#floor);
    }
    const mad = this.#scale / MAD_TO_DEVIATION;
    const step = (2 * mad) / Math.min(++this.#points, SCALE_MEMORY);
    this.#scale = Math.max(MAD_TO_DEVIATION * (mad + (error > mad ? step : -step)), this.#floor);
  }

  toProfile(): SeasonalProfile {
    return {
      days: this.#days,
      values: Array.from(this.#values),
      counts: Array.from(this.#counts, (count) => Math.min(count, SLOT_MEMORY)),
      ...(this.#alone.length > 0 && { alone: this.#alone }),
      scale: this.#scale,
      floor: this.#floor,
      points: this.#points,
    };
  }

  #slot(i: number): number {
    return slotOf(i, this.timeline, this.#slots);
  }

  get #slots(): Slots {
    return { days: this.#days, slots: this.#values.length };
  }
}

/** Whether a range holds enough cycles of a season. */
export function holdsSeason(length: number, intervalMs: number, days: Season): boolean {
  const cycleMs = days * DAY_MS;
  if (intervalMs <= LONGEST_OF_DAY_MS) return length * intervalMs >= MIN_CYCLES.ofHours * cycleMs;
  const dividesCycle = intervalMs < cycleMs && cycleMs % intervalMs === 0;
  return dividesCycle && length * intervalMs >= MIN_CYCLES.ofDays * cycleMs;
}

function slotCount(length: number, intervalMs: number, days: Season): number {
  if (!holdsSeason(length, intervalMs, days)) return 1;
  return Math.min(MAX_SLOTS[days], Math.round((days * DAY_MS) / intervalMs));
}

function deviationOf(list: Float64Array): number {
  if (list.length === 0) return 0;
  const mean = list.reduce((sum, value) => sum + value / list.length, 0);
  return Math.sqrt(list.reduce((sum, value) => sum + (value - mean) ** 2 / list.length, 0));
}

/** Least scale of deviations from usual values; of a constant series a small part of its magnitude. */
function leastScale(present: Float64Array, overall: number): number {
  const deviation = deviationOf(present);
  const magnitude = Math.abs(overall);
  return deviation > CONSTANT_DEVIATION * magnitude
    ? FLOOR_SHARE * deviation
    : CONSTANT_FLOOR * (magnitude || 1);
}

/** The usual value with more digits where the series varies by less of its level. */
function roundUsual(value: number, floor: number): number {
  return Number(value.toPrecision(Math.max(DIGITS, locationDigits(Math.abs(value), ROUNDED_BY * floor))));
}
