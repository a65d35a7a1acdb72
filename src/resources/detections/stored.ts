// Detection in the values of a bucket: read on a grid, scored without a model, folded for a chart.
import type { EntireView, StoredAnomalyView, StoredDetectionView } from "../../api/detection.ts";
import { describeRun, runAt } from "../../core/anomaly/long-run.ts";
import { normalState, stepAnomaly } from "../../core/anomaly/state.ts";
import { foldCells, viewCells } from "../../core/series/cells.ts";
import { type Grid, type Range, sliceGrid } from "../../core/series/grid.ts";
import { runDetection } from "../../jobs/handlers/series.ts";
import { listUnits, withUnits } from "../../metrics/units.ts";
import { scoreOf } from "../../models/scoring/score.ts";
import { noData, type OpenBucket, readFeatures, readUnits, SOURCE_ADVICE } from "../../points/features.ts";
import { findInterval } from "../../points/interval.ts";
import { planPlaced } from "./plan.ts";
import { MIN_POINTS } from "./series-request.ts";
import { planIntervals, type StoredRequest } from "./stored-request.ts";

const VALUE = "value";
const COUNT = "count";
const MAX_ANOMALIES = 100;
/** Share of the threshold below which an anomaly ends: of the strongest five more are labelled events than with a half. */
const END_SHARE = 0.15;
/** False alarms among normal values by default: of more, few of the anomalies would be ones. */
const FALSE_ALARMS = 0.3;

interface StoredInput {
  readonly openBucket: OpenBucket;
  readonly bucket: string;
  readonly request: StoredRequest;
  readonly nowAt: number;
}

/** @throws TorusError `no_data`, `invalid`, `bucket_*`, `canceled`, `deadline` */
export async function detectStored(input: StoredInput, signal: AbortSignal): Promise<StoredDetectionView> {
  const { openBucket: open, bucket, request, nowAt } = input;
  const value = { ...request.source, name: VALUE };
  const features = request.source.query ? [value] : [value, { ...value, name: COUNT, metric: "count" }];
  const found = { features: [value], bucket, range: request.range };
  const intervalMs = request.intervalMs ?? (await findInterval(open, found, signal));
  const range = planIntervals(request, intervalMs, nowAt);
  const grid = await readFeatures(open, { features, bucket, range, intervalMs }, signal);
  const scored = await scoreGrid(occupied(grid, range), signal);
  const stated = await readUnits(open, { features: [value], bucket }, signal);
  const { [VALUE]: unit } = listUnits(withUnits({ features: [value] }, stated));
  return { ...viewScored(scored, request), ...(unit && { unit }) };
}

/** The intervals from the first to the last with a value. @throws TorusError `no_data` */
function occupied(grid: Grid, range: Range): Grid {
  const column = grid.columns[VALUE]!;
  const last = column.findLastIndex((value) => !Number.isNaN(value));
  if (last < 0) throw noData(range, SOURCE_ADVICE);
  return sliceGrid(
    grid,
    column.findIndex((value) => !Number.isNaN(value)),
    last + 1,
  );
}

/** Columns as long as the grid, NaN where nothing was observed; absent with too few values to score. */
interface Scored {
  readonly grid: Grid;
  readonly places: Int32Array;
  readonly period: number;
  readonly bands?: Readonly<Record<"expected" | "lower" | "upper" | "score", Float64Array>>;
  /** In intervals of the grid; absent without scores. */
  readonly runs?: EntireView["runs"];
}

async function scoreGrid(grid: Grid, signal: AbortSignal): Promise<Scored> {
  const column = grid.columns[VALUE]!;
  const places = Int32Array.from([...column.keys()].filter((i) => !Number.isNaN(column[i]!)));
  if (places.length < MIN_POINTS.detection) return { grid, places, period: 0 };
  const job = planPlaced({ column, places, step: { kind: "fixed", ms: grid.intervalMs } }, {});
  const view = await runDetection(job, signal);
  if (!("scores" in view)) return { grid, places, period: view.period };
  const spread = (valueAt: (i: number) => number) => {
    const whole = new Float64Array(grid.length).fill(Number.NaN);
    for (const [i, place] of places.entries()) whole[place] = valueAt(i);
    return whole;
  };
  const { expectedValues: expected, lowerMargins: below, upperMargins: above, scores, period } = view;
  const bands = {
    expected: spread((i) => expected[i]!),
    lower: spread((i) => expected[i]! - below[i]!),
    upper: spread((i) => expected[i]! + above[i]!),
    score: spread((i) => scores[i]!),
  };
  const runs = view.runs.map((run) => ({ ...run, first: places[run.first]!, last: places[run.last]! }));
  return { grid, places, period, bands, runs };
}

function viewScored(scored: Scored, { cells, maxThreshold }: StoredRequest): StoredDetectionView {
  const { grid, places, period, bands, runs = [] } = scored;
  const { startAt, intervalMs, length, columns } = grid;
  const size = Math.ceil(length / cells);
  const fold = (column: Float64Array) => foldCells(column, size);
  const { min, mean, max } = fold(columns[VALUE]!);
  const counts = columns[COUNT];
  return {
    bucket_interval: intervalMs / 1000,
    from: startAt / 1000,
    step: (size * intervalMs) / 1000,
    cells: mean.length,
    found: places.length,
    ...(counts && { points: counts.reduce((sum, count) => sum + (count || 0), 0) }),
    oldest: startAt / 1000,
    newest: (startAt + (length - 1) * intervalMs) / 1000,
    period,
    min: viewCells(min),
    mean: viewCells(mean),
    max: viewCells(max),
    ...(bands && {
      expected: viewCells(fold(bands.expected).mean),
      lower: viewCells(fold(bands.lower).mean),
      upper: viewCells(fold(bands.upper).mean),
      score: viewCells(fold(bands.score).max),
    }),
    anomalies: bands ? listAnomalies({ grid, bands, runs }, maxThreshold ?? thresholdFor(places.length)) : [],
  };
}

/** Score that some of so many normal values exceed. */
function thresholdFor(values: number): number {
  return scoreOf(FALSE_ALARMS / values);
}

/** Stretches found by the state machine of live detection, the highest peak first. */
function listAnomalies(
  { grid, bands, runs }: Pick<Required<Scored>, "grid" | "bands" | "runs">,
  max: number,
): StoredAnomalyView[] {
  const { startAt, intervalMs } = grid;
  const rules = { max, min: END_SHARE * max, gracePeriodMs: 0, minDuration: 1 };
  const found: { start: number; end: number; peak: number }[] = [];
  let state = normalState;
  for (const [i, score] of bands.score.entries()) {
    if (Number.isNaN(score)) continue;
    const step = stepAnomaly(state, { at: startAt + i * intervalMs, score }, rules);
    state = step.state;
    if (step.event === "start") found.push({ start: i, end: i + 1, peak: i });
    const current = found.at(-1);
    if (!state.active || !current) continue;
    current.end = i + 1;
    if (score > bands.score[current.peak]!) current.peak = i;
  }
  const at = (i: number) => (startAt + i * intervalMs) / 1000;
  const observed = grid.columns[VALUE]!;
  return found
    .sort((a, b) => bands.score[b.peak]! - bands.score[a.peak]!)
    .slice(0, MAX_ANOMALIES)
    .map(({ start, end, peak }) => {
      const run = runAt(runs, peak);
      return {
        start: at(start),
        end: at(end),
        peak: at(peak),
        peak_score: bands.score[peak]!,
        type: observed[peak]! > bands.expected[peak]! ? "high" : "low",
        observed: observed[peak]!,
        expected: bands.expected[peak]!,
        ...(run && { reason: describeRun(run) }),
      };
    });
}
