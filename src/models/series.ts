// Model input: columns of a grid with defaults filled in, standardised, missing points masked.
import type { Series } from "../../wasm/protocol.ts";
import type { Feature } from "../core/model/feature.ts";
import { clampToBounds, outlierBounds } from "./stats/outliers.ts";

/** Location and scale of a series over its training part; the input of the network is (x - mean) / deviation. */
export interface Standardisation {
  readonly mean: number;
  readonly deviation: number;
}

/** Range of magnitudes: squares and quotients of larger or smaller ones overflow. */
const MAX_MAGNITUDE = 1e150;
const MIN_MAGNITUDE = 1e-150;

/** Column as a model reads it: defaults filled in, magnitudes limited. */
export function toModelColumn(column: Float64Array, fallback: Feature["default"]): Float64Array {
  return boundMagnitudes(fillDefault(column, fallback));
}

function boundMagnitudes(column: Float64Array): Float64Array {
  const isOutside = (value: number) =>
    Math.abs(value) > MAX_MAGNITUDE || (Math.abs(value) < MIN_MAGNITUDE && value !== 0);
  if (!column.some(isOutside)) return column;
  return column.map((value) => {
    if (!isOutside(value)) return value;
    return Math.abs(value) < MIN_MAGNITUDE ? 0 : Math.sign(value) * MAX_MAGNITUDE;
  });
}

/** Fills empty intervals with the feature's `default`: a number, the previous value, or nothing. */
export function fillDefault(column: Float64Array, fallback: Feature["default"]): Float64Array {
  if (fallback === undefined || fallback === null) return column;
  let previous = Number.NaN;
  return column.map((value) => {
    if (!Number.isNaN(value)) previous = value;
    else if (fallback !== "previous") return fallback;
    return previous;
  });
}

/** Deviation of a constant series, as a share of its magnitude. */
const CONSTANT_SHARE = 1e-3;

/**
 * Mean and standard deviation of the present values, with outliers clamped to their bounds. The deviation of a constant
 * series is a small part of its magnitude: what never moved is odd once it does.
 */
export function measure(column: Float64Array): Standardisation {
  const bounds = outlierBounds(column);
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const present of column) {
    if (!Number.isFinite(present)) continue;
    const value = clampToBounds(present, bounds);
    // Welford's update, stable for large means.
    count++;
    const delta = value - mean;
    mean += delta / count;
    squares += delta * (value - mean);
  }
  const deviation = Math.sqrt(squares / Math.max(1, count));
  return {
    mean,
    deviation:
      deviation > 1e-12 * Math.abs(mean) && deviation > 0
        ? deviation
        : CONSTANT_SHARE * (Math.abs(mean) || 1),
  };
}

/** Limit of standardised values, so that one extreme point cannot dominate a window. */
export const MAX_STANDARDISED = 50;

/** Limit of standardised values in training, so that outliers do not dominate the loss. */
const MAX_TRAINED = 8;

/** Clips a series for training. */
export function clipForTraining({ values, observed }: Series): Series {
  return { values: values.map((z) => Math.max(-MAX_TRAINED, Math.min(MAX_TRAINED, z))), observed };
}

/** Standardises a column; missing intervals are 0 and not observed. */
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
