// Forecasts of the simple members around a trend, which is measured at each origin; pure.
import { predictSimple, type Series, type SimpleMember, type Targets } from "./members.ts";
import { addTrend, type ForecastTrend, flattenTrend, measureTrend } from "./trend.ts";

/** A series as it is known at an origin: without its trend there. */
interface View {
  readonly series: Series;
  readonly restore: (forecast: Float64Array) => Float64Array;
}

/** One forecast per member and origin, from the points before it; NaN without any. @param trend absent: none is removed */
export function predictMembers(
  members: readonly SimpleMember[],
  series: Series,
  { targets, trend }: { readonly targets: Targets; readonly trend?: ForecastTrend | undefined },
): readonly (readonly Float64Array[])[] {
  if (!trend) return members.map((member) => predictSimple(member, series, targets));
  const { origins, leads } = targets;
  const views = origins.map((origin) => viewAt(series, { origin, leads }, trend));
  return members.map((member) =>
    origins.map((origin, k) => {
      const [forecast] = predictSimple(member, views[k]!.series, { origins: [origin], leads });
      return views[k]!.restore(forecast!);
    }),
  );
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
