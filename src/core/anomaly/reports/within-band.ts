// Position of an observed value relative to the band of its report.
import type { FeatureReport } from "../event.ts";

/** Whether the value lies in the band: what is odd is then the course or the order of the values. */
export function isWithinBand({
  observed,
  lower,
  upper,
}: Pick<FeatureReport, "observed" | "lower" | "upper">): boolean {
  return observed !== null && observed >= lower && observed <= upper;
}

/** What is wrong with a value: one within the band is too high or low for nothing, as a sensor that is stuck. */
export function oddityOf(
  report: Pick<FeatureReport, "observed" | "lower" | "upper" | "explanation" | "type">,
): string {
  return report.explanation && isWithinBand(report) ? "unusual" : `too ${report.type}`;
}
