// Detection of the last point alone: it is held against what came before it, and scored by the companions of the ensemble.
import type { Thresholds } from "../../core/anomaly/state.ts";
import { countPresent } from "../../core/series/grid.ts";
import { scoreEnsemble } from "../detectors/ensemble.ts";
import { fitEnsemble } from "../detectors/fit.ts";
import { type DetectInput, isInDirection, periodsOf } from "./detection.ts";
import { expectSeries, mixExpectations, subtract } from "./expectation.ts";
import { residualScale, seasonalScaleAt } from "./residual-scale.ts";
import { scaleTimeline } from "./scaled-timeline.ts";
import { bandWidthOf } from "./tolerance-band.ts";

/** The newest points tell all that there is to know about the last one; of a long season it takes more of them. */
const MAX_HISTORY = 10_000;
/** With fewer points in it the newest part tells nothing: the series has a hole that is longer. */
const MIN_HISTORY_POINTS = 100;
/** Points of a window of the linear companion where there is no season. */
const DEFAULT_SPAN = 30;
/** One point is scored, nothing starts or goes on: no score reaches these. */
const UNREACHABLE_THRESHOLDS: Thresholds = { max: 101, min: 101 };
/** Periods that show what is usual at the time of the last point. */
const SUGGESTED_PERIODS = 4;
const SUGGESTED_WITHOUT_PERIOD = 100;

/** As `Detection`, for one point. */
export interface LastDetection {
  readonly expected: number;
  readonly margin: number;
  readonly direction: number;
  readonly severity: number;
  readonly score: number;
  /** Points, the last one included, that say as much as more would. */
  readonly suggestedWindow: number;
}

/**
 * @param input its last value is there; its network was asked of `historyOf` it
 * @throws TorusError `canceled` or `deadline` where the signal is aborted
 */
export async function detectLast(input: DetectInput, signal: AbortSignal): Promise<LastDetection> {
  const { period, anomalyType, network } = input;
  const column = historyOf(input);
  const last = column.length - 1;
  const before = column.slice();
  before[last] = Number.NaN;
  const companions = await expectSeries(before, periodsOf(input), signal);
  const expected = network ? mixExpectations(before, companions, network.expected) : companions;
  const errors = subtract(before, expected);
  const overall = residualScale(errors, before, input.maxAnomalyRatio);
  const margin = bandWidthOf(input.sensitivity) * seasonalScaleAt(errors, last, { period, overall });
  const error = column[last]! - expected[last]!;
  const isOut = isInDirection(error, anomalyType) && Math.abs(error) > margin;
  return {
    expected: expected[last]!,
    margin,
    direction: isOut ? Math.sign(error) : 0,
    severity: isOut ? 1 - margin / Math.abs(error) : 0,
    score: isInDirection(error, anomalyType) ? (network?.lastScore ?? scoreLast(column, period)) : 0,
    suggestedWindow: period > 0 ? SUGGESTED_PERIODS * period + 1 : SUGGESTED_WITHOUT_PERIOD,
  };
}

/** What the last point is held against, and the point itself. */
export function historyOf({ column, period }: Pick<DetectInput, "column" | "period">): Float64Array {
  const newest = column.slice(-Math.max(MAX_HISTORY, SUGGESTED_PERIODS * period + 1));
  return countPresent(newest) < MIN_HISTORY_POINTS ? column : newest;
}

/** The ensemble without its network, which weighs nothing where it has said nothing. */
function scoreLast(column: Float64Array, period: number): number {
  const last = column.length - 1;
  const past = column.subarray(0, last);
  const silent = new Float64Array(last).fill(Number.NaN);
  // The seasonal companion knows days: a period is one, and without a period there is no time of day.
  const timeline = scaleTimeline(period);
  const ensemble = fitEnsemble({
    timeline,
    column: past,
    nll: silent,
    expected: silent,
    span: period > 0 ? period : DEFAULT_SPAN,
    countsBelow: true,
    countsAbove: true,
  });
  const { score } = scoreEnsemble(ensemble, {
    timeline,
    column,
    expected: new Float64Array(column.length).fill(Number.NaN),
    nll: new Float64Array(column.length),
    from: last,
    counts: () => true,
    thresholds: UNREACHABLE_THRESHOLDS,
  });
  return score[last]!;
}
