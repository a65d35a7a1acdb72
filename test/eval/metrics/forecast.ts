// Measures of forecasts: MASE relative to repeating the day before, and coverage of bands.

/** Forecast and observed values; equally long, NaN where not observed. */
export interface Forecast {
  readonly predicted: ArrayLike<number>;
  readonly observed: ArrayLike<number>;
}

/** Mean absolute change over one season; NaN pairs are left out. Undefined where no pair is whole, or nothing changes. */
export function seasonalScale(values: ArrayLike<number>, season: number): number | undefined {
  const changes = [];
  for (let i = season; i < values.length; i++) changes.push(Math.abs(values[i]! - values[i - season]!));
  const scale = meanOf(changes.filter(Number.isFinite));
  return scale !== undefined && scale > 0 ? scale : undefined;
}

/** Mean absolute error over all points of all forecasts, in units of `scale`; undefined where nothing came. */
export function mase(forecasts: readonly Forecast[], scale: number): number | undefined {
  const errors = forecasts.flatMap(({ predicted, observed }) =>
    Array.from(predicted, (value, i) => Math.abs(value - observed[i]!)),
  );
  const error = meanOf(errors.filter(Number.isFinite));
  return error === undefined ? undefined : error / scale;
}

/** Edges of a prediction band and observed values; equally long, NaN where not observed. */
export interface Band {
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  readonly observed: ArrayLike<number>;
}

/** Share of the observed values within the band, edges included; undefined without any. */
export function coverage(bands: readonly Band[]): number | undefined {
  const inside = bands.flatMap(({ lower, upper, observed }) =>
    Array.from(observed, (value, i) => {
      if (!Number.isFinite(value)) return Number.NaN;
      return value >= lower[i]! && value <= upper[i]! ? 1 : 0;
    }),
  );
  return meanOf(inside.filter(Number.isFinite));
}

export function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
