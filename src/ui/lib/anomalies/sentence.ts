// Sentence about a feature of an anomaly: its value and the expected one; within the band, its value and the reason; pure.
import type { AnomalyView } from "../../../api/anomaly.ts";
import { isWithinBand } from "../../../core/anomaly/reports/within-band.ts";
import type { Texts } from "../../texts/en.ts";
import { describeOddity } from "./oddity.ts";

/** `latency too high: 65.7, not 45.7`. @param seen, expected values with their units */
export function tellFeature(
  name: string,
  report: AnomalyView["features"][string],
  { seen, expected }: { seen: string; expected: string },
  { tooHigh, tooLow, detail }: Pick<Texts, "tooHigh" | "tooLow" | "detail">,
): string {
  const odd = isWithinBand(report) && describeOddity(report, detail);
  return odd
    ? `${name}: ${seen} (${odd})`
    : (report.type === "high" ? tooHigh : tooLow)(name, seen, expected);
}
