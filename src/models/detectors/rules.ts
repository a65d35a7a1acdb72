// Constants of detection that labelled series decide; `npm run eval -- --constants` measures alternatives.

/** Constants of the fit and the scoring of an ensemble. */
export interface DetectionRules {
  /** Factor on the rarity of a point that does not exceed the peaks of its burst. */
  readonly repeatedPeakWeight: number;
  /** Typical agreement of the detectors, towards which the measured one is shrunk by half, and the least one. */
  readonly priorAgreement: number;
  readonly minAgreement: number;
  /** Rarity per decade of surprise beyond the rarest point seen: real tails are heavier than fitted ones. */
  readonly extrapolationSlope: number;
  /** Points at which the slope is half of that: a tail fitted to fewer points proves less. */
  readonly halfSlopePoints: number;
  /** Decades beyond the number of points that a rarity cannot exceed. */
  readonly maxDecadesBeyond: number;
  /** Recent anomalies withheld from the ranks: an incident that repeats is raised again, a habit becomes normal. */
  readonly withheldAlarms: number;
  /** Decades by which the seasonal detector alone must exceed a rarity for it to count. */
  readonly overwhelmingDecades: number;
  /** Exponent of the Pareto tail beyond the known values: lighter tails make a value out there rarer still. */
  readonly noveltyExponent: number;
  /** Decades by which novelty must exceed a rarity for it to count: the detectors judge moderate records. */
  readonly noveltyMargin: number;
  /** Distance beyond the known values, in widths of their range, at which a value is a new peak of a burst. */
  readonly recordDistance: number;
  /** Distance from an expectation that is no deviation, as a share of the series' deviation. */
  readonly resolution: number;
}

export const detectionRules: DetectionRules = {
  repeatedPeakWeight: 0.75,
  priorAgreement: 0.6,
  minAgreement: 0.45,
  extrapolationSlope: 0.5,
  halfSlopePoints: 100,
  maxDecadesBeyond: 3,
  withheldAlarms: 3,
  overwhelmingDecades: 3,
  noveltyExponent: 3,
  noveltyMargin: 1,
  recordDistance: 0.5,
  resolution: 0.02,
};
