// Most similar stretch before an anomaly: ended before it began, and near enough to be called similar; pure.
import type { AnomalyView } from "../../../api/anomaly.ts";

/** From this distance on, in deviations, two stretches have less in common than not: unrelated ones are 1.4 apart. */
const FAR = 1;
/** Intervals shown of stretches that are shorter. */
const MIN_SHOWN = 12;
/** Shown before and behind the end of a stretch, in its lengths. */
const BEFORE = 2;

export interface Stretch {
  /** End of its last interval, seconds since the epoch. */
  readonly end: number;
  /** Seconds. */
  readonly length: number;
}

/**
 * The stretch like that before the anomaly, whose start is certain; else like that before its peak.
 * @param interval seconds
 */
export function stretchLike(
  { start, features, peak }: Pick<AnomalyView, "start" | "features" | "peak">,
  feature: string,
  interval: number,
): Stretch | undefined {
  for (const report of [features[feature], peak[feature]]) {
    const { at = start, distance = FAR, points = 0 } = report?.nearest ?? {};
    const end = at + interval;
    if (distance < FAR && end <= start) return { end, length: points * interval };
  }
  return undefined;
}

export interface ShownStretches {
  /** Starts of the pictures of the anomaly and of the stretch, seconds. */
  readonly own: number;
  readonly other: number;
  /** Of each picture, seconds. */
  readonly length: number;
}

/** What two pictures of one length show; that of the stretch ends before the anomaly. */
export function shownStretches(start: number, { end, length }: Stretch, interval: number): ShownStretches {
  const unit = Math.max(MIN_SHOWN * interval, length);
  const behind = Math.min(unit, start - end);
  const before = BEFORE * unit;
  return { own: start + interval - before, other: end - before, length: before + behind };
}
