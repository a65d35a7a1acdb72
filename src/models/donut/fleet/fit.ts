// Fit of one series to the networks of a fleet: all that a version has but the weights, for a fraction of their cost.
import type { Feature } from "../../../core/model/feature.ts";
import { countPresent, type Grid, sliceGrid } from "../../../core/series/grid.ts";
import { DAY_MS } from "../../../core/time/time.ts";
import { finishInSteps } from "../../../runtime/steps.ts";
import { compact, precisionOf } from "../../compact.ts";
import { timelineOf } from "../../detectors/timeline.ts";
import type { Context, SeriesFit, TrainedModel, TrainInput } from "../../kind.ts";
import { measure, standardise } from "../../series.ts";
import { trimForFeature, trimToExtent } from "../../stats/extent.ts";
import { absentNetwork, answerAbsent, isNetworkAbsent } from "../absent-network.ts";
import { withConditions } from "../condition.ts";
import { type FitBudget, fitFeature } from "../fit.ts";
import { fitJoint, type TrainedColumn } from "../joint/fit.ts";
import type { DonutOptions } from "../options.ts";
import { type FeatureNetwork, networksOf, paramsOf } from "../parameters.ts";
import { preparationSteps } from "../prepare-column.ts";
import type { SearchResult } from "../search.ts";
import { assertEnoughForCompanions, findValidation, noData } from "../train.ts";
import { priorOf } from "./pool.ts";
import type { SeriesFeature } from "./series.ts";

/** Most intervals of a series, from its end: two weeks of minutes, ten weeks of five minutes. */
const MAX_INTERVALS = 20_160;
/** Days whose rhythm a fit knows: what recurs by the clock needs five of them. */
const RANKED_DAYS = 7;
/** Least and most intervals of those days: of hours a week is too few, and the work grows with each. */
const LEAST_RANKED = 1200;
const MOST_RANKED = 10_080;

/** Less than the fit of a model, which takes its whole range; on labelled series the verdicts are as good. */
export function seriesBudget(intervalMs: number): FitBudget {
  const week = Math.ceil((RANKED_DAYS * DAY_MS) / intervalMs);
  const ranked = Math.min(MOST_RANKED, Math.max(LEAST_RANKED, week));
  return { ranked, forecast: { origins: 6, passes: 1 } };
}

/** Least length of a series for the network, in windows: the points before the first are imputed. */
const NETWORK_SHARE = 1;

export type SeriesInput = Omit<TrainInput, "overrides">;

interface Deps {
  readonly options: DonutOptions;
  readonly context: Context;
}

/** @throws TorusError `no_data`, `too_little_data`, `canceled`, `worker_crashed` */
export async function fitSeries(shared: TrainedModel, input: SeriesInput, deps: Deps): Promise<SeriesFit> {
  const { settings } = input;
  const grid = trimToExtent(input.grid, settings.features);
  if (!grid) throw noData(input.grid, settings.features[0]!);
  const own = { ...input, grid: newest(grid) };
  const fits: FittedFeature[] = [];
  for (const [i, network] of networksOf(shared).entries()) {
    const params = paramsOf(shared, network);
    fits.push(await fitFeatureOfSeries(own, settings.features[i]!, { network, params, ...deps }));
  }
  const features = fits.map(({ fitted }) => fitted);
  const joint = await fitJoint(fits, own.grid, deps.context.signal);
  return { parameters: { features, ...(joint && { joint }) } };
}

/** The end of a series, of which a fit makes use. */
export function newest(grid: Grid): Grid {
  return sliceGrid(grid, Math.max(0, grid.length - MAX_INTERVALS), grid.length);
}

export interface FittedFeature extends TrainedColumn {
  readonly fitted: SeriesFeature;
}

interface FeatureDeps extends Deps {
  readonly network: FeatureNetwork;
  /** Its weights. */
  readonly params: Float32Array;
  /** Default: `seriesBudget` of the interval. */
  readonly budget?: FitBudget;
}

/**
 * Fits one feature.
 * @param deps network of the fleet; without pooled tails, the series is fitted by itself
 */
export async function fitFeatureOfSeries(
  input: SeriesInput,
  feature: Feature,
  { network, params, options, context, budget = seriesBudget(input.grid.intervalMs) }: FeatureDeps,
): Promise<FittedFeature> {
  const grid = trimForFeature(input.grid, feature);
  if (!grid) throw noData(input.grid, feature);
  const timeline = timelineOf(input.settings, grid);
  const trimmed = { ...input, grid };
  const prepared = await finishInSteps(preparationSteps(trimmed, feature, timeline), context.signal);
  assertEnoughForCompanions(countPresent(prepared.observed), feature);
  const { column, baseline } = prepared;
  const standardisation = measure(column);
  const found = networkFor(column, network, { params, settings: input.settings });
  const isAlone = found.params.length === 0;
  const flat = standardise(column, standardisation);
  const validationFrom = Math.min(findValidation(column, 1), column.length - 1);
  const fitted = await fitFeature(
    {
      input: trimmed,
      feature,
      timeline,
      ...prepared,
      standardisation,
      series: isAlone ? flat : withConditions(flat, network.conditions, grid),
      validationFrom,
      options,
      window: found.shape.window,
      found,
      budget,
      prior: priorOf(network),
    },
    answerAbsent(context),
  );
  const loss = isAlone ? found.loss : meanOf(fitted.tail.quantiles);
  const rest = compact({ ...baseline, ...fitted }, precisionOf(prepared.observed, standardisation.deviation));
  const named = { name: feature.name, standardisation, loss, ...rest };
  const own = isAlone ? { ...named, window: found.shape.window } : named;
  return { fitted: own, startAt: grid.startAt, column, standardisation };
}

/** The network of the fleet; none for a series that is too short. */
function networkFor(
  column: Float64Array,
  network: FeatureNetwork,
  { params, settings }: { params: Float32Array; settings: TrainInput["settings"] },
): SearchResult {
  const { shape } = network;
  const points = countPresent(column);
  const span = typeof settings.span === "number" ? settings.span : undefined;
  const alone = absentNetwork(column, points, { span });
  if (isNetworkAbsent(network) || column.length < NETWORK_SHARE * shape.window) return alone;
  return { shape, params, loss: network.loss };
}

/** Of the quantiles of the nll: it identifies the fit, as the loss of a network identifies its training. */
function meanOf(quantiles: readonly number[]): number {
  return quantiles.reduce((sum, value) => sum + value, 0) / quantiles.length;
}
