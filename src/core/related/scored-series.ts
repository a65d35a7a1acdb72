// Scored series: the rarity of each interval, and the strongest deviation in a window.
import type { Range } from "../series/grid.ts";
import { type Deviation, findDeviations } from "./deviation.ts";
import { onsetOf } from "./onset.ts";
import type { Tags } from "./tags.ts";
import type { ShownMover } from "./view.ts";
import { countTogether, pastOf, strongestIn } from "./window.ts";

/** Earlier deviations of the anomaly's series that others are compared with: the newest as strong, decades. */
const EARLIER = { most: 30, peak: 3.5 } as const;

export interface ScoredSeries {
  readonly tags: Tags;
  /** Start of the first interval, ms since the epoch. */
  readonly startAt: number;
  readonly intervalMs: number;
  /** Decades, one per interval; NaN where nothing was observed. */
  readonly rarities: Float64Array;
  readonly deviations: readonly Deviation[];
}

/** @param isHigh whether the value of an interval is above the expected one */
export function scoreSeries(
  { rarities, startAt, intervalMs, tags }: Omit<ScoredSeries, "deviations">,
  isHigh: (i: number) => boolean,
): ScoredSeries {
  const points = Array.from(rarities, (rarity, i) => ({
    ...{ at: startAt + i * intervalMs, rarity, feature: "" },
    type: isHigh(i) ? ("high" as const) : ("low" as const),
  }));
  return { tags, startAt, intervalMs, rarities, deviations: findDeviations(points, intervalMs) };
}

/** Strong deviations before a window, the newest of them. */
export function strongBefore(deviations: readonly Deviation[], fromAt: number): Deviation[] {
  return deviations
    .filter(({ startAt, peak }) => startAt < fromAt && peak >= EARLIER.peak)
    .slice(-EARLIER.most);
}

/**
 * What moved in the window; undefined where nothing did.
 * @param earlier see `strongBefore`, of the series of the anomaly
 * @param nearAt start of the anomaly
 */
export function moverIn(
  { tags, startAt, intervalMs, rarities, deviations }: ScoredSeries,
  window: Range,
  earlier: readonly Deviation[],
  nearAt?: number,
): ShownMover | undefined {
  const { fromAt, toAt } = window;
  const found = strongestIn(deviations, window, nearAt);
  if (!found) return undefined;
  const from = Math.max(0, Math.ceil((fromAt - startAt) / intervalMs));
  const first = Math.round((found.startAt - startAt) / intervalMs);
  const onset = from + onsetOf(rarities.subarray(from, first + 1));
  const { startAt: crossedAt, peak, type } = found;
  return {
    ...{ tags, intervalMs, startAt: crossedAt, peak, type },
    onsetAt: Math.min(crossedAt, startAt + onset * intervalMs),
    past: pastOf(deviations, { fromAt, sinceAt: startAt }),
    together: countTogether(
      earlier,
      deviations.filter((own) => own.startAt < fromAt),
      toAt - fromAt,
    ),
  };
}
