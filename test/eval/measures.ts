// Measures of a ranking of points.
import { aucPr } from "./metrics/auc-pr.ts";
import { adjustPoints, bestF1 } from "./metrics/f1.ts";
import type { Scored } from "./metrics/scored.ts";
import { vusPr } from "./metrics/vus-pr.ts";

/** A hit this many points after the start of a segment is in time (PA-T7). */
const IN_TIME = 7;

export const measureNames = {
  f1: "best F1",
  pa: "PA",
  paT7: "PA-T7",
  aucPr: "AUC-PR",
  vusPr: "VUS-PR",
} as const;
export type Measures = Readonly<Record<keyof typeof measureNames, number>>;

/** Undefined where nothing is labelled: there is nothing to find. */
export function measure(scored: Scored): Measures | undefined {
  const [f1, area, volume] = [bestF1(scored), aucPr(scored), vusPr(scored)];
  if (f1 === undefined || area === undefined || volume === undefined) return undefined;
  const pa = bestF1(adjustPoints(scored))!;
  const paT7 = bestF1(adjustPoints(scored, IN_TIME))!;
  return { f1, pa, paT7, aucPr: area, vusPr: volume };
}

/** The scored intervals that hold a row; one without a score ranks lowest. */
export function pickScored(labels: Uint8Array, statistic: Float64Array, observed: Uint32Array): Scored {
  return {
    labels: Uint8Array.from(observed, (i) => labels[i]!),
    scores: Float64Array.from(observed, (i) =>
      Number.isNaN(statistic[i]!) ? Number.NEGATIVE_INFINITY : statistic[i]!,
    ),
  };
}
