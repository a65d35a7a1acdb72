// Slots of a season: which of them learn from a point, as neighbours do, but those that differ from theirs; pure.
import { DAY_MS } from "../../../core/time/time.ts";
import { medianOfSorted } from "../../stats/median.ts";
import type { Timeline } from "../timeline.ts";

/** Neighbours on either side that a slot learns from, from as many slots a day on: those of longer ones differ. */
export const NEIGHBOUR_SLOTS = 1;
const LEAST_SLOTS = 24;
/** Of a slot that differs: distance of its points from their median, as a share of that from others, and their number. */
const DIFFERENT = { share: 0.4, points: 4 };

/** Length of a season, in days. */
export type Season = 1 | 7;

export interface Slots {
  readonly days: Season;
  readonly slots: number;
}

/** The slot of an interval. */
export function slotOf(
  i: number,
  { startAt, intervalMs, offsetAt }: Timeline,
  { days, slots }: Slots,
): number {
  const at = startAt + i * intervalMs;
  const cycleMs = days * DAY_MS;
  const local = at + (offsetAt?.(at) ?? 0);
  const within = ((local % cycleMs) + cycleMs) % cycleMs;
  return Math.floor((within / cycleMs) * slots) % slots;
}

/** Slots that learn alone, as marks; undefined without any. */
export function marksOf(alone: readonly number[], slots: number): Uint8Array | undefined {
  if (alone.length === 0) return undefined;
  const marks = new Uint8Array(slots);
  for (const slot of alone) marks[slot] = 1;
  return marks;
}

/** The slots that learn from the points of one: itself, and its neighbours but those alone. */
export function taughtBy(own: number, season: Slots, isAlone: Uint8Array | undefined): number[] {
  const reach = reachOf(season);
  const taught: number[] = [];
  for (let k = -reach; k <= reach; k++) {
    const slot = (own + k + season.slots) % season.slots;
    if (k === 0 || !isAlone?.[slot]) taught.push(slot);
  }
  return taught;
}

/** Neighbours on either side, each slot once. */
function reachOf({ days, slots }: Slots): number {
  return slots < LEAST_SLOTS * days ? 0 : NEIGHBOUR_SLOTS;
}

/** The points that each slot learns from, sorted. @param slotOfPoint slot of each of the values */
export function sortBySlot(
  values: Float64Array,
  slotOfPoint: Int32Array,
  { season, isAlone }: { readonly season: Slots; readonly isAlone: Uint8Array | undefined },
): Float64Array[] {
  const { slots } = season;
  const taught = Array.from({ length: slots }, (_, own) => taughtBy(own, season, isAlone));
  const ends = new Int32Array(slots);
  for (const slot of slotOfPoint) for (const other of taught[slot]!) ends[other]!++;
  for (let slot = 1; slot < slots; slot++) ends[slot]! += ends[slot - 1]!;
  const places = ends.slice();
  const sorted = new Float64Array(ends[slots - 1]!);
  for (let i = 0; i < values.length; i++)
    for (const slot of taught[slotOfPoint[i]!]!) sorted[--places[slot]!] = values[i]!;
  return Array.from(ends, (end, slot) => sorted.subarray(places[slot], end).sort());
}

/**
 * The slots that learn from their own points alone: peaks that differ from both neighbours, as that of a job of one
 * interval, and their neighbours, for which the median of what is left would be between two slots.
 */
export function findAlone(values: Float64Array, slotOfPoint: Int32Array, season: Slots): number[] {
  if (reachOf(season) === 0) return [];
  const { slots } = season;
  const bySlot = sortBySlot(values, slotOfPoint, { season, isAlone: new Uint8Array(slots).fill(1) });
  const medians = bySlot.map(medianOfSorted);
  const isDifferent = bySlot.map((points, slot) => {
    const distanceFrom = (center: number) => points.reduce((sum, value) => sum + Math.abs(value - center), 0);
    const own = medians[slot]!;
    const others = around(slot, slots).map((near) => medians[near]!);
    // Along a slope the median with both neighbours is that of the slot.
    const isPeak = others.every((other) => other < own) || others.every((other) => other > own);
    const isFar = (other: number) => distanceFrom(own) < DIFFERENT.share * distanceFrom(other);
    return isPeak && points.length >= DIFFERENT.points && others.every(isFar);
  });
  return [...bySlot.keys()].filter((slot) =>
    [slot, ...around(slot, slots)].some((near) => isDifferent[near]),
  );
}

function around(slot: number, slots: number): number[] {
  return [(slot + slots - NEIGHBOUR_SLOTS) % slots, (slot + NEIGHBOUR_SLOTS) % slots];
}
