// Cold start: when a model that is live without a training is trained, and on which range; pure.
import { DAY_MS } from "../time/time.ts";
import type { ModelSettings } from "./model.ts";

/** Points of the first training: what a detector needs before it is ranked. */
export const FIRST_POINTS = 30;
/** Each further training has at least this many times the points of the one before. */
const GROWTH = 2;
/** Longest range of such a training: four weeks, or this many intervals where they are long. */
const RANGE_MS = 28 * DAY_MS;
const MIN_INTERVALS = 2000;
/** Intervals over all features: bounds the read. */
const MAX_VALUES = 50_000;

/** Whether detection may start before a training. */
export function startsUntrained({ detector }: Pick<ModelSettings, "detector">): boolean {
  return detector === "auto";
}

/** Number of points from which the next training starts. @param points of the last one; 0: there was none */
export function pointsOfNext(points: number): number {
  return Math.max(FIRST_POINTS, GROWTH * points);
}

/** Length of the training range, ms. @param features number of them */
export function coldStartRange(intervalMs: number, features: number): number {
  const most = Math.floor(MAX_VALUES / features);
  const wanted = Math.max(MIN_INTERVALS, Math.ceil(RANGE_MS / intervalMs));
  return Math.min(most, wanted) * intervalMs;
}
