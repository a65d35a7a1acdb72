// Severity of an anomaly: three levels by rarity and size; that of an episode rises and never falls.

/** Ascending. */
export const severities = ["info", "warning", "critical"] as const;
export type Severity = (typeof severities)[number];

/** Decades: one normal point in a million; the score ends here. */
const CRITICAL_RARITY = 6;
/** Half-widths of the band: a rare point close to it is no reason for a page. */
const CRITICAL_FACTOR = 2;
/** Decades beyond the threshold: ten times as rare as the threshold demands. */
const WARNING_MARGIN = 1;
/** Decades: the automatic threshold of intervals of one to two minutes. */
const USUAL_THRESHOLD = 4;

/** A feature at one interval. */
interface Deviation {
  /** 0..100 */
  readonly score: number;
  /** Decades, see `FeatureReport`; absent: taken from the score, of which 100 is 6 decades. */
  readonly rarity?: number | undefined;
  /** Half-widths of the band; absent: the band has no width, so that every deviation is large. */
  readonly factor?: number | undefined;
}

/**
 * Severity of one interval, the highest of its features:
 * `critical` from a rarity of 6 decades and a factor of 2 on, both of the same feature;
 * `warning` from 6 decades, or one decade beyond the threshold, on; `info` for the rest.
 * @param features the contributing ones
 * @param threshold rarity of `max_threshold`, decades; default 4, for anomalies stored without it
 */
export function severityOf(
  features: Readonly<Record<string, Deviation>>,
  threshold = USUAL_THRESHOLD,
): Severity {
  const levels = Object.values(features).map((deviation) => severityOfFeature(deviation, threshold));
  return levels.reduce(higherSeverity, "info");
}

function severityOfFeature(
  { score, rarity = (score * CRITICAL_RARITY) / 100, factor = Infinity }: Deviation,
  threshold: number,
): Severity {
  if (rarity >= CRITICAL_RARITY && factor >= CRITICAL_FACTOR) return "critical";
  return rarity >= Math.min(CRITICAL_RARITY, threshold + WARNING_MARGIN) ? "warning" : "info";
}

/** The higher of two severities. */
export function higherSeverity(a: Severity, b: Severity): Severity {
  return severities.indexOf(a) >= severities.indexOf(b) ? a : b;
}
