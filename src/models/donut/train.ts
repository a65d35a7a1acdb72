// Training of a version: one network per feature is searched and fitted, their weights concatenated.
import type { Series } from "../../../wasm/protocol.ts";
import { TorusError } from "../../core/errors.ts";
import { reportPart } from "../../core/job.ts";
import { FIRST_POINTS } from "../../core/model/cold-start.ts";
import type { Feature } from "../../core/model/feature.ts";
import { usualTrials } from "../../core/model/model.ts";
import { countPresent, type Grid } from "../../core/series/grid.ts";
import { formatDate } from "../../core/time/time.ts";
import { compact, precisionOf } from "../compact.ts";
import { timelineOf } from "../detectors/timeline.ts";
import type { Joint } from "../joint/joint.ts";
import type { Context, TrainedModel, TrainInput } from "../kind.ts";
import { clipForTraining, measure, standardise } from "../series.ts";
import { trimForFeature, trimToExtent } from "../stats/extent.ts";
import { absentNetwork, answerAbsent, pointsForNetwork } from "./absent-network.ts";
import { type Conditions, withConditions } from "./condition.ts";
import { type FitInput, fitFeature } from "./fit.ts";
import { fitJoint, type TrainedColumn } from "./joint/fit.ts";
import { type DonutOptions, trainOptions, VALIDATION_SHARE } from "./options.ts";
import type { FeatureNetwork } from "./parameters.ts";
import { type PreparedColumn, prepareColumn } from "./prepare-column.ts";
import { chooseWindow, proposeShapes, type SpanRules, search } from "./search.ts";
import { planStart, type TrainingStart } from "./training-start.ts";
import { summariseVersion, type VersionRange } from "./version-summary.ts";

export const DEFAULT_SEED = 1;
/** Least number of points, in windows. */
const MIN_WINDOWS = 2;

export interface TrainedFeature {
  readonly network: Omit<FeatureNetwork, "offset" | "size">;
  readonly params: Float32Array;
  /** Number of points left out as unlabelled outliers. */
  readonly outliers: number;
}

/** @throws TorusError `no_data`, `too_little_data`, `canceled`, `worker_crashed` */
export async function trainDonut(
  input: TrainInput,
  options: DonutOptions,
  context: Context,
): Promise<TrainedModel> {
  const { features } = input.settings;
  // The defaults of empty intervals are observations, but of an empty range they say nothing.
  const grid = trimToExtent(input.grid, features);
  if (!grid) throw noData(input.grid, features[0]!);
  const own = { ...input, grid };
  const trained: (TrainedFeature & TrainedColumn)[] = [];
  for (const [index, feature] of features.entries()) {
    const scaled = scaleProgress(context, index, features.length);
    trained.push(await trainFeature(own, feature, { options, context: scaled }));
  }
  const joint = await fitJoint(trained, grid, context.signal);
  return assemble(trained, own, joint);
}

/** Scales the progress of one feature to its share of the job. */
export function scaleProgress(context: Context, index: number, count: number): Context {
  const report = reportPart(context.onProgress, { from: index / count, to: (index + 1) / count });
  return {
    ...context,
    onProgress: ({ eval: trial, max_evals: trials, ...progress }) =>
      report({
        ...progress,
        ...(trials !== undefined && { eval: index * trials + (trial ?? 0), max_evals: count * trials }),
      }),
  };
}

interface FeatureDeps {
  readonly options: DonutOptions;
  readonly context: Context;
}

async function trainFeature(
  input: TrainInput,
  feature: Feature,
  { options, context }: FeatureDeps,
): Promise<TrainedFeature & TrainedColumn> {
  const grid = trimForFeature(input.grid, feature);
  if (!grid) throw noData(input.grid, feature);
  const own = { ...input, grid };
  const timeline = timelineOf(input.settings, grid);
  const prepared = prepareColumn(own, feature, timeline);
  const { observed, column, baseline, outliers } = prepared;
  const standardisation = measure(column);
  const flat = standardise(column, standardisation);
  const { conditions, ...begun } = findNetwork(own, feature, { prepared, flat, options, context });
  const fitted = await fitFeature(
    { input: own, feature, timeline, ...prepared, standardisation, options, ...begun },
    answerAbsent(context),
  );
  const { shape, loss, params } = await begun.found;
  const network = {
    ...{ name: feature.name, shape, standardisation },
    ...(conditions && { conditions }),
    loss,
    ...compact({ ...baseline, ...fitted }, precisionOf(observed, standardisation.deviation)),
  };
  const { startAt } = grid;
  return { network, params, outliers, startAt, column, standardisation };
}

interface NetworkSearch extends Pick<FitInput, "series" | "validationFrom" | "window" | "found"> {
  readonly conditions?: Conditions;
}

/**
 * Begins the search for the network of a feature; a range that is too short for one has none.
 * @throws TorusError `too_little_data`
 */
function findNetwork(
  input: TrainInput,
  feature: Feature,
  {
    prepared: { observed, column },
    flat,
    options,
    context,
  }: FeatureDeps & { readonly prepared: PreparedColumn; readonly flat: Series },
): NetworkSearch {
  const { settings, overrides, grid } = input;
  const rules = spanRulesOf(settings);
  const points = countPresent(column);
  const { window, shortest } = chooseWindow(rules, points);
  const validationFrom = findValidation(column, window);
  if (settings.detector === "auto" && points < pointsForNetwork(rules)) {
    assertEnoughForCompanions(countPresent(observed), feature);
    const found = absentNetwork(column, points, rules);
    return { series: flat, validationFrom, window: found.shape.window, found };
  }
  assertEnoughData(countPresent(observed), shortest, feature);
  const { conditions, ...start } = planFeature(input, feature, { window });
  const series = withConditions(flat, conditions, grid);
  const found = search(
    {
      ...start,
      series: { ...series, values: clipForTraining(series).values },
      validationFrom,
      options: trainOptions(options, validationFrom, overrides.epochs),
      seed: overrides.seed ?? DEFAULT_SEED,
    },
    context,
  );
  const planned = { series, validationFrom, window: start.shapes[0]!.window, found };
  return { ...planned, ...(conditions && { conditions }) };
}

export function spanRulesOf({ span, min_span, max_span }: TrainInput["settings"]): SpanRules {
  return { span: typeof span === "number" ? span : undefined, minSpan: min_span, maxSpan: max_span };
}

/**
 * @param window of a new search
 * @param usual trials where neither the request nor the settings say
 */
export function planFeature(
  input: Pick<TrainInput, "settings" | "grid" | "overrides">,
  { name }: Feature,
  { window, usual = usualTrials.model }: { readonly window: number; readonly usual?: number },
): TrainingStart {
  const { overrides, settings } = input;
  const trials = overrides.maxEvals ?? settings.max_evals ?? usual;
  const random = seededUniform(overrides.seed ?? DEFAULT_SEED);
  return planStart(input, name, () => proposeShapes(window, trials, random));
}

/** Index of the first point of the validation part. */
export function findValidation(column: Float64Array, window: number): number {
  return Math.max(window, findShare(column, 1 - VALIDATION_SHARE));
}

/** Index before which a share of the present values lies. */
function findShare(column: Float64Array, share: number): number {
  let left = Math.floor(share * countPresent(column));
  return column.findIndex((value) => !Number.isNaN(value) && left-- === 0);
}

export function noData(grid: Grid, { name }: Feature): TorusError {
  const range = `${formatDate(grid.startAt)} to ${formatDate(grid.startAt + grid.length * grid.intervalMs)}`;
  const message = `no data found for time range ${range} (feature ${name}): check the bucket, the field, the measurement and the dates`;
  return new TorusError("no_data", message, { found: 0 });
}

/** @throws TorusError `too_little_data` */
export function assertEnoughData(found: number, window: number, { name }: Feature): void {
  const needed = window * MIN_WINDOWS;
  if (found >= needed) return;
  const message = `too little data for feature ${name}: a span of ${window} intervals needs ${needed} points, found ${found}`;
  throw new TorusError("too_little_data", message, { found, needed });
}

/** @throws TorusError `too_little_data` */
export function assertEnoughForCompanions(found: number, { name }: Feature): void {
  if (found >= FIRST_POINTS) return;
  const message = `too little data for feature ${name}: detection needs ${FIRST_POINTS} points to start, found ${found}`;
  throw new TorusError("too_little_data", message, { found, needed: FIRST_POINTS });
}

function assemble(
  trained: readonly TrainedFeature[],
  input: VersionRange,
  joint: Joint | undefined,
): TrainedModel {
  const { weights, parameters } = joinWeights(trained);
  const summary = summariseVersion(parameters.features, trained, input);
  return { weights, parameters: { ...parameters, ...(joint && { joint }) }, summary };
}

/** One version of several networks, their weights side by side. */
export function joinWeights(
  trained: readonly Pick<TrainedFeature, "network" | "params">[],
): Pick<TrainedModel, "weights"> & { readonly parameters: { readonly features: readonly FeatureNetwork[] } } {
  const weights = new Float32Array(trained.reduce((sum, { params }) => sum + params.length, 0));
  let offset = 0;
  const features = trained.map(({ network, params }): FeatureNetwork => {
    weights.set(params, offset);
    offset += params.length;
    return { ...network, offset: offset - params.length, size: params.length };
  });
  return { weights, parameters: { features } };
}

/** mulberry32 (Tommy Ettinger). Not sfc32 of the workers: the shapes that a seed draws must not change. */
export function seededUniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
