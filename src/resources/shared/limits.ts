// Caps on what one request may ask for; each is named in the error, before anything is read.
import type { ExploreLimits } from "../../buckets/kind.ts";

export interface Limits {
  /** Points of one `_write`. */
  readonly pointsPerWrite: number;
  /** Values of one read, backtest or training: intervals times features. */
  readonly valuesPerRead: number;
  /** Values of one evaluation: intervals times features; a window is scored for each. */
  readonly valuesPerEvaluation: number;
  /** Values of one forecast: intervals times features. */
  readonly valuesPerForecast: number;
  /** Points of a detection or forecast that brings them along, and intervals they reach over. */
  readonly pointsPerSeries: number;
}

export const defaultLimits: Limits = {
  pointsPerWrite: 500_000,
  valuesPerRead: 5_000_000,
  valuesPerEvaluation: 1_000_000,
  valuesPerForecast: 100_000,
  pointsPerSeries: 100_000,
};

/** How much of a data source is listed when it is explored. */
export const exploreLimits: ExploreLimits = { measurements: 50, names: 100, values: 20 };

/** Pages of an exploration: entries of one by default and at most, and the number of the last one. */
export const explorePages = { size: 100, max: 1000, last: 1_000_000 } as const;
