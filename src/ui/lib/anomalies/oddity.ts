// Explanation of an anomaly in the language of the page, by its strongest detector; pure.
import type { AnomalyView } from "../../../api/anomaly.ts";
import { strongestDetector } from "../../../core/anomaly/reports/strongest.ts";
import type { Texts } from "../../texts/en.ts";

type Report = Pick<AnomalyView["features"][string], "contributions" | "explanation" | "beside">;

/** Detectors of one family differ in the length they compare. @returns `neighbours` and `40` of `neighbours40` */
export function splitDetector(name: string): readonly [family: string, span: string] {
  const [, family = name, span = ""] = /^(\D+)(\d+)$/.exec(name) ?? [];
  return [family, span];
}

/** In the words of the server where its detector is not known, as of anomalies of older releases. */
export function describeOddity(
  { contributions, explanation, beside = [] }: Report,
  { oddity }: Pick<Texts["detail"], "oddity">,
): string | undefined {
  const [family, span] = splitDetector(strongestDetector(contributions) ?? "");
  const isNamed = family !== "joint" || beside.length > 0;
  return explanation && isNamed ? oddity(explanation, family, { span, beside }) : explanation;
}
