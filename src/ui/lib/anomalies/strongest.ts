// Strongest feature of an anomaly: that of the highest score; pure.
import type { AnomalyView } from "../../../api/anomaly.ts";

type Report = AnomalyView["features"][string];

/** The feature with the highest score at the peak; of an anomaly without one at its start. */
export function strongestOf({
  peak,
  features,
}: Pick<AnomalyView, "peak" | "features">): readonly [name: string, Report] | undefined {
  const reports = Object.entries(Object.keys(peak).length > 0 ? peak : features);
  return reports.sort(([, a], [, b]) => b.score - a.score)[0];
}
