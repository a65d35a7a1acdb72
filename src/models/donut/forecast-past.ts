// Backtest forecasts of a trained network, from which the combination of a version is fitted.
import type { DonutShape, PredictOptions, Series } from "../../../wasm/protocol.ts";
import { type Baseline, baselineOf } from "../baseline/baseline.ts";
import type { Timeline } from "../detectors/timeline.ts";
import type { Context } from "../kind.ts";
import type { Standardisation } from "../series.ts";
import { cutSeries, joinSeries, leadIn } from "./calibrate.ts";

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
  const { mean: center, deviation } = standardisation;
  // The last origins lie closer to the end than a horizon.
  const reachOf = (origin: number) => Math.min(horizon, series.values.length - origin);
  const forecasts = new Map<number, Float64Array>();
  for (const [reach, own] of Map.groupBy(origins, reachOf)) {
    const ahead = joinSeries(own.map((origin) => cutSeries(series, origin, origin + reach))).conditions;
    const { mean } = await compute.run(
      {
        kind: "forecast",
        shape,
        params,
        series: joinSeries(own.map((origin) => windowBefore(series, origin, shape.window))),
        count: own.length,
        horizon: reach,
        options,
        ...(ahead && { conditionsAhead: ahead }),
      },
      { lane: "training", signal },
    );
    for (const [row, origin] of own.entries()) {
      const values = mean.subarray(row * reach, (row + 1) * reach);
      const flat = Float64Array.from(values, (value) => value * deviation + center);
      const startAt = timeline.startAt + origin * timeline.intervalMs;
      forecasts.set(origin, baselineOf(baseline, { ...timeline, startAt }, reach).restore(flat));
    }
  }
  return origins.map((origin) => forecasts.get(origin)!);
}

/** The points before an origin; those before the series are missing. */
function windowBefore(series: Series, origin: number, window: number): Series {
  return leadIn(cutSeries(series, Math.max(0, origin - window), origin), window - origin);
}
