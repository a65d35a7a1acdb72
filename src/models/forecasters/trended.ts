// Forecasts of the simple members around a trend, which is measured at each origin.
import { yieldToEventLoop } from "../../runtime/steps.ts";
import { predictSimple, type Series, type SimpleMember, type Targets } from "./members.ts";
import { addTrend, type ForecastTrend, flattenTrend, measureTrend } from "./trend.ts";

/** A series as it is known at an origin: without its trend there. */
interface View {
  readonly series: Series;
  readonly restore: (forecast: Float64Array) => Float64Array;
}

interface Forecasting {
  readonly targets: Targets;
  /** Absent: none is removed. */
  readonly trend?: ForecastTrend | undefined;
}

/**
 * One forecast per member and origin, from the points before it; NaN without any. Yields to the event loop.
 * @throws TorusError `canceled`
 */
export async function predictMembers(
  members: readonly SimpleMember[],
  series: Series,
  { targets, trend }: Forecasting,
  signal: AbortSignal,
): Promise<readonly (readonly Float64Array[])[]> {
  const { origins, leads } = targets;
  const views = trend ? origins.map((origin) => viewAt(series, { origin, leads }, trend)) : undefined;
  const runs: (readonly Float64Array[])[] = [];
  for (const member of members) {
    await yieldToEventLoop(signal);
    runs.push(
      views ? await predictViews(member, views, targets, signal) : predictSimple(member, series, targets),
    );
  }
  return runs;
}

async function predictViews(
  member: SimpleMember,
  views: readonly View[],
  { origins, leads }: Targets,
  signal: AbortSignal,
): Promise<readonly Float64Array[]> {
  const forecasts: Float64Array[] = [];
  for (const [k, { series, restore }] of views.entries()) {
    await yieldToEventLoop(signal);
    const [forecast] = predictSimple(member, series, { origins: [origins[k]!], leads });
    forecasts.push(restore(forecast!));
  }
  return forecasts;
}

function viewAt(
  series: Series,
  { origin, leads }: { readonly origin: number; readonly leads: ArrayLike<number> },
  trend: ForecastTrend,
): View {
  const line = measureTrend(trend, series, origin);
  if (!line) return { series, restore: (forecast) => forecast };
  return {
    series: flattenTrend(line, series, origin),
    restore: (forecast) => addTrend(line, forecast, leads),
  };
}
