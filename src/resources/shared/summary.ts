// Summary of an anomaly in one line: its strongest feature, with the value and the expected one.
import type { AnomalyView } from "../../api/anomaly.ts";
import { strongestOf } from "../../core/anomaly/reports/strongest.ts";
import { describeValues } from "../../core/anomaly/reports/values-text.ts";
import { oddityOf } from "../../core/anomaly/reports/within-band.ts";
import { nameFeature } from "../../hooks/shared/name.ts";

/** `web-1 cpu usage_user too high: 93.4 %, not 10 %` */
export function summarizeAnomaly(anomaly: AnomalyView): string {
  const { model, scope, share, series } = anomaly;
  if (scope)
    return `${share === undefined ? "many" : `${Math.round(100 * share)} %`} of the series of ${model}`;
  const strongest = strongestOf(anomaly);
  if (!strongest) return `anomaly of model ${model}`;
  const [name, report] = strongest;
  const what = nameFeature(name, report, series ? { series } : {});
  return `${what} ${oddityOf(report)}: ${describeValues(report)}`;
}
