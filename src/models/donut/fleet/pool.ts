// Tails pooled over the series of a fleet, and the prior of a series that they make; pure.

import { detectorKinds, detectorNames } from "../../detectors/kinds/index.ts";
import { drawTail, fitTail, scaleTail, type Tail } from "../../stats/tail.ts";
import type { FitPrior } from "../fit.ts";
import type { FeatureNetwork } from "../parameters.ts";

/** Quantiles that every series contributes: enough for the fit of a tail. */
const QUANTILES = 500;
/** Weight of the pooled tails, in points of a series: measured, fewer raise false alarms, more hide anomalies. */
const PRIOR_POINTS = 1000;

type Fitted = Pick<FeatureNetwork, "tail" | "ensemble">;
export type Pooled = Required<Pick<FeatureNetwork, "tail" | "pooled">>;

/** One distribution of several, all of the same weight. @param tails at least one */
export function poolTails(tails: readonly Tail[]): Tail {
  return fitTail(Float64Array.from(tails.flatMap((tail) => Array.from(drawTail(tail, QUANTILES)))));
}

/** Pools what was fitted to some series of a feature. @param fits at least one, with ensembles */
export function poolFits(fits: readonly Fitted[]): Pooled {
  const ensembles = fits.flatMap(({ ensemble }) => ensemble ?? []);
  // A tail of the hours or the times at which one series recurs says nothing of another.
  const names = detectorNames.filter((name) => typeof detectorKinds[name].alone !== "object");
  const detectors = names.flatMap((name) => {
    const tails = ensembles.flatMap(({ detectors: { [name]: fit }, linear }) => {
      if (!fit) return [];
      return [name === "linear" ? scaleTail(fit.tail, 1 / linear.scale) : fit.tail];
    });
    return tails.length > 0 ? [[name, poolTails(tails)] as const] : [];
  });
  return {
    tail: poolTails(fits.map(({ tail }) => tail)),
    pooled: { detectors: Object.fromEntries(detectors) },
  };
}

/** The prior of a series; absent where nothing was pooled. */
export function priorOf({ tail, pooled }: Pick<FeatureNetwork, "tail" | "pooled">): FitPrior | undefined {
  return pooled && { points: PRIOR_POINTS, tail, tails: pooled.detectors };
}
