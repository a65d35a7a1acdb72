// Feature reports of one interval: score, observed and predicted values; pure.
import { type FeatureReport, factorOf } from "../../core/anomaly/event.ts";
import type { Grid } from "../../core/series/grid.ts";
import type { Evaluation } from "../kind.ts";

/**
 * Reports of the features that were scored at interval `i` of the evaluation.
 * @param observed observed values, as long as the evaluation
 */
export function reportsAt(
  evaluation: Evaluation,
  observed: Pick<Grid, "columns">,
  i: number,
): Record<string, FeatureReport> {
  const { features } = evaluation.scores[i]!;
  const reports = Object.entries(features).map(
    ([name, { type, score, rarity, evidence }]): [string, FeatureReport] => {
      const value = observed.columns[name]?.[i] ?? Number.NaN;
      const at = (columns: Evaluation["predicted"]) => columns[name]![i]!;
      const values = {
        observed: Number.isFinite(value) ? value : null,
        predicted: at(evaluation.predicted),
        lower: at(evaluation.lower),
        upper: at(evaluation.upper),
      };
      const factor = factorOf(values);
      const extent = { ...(factor !== undefined && { factor }), ...(rarity !== undefined && { rarity }) };
      return [name, { type, score, ...values, ...extent, ...evidence }];
    },
  );
  return Object.fromEntries(reports);
}
