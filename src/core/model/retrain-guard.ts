// Retrain guard: whether a newly trained version judges the last days clearly worse than the one in force; pure.

/** How much of the range is judged, from its end: this share, but no longer than three days or this many intervals. */
const JUDGED = { share: 0.2, ms: 3 * 86_400_000, intervals: 1000 };
/** Ratios that one of 227 ordinary retrainings on the labelled series exceeded. */
const MAX_ERROR_RATIO = 2.5;
const MAX_WIDTH_RATIO = 2.5;
/** Ratio of errors below which a wide band is no fault: the new version knows more. */
const BETTER_ERROR_RATIO = 0.8;
/** False alarms that the new version may raise beyond the old one. */
const MAX_MORE_ALARMS = 1;
/** Share of the band's width below which errors count as equal: series without noise are expected exactly. */
const ERROR_FLOOR = 0.05;

/** A version on the judged part of one feature, recorded anomalies aside; in units of the data. */
export interface VersionQuality {
  /** Mean absolute distance of observed from expected values. */
  readonly error: number;
  /** Median width of the band of values that raise nothing. */
  readonly width: number;
}

/** A version on the judged part. */
export interface JudgedVersion {
  readonly features: Readonly<Record<string, VersionQuality>>;
  /** Anomalies that it starts there; those of live detection do not count. */
  readonly alarms: number;
}

/** Intervals to judge, at the end of a range. */
export function judgedIntervals(length: number, intervalMs: number): number {
  return Math.floor(Math.min(JUDGED.share * length, JUDGED.ms / intervalMs, JUDGED.intervals));
}

/** @returns why the new version must not take over, a phrase; undefined where it may */
export function findRegression(active: JudgedVersion, fresh: JudgedVersion): string | undefined {
  for (const [name, now] of Object.entries(fresh.features)) {
    const before = active.features[name];
    if (!before) continue;
    const errors = now.error / Math.max(before.error, ERROR_FLOOR * before.width);
    if (errors > MAX_ERROR_RATIO) return `its errors of ${name} are ${errors.toFixed(1)} times as large`;
    const widths = now.width / before.width;
    const isComparable = before.width > 0 && errors >= BETTER_ERROR_RATIO;
    // Where the old version already alarms, the series may have changed: then wide bands are no fault.
    if (active.alarms === 0 && isComparable && widths > MAX_WIDTH_RATIO)
      return `its band of ${name} is ${widths.toFixed(1)} times as wide`;
  }
  if (fresh.alarms <= active.alarms + MAX_MORE_ALARMS) return undefined;
  return `it raises ${fresh.alarms} anomalies in place of ${active.alarms}`;
}
