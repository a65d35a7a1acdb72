// Backtest forecasts of a trained network, from which the combination of a version is fitted.
import type { DonutShape, PredictOptions, Series } from "../../../wasm/protocol.ts";
import { type Baseline, baselineOf } from "../baseline/baseline.ts";
import type { Timeline } from "../detectors/timeline.ts";
import type { Context } from "../kind.ts";
import type { Standardisation } from "../series.ts";
import { cutSeries, leadIn } from "./calibrate.ts";

export interface PastInput {
  readonly shape: DonutShape;
  readonly params: Float32Array;
  /** The training part, standardised. */
  readonly series: Series;
  readonly standardisation: Standardisation;
  readonly options: PredictOptions;
  /** Removed from the series. */
  readonly baseline: Baseline;
  readonly timeline: Timeline;
}

/**
 * Forecasts `horizon` intervals from each origin, fewer where the series ends before, in units of the data; the network
 * reads the points before it.
 * @throws TorusError `canceled`, `worker_crashed`
 */
export async function forecastPast(
  { shape, params, series, standardisation, options, baseline, timeline }: PastInput,
  { origins, horizon }: { readonly origins: readonly number[]; readonly horizon: number },
  { compute, signal }: Context,
): Promise<readonly Float64Array[]> {
  const forecasts: Float64Array[] = [];
  for (const origin of origins) {
    const known = cutSeries(series, Math.max(0, origin - shape.window), origin);
    const history = leadIn(known, shape.window - origin);
    // The last origins lie closer to the end than a horizon.
    const reach = Math.min(horizon, series.values.length - origin);
    const ahead = cutSeries(series, origin, origin + reach).conditions;
    const { mean } = await compute.run(
      {
        kind: "forecast",
        shape,
        params,
        series: history,
        horizon: reach,
        options,
        ...(ahead && { conditionsAhead: ahead }),
      },
      { lane: "training", signal },
    );
    const flat = Float64Array.from(mean, (value) => value * standardisation.deviation + standardisation.mean);
    const startAt = timeline.startAt + origin * timeline.intervalMs;
    forecasts.push(baselineOf(baseline, { ...timeline, startAt }, reach).restore(flat));
  }
  return forecasts;
}
