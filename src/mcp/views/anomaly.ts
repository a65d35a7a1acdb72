// Anomalies for assistants: one line of a list, and the numbers behind one.

import type { AnomalyView } from "../../api/anomaly.ts";
import type { FeatureReport } from "../../core/anomaly/event.ts";
import { isWithinBand } from "../../core/anomaly/reports/within-band.ts";
import { formatRarity, formatTogether } from "../../core/formats/readable.ts";
import { isoOf, maybeIso, round, roundAll } from "./values.ts";

type Reports = Readonly<Record<string, AnomalyView["peak"][string]>>;

/** An entry of a list. */
export function lineOfAnomaly(anomaly: AnomalyView) {
  const { id, model, series, scope, start, end, peak_score: score, severity, origin, feedback } = anomaly;
  return {
    id,
    model,
    ...(series && { series }),
    ...(scope && { scope }),
    start: isoOf(start),
    end: maybeIso(end),
    peak_score: round(score),
    severity,
    features: directionsOf(anomaly.peak),
    ...(origin !== "live" && { origin }),
    ...(feedback && { feedback: feedback.anomaly ? "anomaly" : "false alarm" }),
  };
}

/** `{load: "high"}`. */
function directionsOf(reports: Reports): Record<string, string> {
  return Object.fromEntries(Object.entries(reports).map(([name, { type }]) => [name, type]));
}

/** The numbers of each feature at one interval. */
export function showReports(reports: Reports): Record<string, object> {
  return Object.fromEntries(Object.entries(reports).map(([name, report]) => [name, showReport(report)]));
}

function showReport(report: Reports[string]): object {
  const { type, predicted, lower, upper, factor, nearest, ...rest } = report;
  const { comparison_score: _, observed, score, ...evidence } = rest;
  return roundAll({
    direction: type,
    observed,
    expected: predicted,
    band: [lower, upper],
    score,
    ...(factor !== undefined && { half_widths_off: factor }),
    ...evidence,
    ...(nearest && {
      similar_earlier_stretch: {
        ended: isoOf(nearest.at),
        intervals: nearest.points,
        distance: nearest.distance,
      },
    }),
  });
}

/** One sentence per feature: `load was 9.1, expected 5 (usual 4.2 to 5.8): ...`. */
export function explainReports(reports: Reports): string[] {
  return Object.entries(reports).map(([name, report]) => `${name} ${explainReport(report)}.`);
}

type Explained = Pick<
  FeatureReport,
  "type" | "observed" | "predicted" | "lower" | "upper" | "unit" | "rarity" | "reason" | "explanation"
> & { readonly nearest?: FeatureReport["nearest"] | undefined };

function explainReport(report: Explained) {
  const { type, observed, predicted, lower, upper, unit, rarity, reason, nearest, explanation } = report;
  const numbers = [predicted, lower, upper, ...(observed === null ? [] : [observed])];
  const [expected, from, to, seen] = formatTogether(numbers, { scale: upper - lower, unit });
  const value = seen === undefined ? "had no value" : `was ${seen}`;
  const parts = [
    `${value}, too ${type}: expected ${expected}, usual ${from} to ${to}`,
    ...(explanation && isWithinBand(report) ? [explanation] : []),
    ...(rarity === undefined ? [] : [formatRarity(rarity)]),
    ...(reason === "peers" ? ["it differs from its peers, not from its own past"] : []),
    ...(nearest ? [`the most similar earlier stretch ended ${isoOf(nearest.at)}`] : []),
  ];
  return parts.join("; ");
}
