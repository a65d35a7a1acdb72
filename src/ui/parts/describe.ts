// Sentences about anomalies.
import type { AnomalyView } from "../../api/anomaly.ts";
import { formatSi, formatSpan } from "../lib/format.ts";
import { texts } from "../state/preferences.ts";

/** `latency too high: 65.7, not 45.7`, of the feature with the highest score at the peak. */
export function describeAnomaly({ peak, features }: AnomalyView): string {
  const { tooHigh, tooLow, nothingObserved } = texts.value;
  const [strongest] = Object.entries(Object.keys(peak).length > 0 ? peak : features).sort(
    ([, a], [, b]) => b.score - a.score,
  );
  if (!strongest) return "";
  const [name, { type, observed, predicted }] = strongest;
  const seen = observed === null ? nothingObserved : formatSi(observed);
  return (type === "high" ? tooHigh : tooLow)(name, seen, formatSi(predicted));
}

export function describeLength({ start, end }: AnomalyView): string {
  const { lasted, ongoing } = texts.value;
  return end === null ? ongoing : lasted(formatSpan((end - start) * 1000));
}
