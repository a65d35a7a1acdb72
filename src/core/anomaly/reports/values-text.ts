// Observed and expected value of a report, as a text in its unit.
import { formatTogether } from "../../formats/readable.ts";
import type { FeatureReport } from "../event.ts";

type Values = Pick<FeatureReport, "observed" | "predicted" | "lower" | "upper"> & {
  readonly unit?: string | undefined;
};

/** `93.4 %, not 10 %` */
export function describeValues({ observed, predicted, lower, upper, unit }: Values): string {
  const format = { scale: upper - lower, unit };
  if (observed === null) return `nothing, not ${formatTogether([predicted], format)[0]}`;
  const [seen, expected] = formatTogether([observed, predicted], format);
  return `${seen}, not ${expected}`;
}
