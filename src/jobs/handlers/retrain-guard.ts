// Retrain guard of a training: judges its version and the active one on the last days of the range.
import { TorusError } from "../../core/errors.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import { effectiveSettings } from "../../core/model/effective-settings.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { findRegression, type JudgedVersion, judgedIntervals } from "../../core/model/retrain-guard.ts";
import { type Grid, type Range, sliceGrid } from "../../core/series/grid.ts";
import type { Context, Evaluation, ModelKind, TrainedModel } from "../../models/kind.ts";
import { detectInSteps, rulesOf } from "../../models/scoring/detect.ts";
import { leaveOut, markIntervals } from "../../models/stats/marks.ts";
import { medianOf } from "../../models/stats/median.ts";
import type { Store } from "../../store/db/open.ts";
import { loadModel } from "../../store/models.ts";
import type { LoadedVersion } from "../../store/versions.ts";
import { loadTrained } from "./fleet/load-trained.ts";

/** Intervals that a version sees before the judged part, at most, from the end of its training on. */
const MAX_WARM_UP = 1000;

interface Candidate {
  readonly model: string;
  /** Of a fleet: the series that is judged. */
  readonly series?: SeriesTags;
  readonly settings: ModelSettings;
  /** The training range. */
  readonly grid: Grid;
  readonly trained: TrainedModel;
  /** Recorded anomalies. */
  readonly excluded: readonly Range[];
}

interface GuardDeps {
  readonly store: Store;
  readonly kind: ModelKind;
  readonly context: Context;
}

/**
 * Why the new version must not take over; undefined where it may: also without an active version, with one of other
 * features or another interval, and on a range too short to tell.
 * @throws TorusError `not_found` (model), `canceled`, `worker_crashed`
 */
export async function refuseRegression(deps: GuardDeps, candidate: Candidate): Promise<string | undefined> {
  const { settings, grid, trained, model } = candidate;
  const { version } = await loadModel(deps.store, model);
  if (!version || !isComparable(settings, version.settings)) return undefined;
  const active = await loadSound(deps, candidate, version.name);
  if (!active) return undefined;
  const kind = deps.kind;
  const judged = judgedIntervals(grid.length, grid.intervalMs);
  const history = Math.max(kind.historyOf(active), kind.historyOf(trained));
  if (judged < 1 || grid.length < history + judged) return undefined;
  const then = effectiveSettings(settings, active.settings);
  const before = await judge(deps, { ...candidate, settings: then, trained: active, judged }, active.toAt);
  const after = await judge(deps, { ...candidate, judged }, Number.POSITIVE_INFINITY);
  const regression = findRegression(before, after);
  return regression && `on the last ${judged} intervals ${regression} as with version ${version.name}`;
}

/** The version; undefined where it is damaged, so that any other is better, or does not have the series. */
async function loadSound(
  deps: GuardDeps,
  { model, series }: Candidate,
  version: string,
): Promise<LoadedVersion | undefined> {
  try {
    return await loadTrained(deps, { model, version, series });
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    if (error.code === "weights_corrupt" || (series && error.code === "not_found")) return undefined;
    throw error;
  }
}

/** Whether both versions describe the same series. */
function isComparable(now: ModelSettings, then: ModelSettings): boolean {
  const sourceOf = ({ features }: ModelSettings) =>
    features.map(({ name, metric, field, measurement, query, bucket, match_all, default: filler }) => {
      return { name, metric, field, measurement, query, bucket, match_all, filler };
    });
  return bucketIntervalOf(now) === bucketIntervalOf(then) && Bun.deepEquals(sourceOf(now), sourceOf(then));
}

interface Judged extends Candidate {
  /** Intervals at the end of the range. */
  readonly judged: number;
}

/** @param knownTo end of what the version has learned, ms: it is evaluated from there on */
async function judge(
  { kind, context }: GuardDeps,
  { settings, grid, trained, judged, excluded }: Judged,
  knownTo: number,
): Promise<JudgedVersion> {
  const history = kind.historyOf(trained);
  const from = grid.length - judged;
  const since = Math.floor((grid.startAt + from * grid.intervalMs - knownTo) / grid.intervalMs);
  const warmUp = Math.max(0, Math.min(since, MAX_WARM_UP, from - history));
  const slice = sliceGrid(grid, from - warmUp - history, grid.length);
  const evaluation = await kind.evaluate(trained, { settings, grid: slice }, context);
  const observed = sliceGrid(grid, from, grid.length);
  const marks = markIntervals(observed, excluded);
  const { signal } = context;
  const stats = await detectInSteps(evaluation.scores, evaluation.grid, { rules: rulesOf(settings), signal });
  const flags = stats.slice(warmUp).map(({ anomaly }, i) => anomaly && marks[i] !== 1);
  return {
    alarms: flags.filter((flag, i) => flag && !flags[i - 1]).length,
    features: Object.fromEntries(
      settings.features.map(({ name }) => {
        const column = leaveOut(observed.columns[name]!, marks);
        return [name, measureFeature(evaluation, { name, column, warmUp })];
      }),
    ),
  };
}

function measureFeature(
  { predicted, lower, upper }: Evaluation,
  { name, column, warmUp }: { readonly name: string; readonly column: Float64Array; readonly warmUp: number },
) {
  const errors = column
    .map((value, i) => Math.abs(value - predicted[name]![warmUp + i]!))
    .filter(Number.isFinite);
  const widths = column.map((_, i) => upper[name]![warmUp + i]! - lower[name]![warmUp + i]!);
  return {
    error: errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length),
    width: medianOf(widths),
  };
}
