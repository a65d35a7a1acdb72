// Scales in which a history is followed, and which of them its breaks are in; pure.
import { type Decomposition, meanDistance } from "./decompose.ts";

/** Values whose logarithms are followed grow by shares, and are above 0. */
export const scales = ["linear", "log"] as const;
export type Scale = (typeof scales)[number];

/** Price of a segment, in logarithms of likelihood. */
const SEGMENT_PRICE = { fixed: 5, perLog: 2 };

/** From a scale to the values. */
export function toDataOf(scale: Scale): (value: number) => number {
  return scale === "log" ? Math.exp : (value) => value;
}

/** From the values to a scale. */
export function inScale(column: Float64Array, scale: Scale): Float64Array {
  return scale === "log" ? column.map(Math.log) : column;
}

/**
 * How much more likely a decomposition of logarithms makes the values than one of themselves, as a logarithm: above 0
 * where season and noise are shares of a level that changes. Errors are exponential on both sides (Laplace).
 * @param column values above 0; NaN = missing
 */
export function gainByShares(column: Float64Array, linear: Decomposition, log: Decomposition): number {
  const logs = inScale(column, "log");
  const present = logs.filter(Number.isFinite);
  const count = present.length;
  const price = SEGMENT_PRICE.fixed + SEGMENT_PRICE.perLog * Math.log(count);
  const unlikely = (part: Decomposition, own: Float64Array) =>
    count * Math.log(meanDistance(part, own) + Number.MIN_VALUE) + price * part.segments.length;
  // Of the change of units, which logarithms shrink.
  const units = present.reduce((sum, value) => sum + value, 0);
  return unlikely(linear, column) - unlikely(log, logs) - units;
}
