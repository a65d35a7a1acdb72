// Seasonal detector: usual value by time of day or week, adapted slowly, and deviations from it; pure.
import { Type } from "@sinclair/typebox";
import { DAY_MS } from "../../../core/time/time.ts";
import { MAD_TO_DEVIATION, medianOf, medianOfSorted } from "../../stats/median.ts";
import { numbers, positive, type Stored, strict } from "../../stored-schema.ts";
import { LONGEST_OF_DAY_MS, type Timeline } from "../timeline.ts";

/** Largest number of slots of a day (5 minutes each) and of a week (15 minutes each). */
const MAX_SLOTS = { 1: 288, 7: 672 } as const;
/** Least number of cycles in the training range; longer intervals leave few points to a slot. */
const MIN_CYCLES = { ofHours: 2, ofDays: 4 };
/** Neighbours on either side that a slot learns from, from as many slots a day on: those of longer ones differ. */
const NEIGHBOUR_SLOTS = 1;
const LEAST_SLOTS = 24;
/** Memory of a slot, in points: two months of days. */
const SLOT_MEMORY = 60 * (2 * NEIGHBOUR_SLOTS + 1);
/** Memory of the scale, in points. */
const SCALE_MEMORY = 5000;
/** Least scale, as a share of the series' deviation: a constant part must not make noise rare. */
const FLOOR_SHARE = 0.05;

/** Usual values by time of day or week, and the scale of the deviations from them. */
export const SeasonalProfileSchema = Type.Object(
  {
    /** Length of the season. */
    days: Type.Union([Type.Literal(1), Type.Literal(7)], { rule: "must be 1 or 7" }),
    /** Usual value per slot of the season; one slot without a season. */
    values: Type.Array(Type.Number(), { minItems: 1, maxItems: 10_000 }),
    /** Number of points in each slot, those of its neighbours included. */
    counts: numbers(10_000),
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
/** Length of a season, in days. */
export type Season = SeasonalProfile["days"];

/** Fits medians per slot and its neighbours. @param column NaN = missing */
export function fitProfile(column: Float64Array, timeline: Timeline, days: Season = 1): SeasonalProfile {
  const season = { days, slots: slotCount(column.length, timeline.intervalMs, days) };
  const present = column.filter((value) => Number.isFinite(value));
  const slotOfPoint = new Int32Array(present.length);
  let next = 0;
  for (let i = 0; i < column.length; i++)
    if (Number.isFinite(column[i])) slotOfPoint[next++] = slotOf(i, timeline, season);
  // The profile of an empty range is 0.
  const overall = medianOf(present) || 0;
  const { sorted, ends } = sortBySlot(present, slotOfPoint, season);
  const counts = Array.from(ends, (end, slot) => end - (ends[slot - 1] ?? 0));
  const values = counts.map((count, slot) =>
    roundDigits(count > 0 ? medianOfSorted(sorted.subarray(ends[slot]! - count, ends[slot]!)) : overall),
  );
  const deviations = present.map((value, i) => Math.abs(value - values[slotOfPoint[i]!]!));
  const floor = Math.max(FLOOR_SHARE * deviationOf(present), 1e-9 * Math.max(1, Math.abs(overall)));
  return {
    days,
    values,
    counts,
    scale: Math.max(MAD_TO_DEVIATION * (medianOf(deviations) || 0), floor),
    floor,
    points: present.length,
  };
}

/** The points of each slot and its neighbours, sorted; a slot ends where the next one begins. */
function sortBySlot(
  present: Float64Array,
  slotOfPoint: Int32Array,
  { days, slots }: { readonly days: Season; readonly slots: number },
): { readonly sorted: Float64Array; readonly ends: Int32Array } {
  const reach = reachOf({ days, slots });
  const ends = new Int32Array(slots);
  for (const slot of slotOfPoint) for (let k = -reach; k <= reach; k++) ends[(slot + k + slots) % slots]!++;
  for (let slot = 1; slot < slots; slot++) ends[slot]! += ends[slot - 1]!;
  const places = ends.slice();
  const sorted = new Float64Array(ends[slots - 1]!);
  for (let i = 0; i < present.length; i++)
    for (let k = -reach; k <= reach; k++) {
      const slot = (slotOfPoint[i]! + k + slots) % slots;
      sorted[--places[slot]!] = present[i]!;
    }
  for (let slot = 0; slot < slots; slot++) sorted.subarray(places[slot], ends[slot]).sort();
  return { sorted, ends };
}

/** An adaptive profile: each point moves the median of its slot by a decreasing step. */
export class Seasonal {
  readonly #days: Season;
  readonly #values: Float64Array;
  readonly #counts: Float64Array;
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
    const slots = this.#values.length;
    const [own, reach] = [this.#slot(i), reachOf({ days: this.#days, slots })];
    for (let k = -reach; k <= reach; k++) {
      const slot = (own + k + slots) % slots;
      const count = Math.min(++this.#counts[slot]!, SLOT_MEMORY);
      const off = value - this.#values[slot]!;
      const side = Math.sign(off) * Math.min(1, Math.abs(off) / (0.1 * this.#scale));
      // Rounded here and not when stored, so that the result does not depend on how often it is stored.
      this.#values[slot] = roundDigits(this.#values[slot]! + (1.2 * this.#scale * side) / count);
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
      scale: this.#scale,
      floor: this.#floor,
      points: this.#points,
    };
  }

  #slot(i: number): number {
    return slotOf(i, this.timeline, { days: this.#days, slots: this.#values.length });
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

function slotOf(
  i: number,
  { startAt, intervalMs, offsetAt }: Timeline,
  { days, slots }: { days: Season; slots: number },
): number {
  const at = startAt + i * intervalMs;
  const cycleMs = days * DAY_MS;
  const local = at + (offsetAt?.(at) ?? 0);
  const within = ((local % cycleMs) + cycleMs) % cycleMs;
  return Math.floor((within / cycleMs) * slots) % slots;
}

/** Neighbours on either side, each slot once. */
function reachOf({ days, slots }: { days: Season; slots: number }): number {
  return slots < LEAST_SLOTS * days ? 0 : NEIGHBOUR_SLOTS;
}

function deviationOf(list: Float64Array): number {
  if (list.length === 0) return 0;
  const mean = list.reduce((sum, value) => sum + value / list.length, 0);
  return Math.sqrt(list.reduce((sum, value) => sum + (value - mean) ** 2 / list.length, 0));
}

/** Six digits exceed the precision of a median, and halve the stored bytes. */
function roundDigits(value: number): number {
  return Number(value.toPrecision(6));
}
