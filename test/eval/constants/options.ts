// Alternatives of the constants of detection that `--constants` measures.
import { type DetectionRules, detectionRules } from "../../../src/models/detectors/rules.ts";

type ConstantName = keyof DetectionRules;

export const alternatives: Readonly<Record<ConstantName, readonly number[]>> = {
  repeatedPeakWeight: [0.5, 0.65, 0.85, 1],
  priorAgreement: [0.45, 0.7, 0.8],
  minAgreement: [0.35, 0.55, 0.65],
  extrapolationSlope: [0.25, 0.75, 1],
  halfSlopePoints: [0, 30, 300],
  maxDecadesBeyond: [1, 2, 4, 6],
  withheldAlarms: [0, 1, 6, 12],
  overwhelmingDecades: [2, 4, 6],
  noveltyExponent: [1.5, 2, 4, 6],
  noveltyMargin: [0, 0.5, 1.5, 2, 10],
  recordDistance: [0, 0.25, 1, 2],
  resolution: [0, 0.01, 0.05, 0.1],
};

export const constantNames = Object.keys(alternatives) as ConstantName[];

/** Rules with one constant replaced, the value in use first. */
export function rulesFor(name: ConstantName): { readonly value: number; readonly rules: DetectionRules }[] {
  return [detectionRules[name], ...alternatives[name]].map((value) => ({
    value,
    rules: { ...detectionRules, [name]: value },
  }));
}
