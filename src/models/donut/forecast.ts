// Forecasts with a trained version: networks run in a worker, units and bands are put back here.
import type { Grid } from "../../core/grid.ts";
import type { ModelSettings } from "../../core/model.ts";
import type { Context, Prediction, TrainedModel } from "../kind.ts";
import { fillDefault, standardise } from "../series.ts";
import { type Expectation, toBands } from "./band.ts";
import { type DonutOptions, predictOptions } from "./options.ts";
import { networksOf, paramsOf } from "./parameters.ts";

export interface ForecastInput {
  readonly settings: ModelSettings;
  readonly history: Grid;
  readonly horizon: number;
  readonly level: number;
}

export async function forecastDonut(
  model: TrainedModel,
  { settings, history, horizon, level }: ForecastInput,
  { options, context }: { options: DonutOptions; context: Context },
): Promise<Prediction> {
  const features: Expectation[] = [];
  for (const network of networksOf(model)) {
    const feature = settings.features.find((candidate) => candidate.name === network.name);
    const column = fillDefault(history.columns[network.name]!, feature?.default);
    const series = standardise(column, network.standardisation);
    const task = {
      kind: "forecast" as const,
      shape: network.shape,
      params: paramsOf(model, network),
      series,
      horizon,
    };
    const result = await context.compute.run(
      { ...task, options: predictOptions(options) },
      { lane: "prediction", signal: context.signal },
    );
    const { mean: center, deviation: scale } = network.standardisation;
    features.push({
      name: network.name,
      mean: Float64Array.from(result.mean, (value) => value * scale + center),
      deviation: Float64Array.from(result.deviation, (value) => value * scale * network.forecastWidening),
    });
  }
  const startAt = history.startAt + history.length * history.intervalMs;
  const grid: Grid = { startAt, intervalMs: history.intervalMs, length: horizon, columns: {} };
  return { grid, ...toBands(features, level) };
}
