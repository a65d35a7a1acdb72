// Weights of the members of a combination, by their errors in a backtest; pure.

/** Exponent of the inverse errors: an eighth more error halves the weight, so that clearly worse forecasts drop out. */
const SHARPNESS = 6;
/** Weights below are not worth the computation. */
const MIN_WEIGHT = 0.03;
const MIN_ERROR = 1e-12;

/**
 * Weights that add up to 1.
 * @param errors mean absolute errors; not finite = unknown, with weight 0 if others are known
 * @param favour prior weights; default 1
 */
export function weightsOfErrors(
  errors: readonly number[],
  favour: readonly number[] = [],
): readonly number[] {
  const finite = errors.filter(Number.isFinite);
  if (finite.length === 0) return normalise(errors.map((_, i) => favour[i] ?? 1));
  const least = Math.max(MIN_ERROR, Math.min(...finite));
  const raw = errors.map((error, i) =>
    Number.isFinite(error) ? (favour[i] ?? 1) * (least / Math.max(least, error)) ** SHARPNESS : 0,
  );
  return dropSmall(normalise(raw));
}

/** Drops small weights, except the largest. */
export function dropSmall(weights: readonly number[]): readonly number[] {
  const bound = Math.min(MIN_WEIGHT, Math.max(...weights));
  return normalise(weights.map((weight) => (weight < bound ? 0 : weight)));
}

function normalise(weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Weighted mean at each index, over the forecasts with a value there; NaN without any. */
export function combine(forecasts: readonly ArrayLike<number>[], weights: readonly number[]): Float64Array {
  return Float64Array.from({ length: forecasts[0]?.length ?? 0 }, (_, k) => {
    let [sum, weight] = [0, 0];
    for (const [i, forecast] of forecasts.entries()) {
      const value = forecast[k]!;
      if (!Number.isFinite(value) || weights[i] === 0) continue;
      sum += weights[i]! * value;
      weight += weights[i]!;
    }
    return weight > 0 ? sum / weight : Number.NaN;
  });
}
