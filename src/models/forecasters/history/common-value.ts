// Common value of a history: the one that most of it has exactly, as the 0 of rare counts; pure.
import { medianOf } from "../../stats/median.ts";

/** Share of the values that have it. */
const MIN_SHARE = 0.5;
/** Distance from it that is none, as a share of the mean distance of the other values. */
const NEAR_SHARE = 0.01;

/** Forecasts that differ from the common value by nothing that anybody sees have it. @param column NaN = missing */
export function atCommonValue(forecast: Float64Array, column: Float64Array): Float64Array {
  const present = column.filter(Number.isFinite);
  const common = medianOf(present);
  const others = present.filter((value) => value !== common);
  if (others.length > (1 - MIN_SHARE) * present.length) return forecast;
  const distance = others.reduce((sum, value) => sum + Math.abs(value - common) / others.length, 0);
  return forecast.map((value) => (Math.abs(value - common) < NEAR_SHARE * distance ? common : value));
}
