// Training of a fleet: per feature, one network on the standardised windows of all series, and pooled tails.
import type { Series } from "../../../../wasm/protocol.ts";
import { TorusError } from "../../../core/errors.ts";
import { reportPart } from "../../../core/job.ts";
import { FIRST_POINTS } from "../../../core/model/cold-start.ts";
import type { Feature } from "../../../core/model/feature.ts";
import { usualTrials } from "../../../core/model/model.ts";
import { countPresent, type Grid } from "../../../core/series/grid.ts";
import { finishInSteps } from "../../../runtime/steps.ts";
import { timelineOf } from "../../detectors/timeline.ts";
import type { Context, FleetTrainInput, TrainedModel } from "../../kind.ts";
import { clipForTraining, measure, standardise } from "../../series.ts";
import { trimForFeature, trimToExtent } from "../../stats/extent.ts";
import { pickEvenly } from "../../stats/indices.ts";
import { fitTail } from "../../stats/tail.ts";
import { absentNetwork, pointsForNetwork } from "../absent-network.ts";
import type { Conditions } from "../condition.ts";
import { summariseConditions, withConditions } from "../condition.ts";
import { type DonutOptions, trainOptions } from "../options.ts";
import { preparationSteps } from "../prepare-column.ts";
import { chooseWindow, type SearchResult, search } from "../search.ts";
import {
  assertEnoughData,
  assertEnoughForCompanions,
  DEFAULT_SEED,
  findValidation,
  joinWeights,
  noData,
  planFeature,
  scaleProgress,
  seededUniform,
  spanRulesOf,
  type TrainedFeature,
} from "../train.ts";
import { fitFeatureOfSeries, newest, seriesBudget } from "./fit.ts";
import { drawIndices, type FleetPart, layoutSteps } from "./layout.ts";
import { type Pooled, poolFits } from "./pool.ts";

/** Share of the optimiser steps of a model that a fleet takes: measured, more of them find no more. */
const STEPS_SHARE = 0.25;
/** Doublings of the number of series that double the steps. */
const DOUBLINGS = 4;
/** Series that the tails are pooled of: their quantiles change little with more. */
const MAX_POOLED = 24;
/** Series of a training: of more, each would have hardly a window. */
export const MAX_TRAINED_SERIES = 500;
/** Share of the search in the work of the networks. */
const SEARCH_SHARE = 0.75;
/** The input of a fleet's network. */
const STANDARDISED = { mean: 0, deviation: 1 };

interface Deps {
  readonly options: DonutOptions;
  readonly context: Context;
}

/** @throws TorusError `no_data`, `too_little_data`, `canceled`, `worker_crashed` */
export async function trainFleet(whole: FleetTrainInput, { options, context }: Deps): Promise<TrainedModel> {
  const input = drawSeries(whole);
  const { features } = input.settings;
  const trained: TrainedFeature[] = [];
  const sizes: Size[] = [];
  for (const [index, feature] of features.entries()) {
    const scaled = scaleProgress(context, index, features.length);
    const prepared = await prepareSeries(input, feature, context.signal);
    sizes.push({ series: prepared.length, points: prepared.reduce((sum, { points }) => sum + points, 0) });
    trained.push(await trainFeature(input, feature, { prepared, options, context: scaled }));
  }
  const { weights, parameters } = joinWeights(trained);
  return { weights, parameters, summary: summarise(trained, sizes) };
}

interface Size {
  readonly series: number;
  readonly points: number;
}

/** Of more series than a training makes use of, some by the seed. */
function drawSeries(input: FleetTrainInput): FleetTrainInput {
  const { series, excluded, overrides } = input;
  const random = seededUniform(overrides.seed ?? DEFAULT_SEED);
  const drawn = drawIndices(series.length, MAX_TRAINED_SERIES, random);
  return {
    ...input,
    series: drawn.map((i) => series[i]!),
    ...(excluded && { excluded: drawn.map((i) => excluded[i] ?? []) }),
  };
}

interface PreparedSeries {
  /** Of the feature, without the empty intervals at both ends. */
  readonly grid: Grid;
  /** Standardised by itself, without conditions. */
  readonly series: Series;
  readonly validationFrom: number;
  /** Points to train on, and all of them. */
  readonly points: number;
  readonly known: number;
  readonly outliers: number;
  readonly excluded: NonNullable<FleetTrainInput["excluded"]>[number];
}

/** The columns of the series that have any data, in their order. */
async function prepareSeries(
  { settings, series, excluded = [] }: FleetTrainInput,
  feature: Feature,
  signal: AbortSignal,
): Promise<readonly PreparedSeries[]> {
  const prepared: PreparedSeries[] = [];
  for (const [i, whole] of series.entries()) {
    const extent = trimToExtent(whole, settings.features);
    const grid = extent && trimForFeature(newest(extent), feature);
    if (!grid) continue;
    const own = { settings, grid, excluded: excluded[i] ?? [] };
    const steps = preparationSteps(own, feature, timelineOf(settings, grid));
    const { column, observed, outliers } = await finishInSteps(steps, signal);
    const points = countPresent(column);
    if (points === 0) continue;
    prepared.push({
      grid,
      series: clipForTraining(standardise(column, measure(column))),
      validationFrom: findValidation(column, 1),
      points,
      known: countPresent(observed),
      outliers,
      excluded: own.excluded,
    });
  }
  if (prepared.length === 0) throw noDataOfAny(series, feature);
  return prepared;
}

function noDataOfAny(series: readonly Grid[], feature: Feature): TorusError {
  const [first] = series;
  if (first) return noData(first, feature);
  return new TorusError("no_data", "the fleet has no series: check the bucket, the tags and the dates", {
    found: 0,
  });
}

interface FeatureDeps extends Deps {
  readonly prepared: readonly PreparedSeries[];
}

async function trainFeature(
  input: FleetTrainInput,
  feature: Feature,
  deps: FeatureDeps,
): Promise<TrainedFeature> {
  const { context } = deps;
  const searching = reportPart(context.onProgress, { from: 0, to: SEARCH_SHARE });
  const found = await findNetwork(input, feature, {
    ...deps,
    context: { ...context, onProgress: searching },
  });
  const { shape, loss, params, conditions } = found;
  const network = { name: feature.name, shape, standardisation: STANDARDISED, loss };
  const conditioned = { ...network, ...(conditions && { conditions }) };
  const pooled = await pool(input, feature, { ...deps, network: conditioned, params });
  const outliers = deps.prepared.reduce((sum, series) => sum + series.outliers, 0);
  return { network: { ...conditioned, ...pooled }, params, outliers };
}

type FoundNetwork = SearchResult & { readonly conditions?: Conditions | undefined };

async function findNetwork(
  input: FleetTrainInput,
  feature: Feature,
  { prepared, options, context }: FeatureDeps,
): Promise<FoundNetwork> {
  const { settings, overrides } = input;
  const rules = spanRulesOf(settings);
  const longest = prepared.reduce((most, series) => (series.points > most.points ? series : most));
  const { window, shortest } = chooseWindow(rules, medianPoints(prepared));
  const total = prepared.reduce((sum, { points }) => sum + (points >= 2 * window ? points : 0), 0);
  assertEnoughForCompanions(longest.known, feature);
  if (settings.detector === "auto" && total < pointsForNetwork(rules))
    return absentNetwork(valuesOf(longest.series), longest.points, rules);
  assertEnoughData(longest.known, shortest, feature);
  const { conditions, ...start } = planFeature({ settings, grid: longest.grid, overrides }, feature, {
    window,
    usual: usualTrials.fleet,
  });
  const seed = overrides.seed ?? DEFAULT_SEED;
  const { window: length } = start.shapes[0]!;
  const parts = prepared.map(({ grid, series, validationFrom }): FleetPart => {
    const startOf = (from: number) => ({ ...grid, startAt: grid.startAt + from * grid.intervalMs });
    return {
      series,
      validationFrom: Math.max(length, validationFrom),
      complete: (stretch, from) => withConditions(stretch, conditions, startOf(from)),
    };
  });
  const layoutOf = layoutSteps(parts, { window: length, random: seededUniform(seed) });
  const layout = await finishInSteps(layoutOf, context.signal);
  if (!layout) throw tooShort(longest, length, feature);
  const training = trainOptions(
    { ...options, steps: stepsOf(options.steps, prepared.length) },
    layout.validationFrom,
    overrides.epochs,
  );
  const result = await search({ ...start, ...layout, options: training, seed }, context);
  return { ...result, conditions };
}

/** NaN = missing. */
function valuesOf({ values, observed }: Series): Float64Array {
  return Float64Array.from(values, (value, i) => (observed[i] === 1 ? value : Number.NaN));
}

/** Grows with the logarithm of the number of series. */
export function stepsOf(steps: number, series: number): number {
  return Math.round(STEPS_SHARE * steps * (1 + Math.log2(series) / DOUBLINGS));
}

function medianPoints(prepared: readonly PreparedSeries[]): number {
  const sorted = prepared.map(({ points }) => points).sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

function tooShort({ points }: PreparedSeries, window: number, { name }: Feature): TorusError {
  const message = `too little data for feature ${name}: no series holds a span of ${window} intervals: train on a longer range, or lower span`;
  return new TorusError("too_little_data", message, { found: points, needed: 2 * window });
}

/** Tails of series from all over the list. */
async function pool(
  { settings }: FleetTrainInput,
  feature: Feature,
  {
    network,
    params,
    prepared,
    ...deps
  }: FeatureDeps & Pick<TrainedFeature, "params"> & { network: Omit<TrainedFeature["network"], "tail"> },
): Promise<Pooled> {
  const whole = { ...network, tail: fitTail(Float64Array.of(0)), offset: 0, size: params.length };
  const usable = prepared.filter(({ known }) => known >= FIRST_POINTS);
  const median = medianPoints(prepared);
  const typical = usable.filter(({ points }) => points >= median);
  const fits: Pick<Pooled, "tail">[] = [];
  const picked = pickEvenly(typical.length, MAX_POOLED);
  const report = reportPart(deps.context.onProgress, { from: SEARCH_SHARE, to: 1 });
  for (const [done, k] of picked.entries()) {
    const max_series = picked.length;
    report({ phase: "calibrate", series: done, max_series, fraction: done / max_series });
    const { grid, excluded } = typical[k]!;
    const own = { settings, grid, excluded };
    const budget = { ...seriesBudget(grid.intervalMs), forecast: "none" } as const;
    const { fitted } = await fitFeatureOfSeries(own, feature, { network: whole, params, budget, ...deps });
    fits.push(fitted);
  }
  return poolFits(fits);
}

function summarise(trained: readonly TrainedFeature[], sizes: readonly Size[]): TrainedModel["summary"] {
  const networks = trained.filter(({ params }) => params.length > 0).map(({ network }) => network);
  const loss = networks.reduce((sum, network) => sum + network.loss, 0) / networks.length;
  return {
    ...(networks.length > 0 && { loss }),
    span: Math.max(...trained.map(({ network }) => network.shape.window)),
    series_trained: Math.max(...sizes.map(({ series }) => series)),
    points: Math.max(...sizes.map(({ points }) => points)),
    conditions: summariseConditions(trained.map(({ network }) => network)),
    outliers: trained.reduce((sum, { outliers }) => sum + outliers, 0),
  };
}
