// From the columns of a grid to what a network eats: defaults filled in, standardised, missing points masked.
import type { Series } from "../../wasm/protocol.ts";
import type { Feature } from "../core/model.ts";

/** Location and scale of a series over its training part; the network only sees (x - mean) / deviation. */
export interface Standardisation {
  readonly mean: number;
  readonly deviation: number;
}

/** Puts the feature's `default` where an interval is empty: a number, the previous value, or nothing. */
export function fillDefault(column: Float64Array, fallback: Feature["default"]): Float64Array {
  if (fallback === undefined || fallback === null) return column;
  let previous = Number.NaN;
  return column.map((value) => {
    if (!Number.isNaN(value)) previous = value;
    else if (fallback !== "previous") return fallback;
    return previous;
  });
}

/** Mean and standard deviation of what is present; a constant series gets a deviation of its own magnitude. */
export function measure(column: Float64Array): Standardisation {
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const value of column) {
    if (!Number.isFinite(value)) continue;
    // Welford's update: stable also for large means.
    count++;
    const delta = value - mean;
    mean += delta / count;
    squares += delta * (value - mean);
  }
  const deviation = Math.sqrt(squares / Math.max(1, count));
  return {
    mean,
    deviation: deviation > 1e-12 * Math.abs(mean) && deviation > 0 ? deviation : Math.abs(mean) || 1,
  };
}

/** Standardised values may not leave this range: one absurd point must not own the whole network. */
export const MAX_STANDARDISED = 50;

export function standardise(column: Float64Array, { mean, deviation }: Standardisation): Series {
  const values = new Float32Array(column.length);
  const observed = new Uint8Array(column.length);
  for (let i = 0; i < column.length; i++) {
    if (!Number.isFinite(column[i])) continue;
    const z = (column[i]! - mean) / deviation;
    values[i] = Math.max(-MAX_STANDARDISED, Math.min(MAX_STANDARDISED, z));
    observed[i] = 1;
  }
  return { values, observed };
}
