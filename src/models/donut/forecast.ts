// Forecasts of a trained version; the network runs in a worker if it is a member of the combination.
import type { ForecastTask, Series } from "../../../wasm/protocol.ts";
import type { Grid } from "../../core/series/grid.ts";
import { baselineOf, followBaseline } from "../baseline/baseline.ts";
import { heldAt } from "../baseline/trend.ts";
import { timelineOf } from "../detectors/timeline.ts";
import { boundsOf, clampTo, type Limits } from "../forecasters/bounds.ts";
import { createSeries, withPeriods } from "../forecasters/local-time.ts";
import { type FeatureForecast, needsNetwork, predictFeature } from "../forecasters/predict.ts";
import { addTrend, measureTrend } from "../forecasters/trend.ts";
import type { Context, Forecast, ForecastInput, TrainedModel } from "../kind.ts";
import { standardise, toModelColumn } from "../series.ts";
import { toBand } from "./band.ts";
import { encodeConditions } from "./condition.ts";
import { historyOf } from "./evaluate.ts";
import { usualValues } from "./network-pass.ts";
import { type DonutOptions, predictOptions } from "./options.ts";
import { type FeatureNetwork, networksOf, paramsOf } from "./parameters.ts";
import { forecastLength } from "./slices.ts";

/** Values of history that a forecast reads at most, over all features. */
const MAX_VALUES = 2_000_000;

interface Deps {
  readonly options: DonutOptions;
  readonly context: Context;
}

/** Intervals of history of a forecast. */
export function forecastHistoryOf(model: TrainedModel): number {
  const networks = networksOf(model);
  const wanted = Math.max(...networks.map(({ forecast }) => forecast?.history ?? 0));
  return Math.max(historyOf(model) + 1, Math.min(wanted, Math.floor(MAX_VALUES / networks.length)));
}

/**
 * Forecasts what follows the history.
 * @throws TorusError `canceled`, `worker_crashed`
 */
export async function forecastDonut(
  model: TrainedModel,
  input: ForecastInput,
  deps: Deps,
): Promise<Forecast> {
  const { history, horizon, levels } = input;
  const forecasts: [string, FeatureForecast][] = [];
  for (const network of networksOf(model)) {
    const feature = input.settings.features.find((candidate) => candidate.name === network.name);
    const column = toModelColumn(history.columns[network.name]!, feature?.default);
    const params = paramsOf(model, network);
    forecasts.push([
      network.name,
      await forecastFeature(network, params, { column, limits: feature ?? {}, input, ...deps }),
    ]);
  }
  const startAt = history.startAt + history.length * history.intervalMs;
  const grid: Grid = { startAt, intervalMs: history.intervalMs, length: horizon, columns: {} };
  const byFeature = <T>(of: (forecast: FeatureForecast) => T) =>
    Object.fromEntries(forecasts.map(([name, forecast]) => [name, of(forecast)]));
  const band = (k: number) => ({
    lower: byFeature(({ bands }) => bands[k]!.lower),
    upper: byFeature(({ bands }) => bands[k]!.upper),
  });
  const predicted = byFeature((forecast) => forecast.predicted);
  return { grid, predicted, ...band(0), bands: levels.map((_, k) => band(k + 1)) };
}

interface FeatureInput extends Deps {
  readonly column: Float64Array;
  readonly limits: Limits;
  readonly input: ForecastInput;
}

/** Forecasts one feature; the band of `level` comes first, then those of `levels`. */
async function forecastFeature(
  network: FeatureNetwork,
  params: Float32Array,
  feature: FeatureInput,
): Promise<FeatureForecast> {
  const { column, limits, input } = feature;
  const { forecast } = network;
  const levels = [input.level, ...input.levels];
  if (!forecast) return bandGaussian(network, await runNetwork(network, params, feature), { levels, limits });
  const timeline = timelineOf(input.settings, input.history);
  const series = withPeriods(createSeries(column, timeline), forecast);
  const ahead = async (clean: Float64Array) =>
    (await runNetwork(network, params, { ...feature, column: clean })).mean;
  const query = {
    series,
    timeline,
    horizon: input.horizon,
    levels,
    limits,
    network: needsNetwork(forecast) ? ahead : undefined,
  };
  return predictFeature(forecast, query, feature.context.signal);
}

interface NetworkForecast {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

/** Runs the network in slices; each takes the forecast of the one before as observed. */
async function runNetwork(
  network: FeatureNetwork,
  params: Float32Array,
  { column, input, options, context }: FeatureInput,
): Promise<NetworkForecast> {
  const { shape, standardisation } = network;
  const { horizon, history } = input;
  const baseline = baselineAt(network, column, input);
  const step = forecastLength(shape, options);
  const mean = new Float64Array(horizon);
  const deviation = new Float64Array(horizon);
  const { mean: center, deviation: scale } = standardisation;
  let known = standardise(baseline.end(shape.window), standardisation);
  let startAt = history.startAt + history.length * history.intervalMs;
  for (let from = 0; from < horizon; from += step) {
    const length = Math.min(step, horizon - from);
    const ahead = { startAt, intervalMs: history.intervalMs, length };
    const task = forecastTask(network, { params, known, ahead, options });
    const result = await context.compute.run(task, { lane: "prediction", signal: context.signal });
    for (let i = 0; i < length; i++) {
      mean[from + i] = result.mean[i]! * scale + center;
      deviation[from + i] = result.deviation[i]! * scale;
    }
    known = append(known, result.mean, shape.window);
    startAt += length * history.intervalMs;
  }
  return { mean: baseline.restore(mean), deviation };
}

/**
 * The baseline of the training, followed to the origin: removed from the history, restored in the forecast. From the
 * origin on the trend of the forecast goes on, as among the other members; without one that of the training does.
 */
function baselineAt(
  network: FeatureNetwork,
  column: Float64Array,
  { settings, history, horizon }: ForecastInput,
) {
  const { trend, ensemble, forecast } = network;
  const timeline = timelineOf(settings, history);
  const trainedAt = trend?.fromAt ?? ensemble?.history?.endAt ?? Number.POSITIVE_INFINITY;
  const from = Math.max(
    0,
    Math.min(history.length, Math.round((trainedAt - history.startAt) / history.intervalMs)),
  );
  const usual = usualValues(network, timeline);
  const followed = followBaseline(network, { column, timeline, from, usual }, undefined);
  const startAt = history.startAt + history.length * history.intervalMs;
  const line =
    forecast?.trend &&
    measureTrend(forecast.trend, withPeriods(createSeries(column, timeline), forecast), history.length);
  const last = trend && { ...trend, ...followed.memory.trend!.segments.at(-1)! };
  const ahead = { ...network, ...(last && { trend: line ? heldAt(last, startAt) : last }) };
  const { restore } = baselineOf(ahead, { ...timeline, startAt }, horizon);
  const offset = followed.memory.level?.levels.at(-1)?.[1] ?? 0;
  return {
    /** The last intervals of the history, flattened. */
    end: (length: number) => followed.flatten(column).slice(-length),
    restore: (mean: Float64Array) => {
      const whole = restore(mean.map((value) => value + offset));
      return line ? addTrend(line, whole, [...mean.keys()]) : whole;
    },
  };
}

interface ForecastSlice {
  readonly params: Float32Array;
  /** Window before the slice, standardised. */
  readonly known: Series;
  readonly ahead: Pick<Grid, "startAt" | "intervalMs" | "length">;
  readonly options: DonutOptions;
}

function forecastTask(
  { shape, conditions }: FeatureNetwork,
  { params, known, ahead, options }: ForecastSlice,
): ForecastTask {
  return {
    kind: "forecast",
    shape,
    params,
    series: known,
    horizon: ahead.length,
    conditionsAhead: encodeConditions(conditions, ahead),
    options: predictOptions(options),
  };
}

/** Appends the forecast, and keeps the last `width` points. */
function append({ values, observed }: Series, forecast: Float32Array, width: number): Series {
  const joined = new Float32Array(values.length + forecast.length);
  joined.set(values);
  joined.set(forecast, values.length);
  const flags = new Uint8Array(joined.length).fill(1);
  flags.set(observed);
  return { values: joined.slice(-width), observed: flags.slice(-width) };
}

/** Forecast of versions without `forecast` parameters: the distribution of the network, widened. */
function bandGaussian(
  { forecastWidening = 1 }: FeatureNetwork,
  { mean, deviation }: NetworkForecast,
  { levels, limits }: { readonly levels: readonly number[]; readonly limits: Limits },
): FeatureForecast {
  const bounds = boundsOf({ nonNegative: false }, limits, mean);
  const widened = deviation.map((value) => value * forecastWidening);
  const bands = levels.map((level) => {
    const { lower, upper } = toBand({ mean, deviation: widened }, level);
    return { lower: clampTo(bounds, lower), upper: clampTo(bounds, upper) };
  });
  return { predicted: clampTo(bounds, mean), bands };
}
