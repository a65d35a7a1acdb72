// Registry of the simple detectors that Torus is compared with.
import type { Grid } from "../series.ts";
import { linearResidual } from "./linear.ts";
import { movingZ } from "./moving-z.ts";
import { seasonalMedian } from "./seasonal-median.ts";

/** Intervals per window, of the protocol. */
export const WINDOW = 120;

/** @returns a statistic per interval from the past alone, higher = more anomalous; NaN = unknown */
export type Peer = (series: Grid, trainTo: number) => Float64Array;

export const peers: Readonly<Record<string, Peer>> = {
  "moving z-score": ({ values }) => movingZ(values, WINDOW),
  "seasonal median residual": seasonalMedian,
  "linear (PCA-5)": ({ values }, trainTo) => linearResidual(values, { window: WINDOW, trainTo }),
};
