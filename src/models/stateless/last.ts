// Detection of the last point: compared with the points before it, scored by the ensemble.
import type { Thresholds } from "../../core/anomaly/state.ts";
import { countPresent } from "../../core/series/grid.ts";
import { scoreEnsemble } from "../detectors/ensemble.ts";
import { fitEnsemble } from "../detectors/fit.ts";
import { scoreOfRarity } from "../scoring/score.ts";
import { type DetectInput, isInDirection } from "./detection.ts";
import { directionOfRun, findLongRuns, type LongRun, severityOf } from "./long-runs.ts";
import { seasonalScaleAt } from "./residual-scale.ts";
import { scaleTimeline } from "./scaled-timeline.ts";
import { tailFactor } from "./tail-width.ts";
import { bandWidthOf } from "./tolerance-band.ts";
import { expectUsual } from "./usual.ts";

/** Most points of history, unless a season is longer. */
const MAX_HISTORY = 10_000;
/** Least points of the newest part; with fewer, because of a long gap, the whole series is used. */
const MIN_HISTORY_POINTS = 100;
/** Window of the linear detector without a season, in points. */
const DEFAULT_SPAN = 30;
/** Newest points that the neighbour detectors are fitted to: an answer takes milliseconds. */
const NEIGHBOUR_POINTS = 1000;
/** Thresholds above all scores: a single point starts no anomaly. */
const UNREACHABLE_THRESHOLDS: Thresholds = { max: 101, min: 101 };
/** Periods in the suggested window. */
const SUGGESTED_PERIODS = 4;
const SUGGESTED_WITHOUT_PERIOD = 100;

/** `Detection` of one point. */
export interface LastDetection {
  readonly expected: number;
  readonly margin: number;
  readonly direction: number;
  readonly severity: number;
  readonly score: number;
  /** Sufficient length of a series for the same result, in points. */
  readonly suggestedWindow: number;
  /** That the point ends. */
  readonly run?: LongRun;
}

/**
 * Detects the last point.
 * @param input whose last value is present; `network` evaluates the `historyOf` it
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export async function detectLast(input: DetectInput, signal: AbortSignal): Promise<LastDetection> {
  const { period, anomalyType, network } = input;
  const column = recentHistory(input);
  const last = column.length - 1;
  const before = column.slice();
  before[last] = Number.NaN;
  const { expected, errors, scale, unit } = await expectUsual({ ...input, column }, before, signal);
  const spread = seasonalScaleAt(errors, last, { period, overall: scale[last]! });
  const factor = tailFactor(errors.map((error, i) => Math.abs(error) / scale[i]!));
  const margin = factor * bandWidthOf(input.sensitivity) * spread * unit[last]!;
  const error = column[last]! - expected[last]!;
  const isOut = isInDirection(error, anomalyType) && Math.abs(error) > margin;
  const runs = anomalyType === "low_high" ? findLongRuns({ ...input, column }) : [];
  const run = runs.find(({ to }) => to === column.length);
  const score = isInDirection(error, anomalyType) ? (network?.lastScore ?? scoreLast(column, period)) : 0;
  const severity = isOut ? 1 - margin / Math.abs(error) : 0;
  return {
    expected: expected[last]!,
    margin,
    direction: isOut ? Math.sign(error) : run ? directionOfRun(run, column, errors) : 0,
    severity: Math.max(severity, run ? severityOf(run) : 0),
    score: Math.max(score, run ? scoreOfRarity(run.decades) : 0),
    suggestedWindow: period > 0 ? SUGGESTED_PERIODS * period + 1 : SUGGESTED_WITHOUT_PERIOD,
    ...(run && { run: moveRun(run, input.column.length - column.length) }),
  };
}

const moveRun = ({ from, to, ...run }: LongRun, by: number): LongRun => ({
  ...run,
  from: from + by,
  to: to + by,
});

/** The last point and the points it is compared with. */
export function recentHistory({ column, period }: Pick<DetectInput, "column" | "period">): Float64Array {
  const newest = column.slice(-Math.max(MAX_HISTORY, SUGGESTED_PERIODS * period + 1));
  return countPresent(newest) < MIN_HISTORY_POINTS ? column : newest;
}

/** Score by the ensemble without the network. */
function scoreLast(column: Float64Array, period: number): number {
  const last = column.length - 1;
  const past = column.subarray(0, last);
  const silent = new Float64Array(last).fill(Number.NaN);
  // The seasonal detector has days as seasons, so a period is scaled to a day.
  const timeline = scaleTimeline(period);
  const ensemble = fitEnsemble({
    timeline,
    column: past,
    nll: silent,
    expected: silent,
    span: period > 0 ? period : DEFAULT_SPAN,
    sides: { below: true, above: true },
    neighbourPoints: NEIGHBOUR_POINTS,
  });
  const missing = new Float64Array(column.length).fill(Number.NaN);
  const { score } = scoreEnsemble(ensemble, {
    timeline,
    column,
    network: { expected: missing, deviation: missing, nll: missing, unit: 1 },
    from: last,
    sides: { below: true, above: true },
    thresholds: UNREACHABLE_THRESHOLDS,
  });
  return score[last]!;
}
