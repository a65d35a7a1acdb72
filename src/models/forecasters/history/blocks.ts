// Blocks of a history: medians of stretches that grow with their age, so that the newest values stay single; pure.
import { medianOf } from "../../stats/median.ts";

/** Newest values that are blocks of their own; older blocks grow with their age. */
const SINGLE = 40;

/** Values of a block that its median is taken of. */
const MAX_SAMPLE = 20;

export interface Blocks {
  /** Index of the first value of each block; ascending. */
  readonly from: Int32Array;
  /** Index of the middle of each block. */
  readonly at: Float64Array;
  /** Median of each block; finite. */
  readonly values: Float64Array;
  /** Values of each block. */
  readonly sizes: Int32Array;
}

/** Blocks of a column, the oldest first; those without a value are left out. */
export function blocksOf(column: Float64Array): Blocks {
  const [from, at, values, sizes]: number[][] = [[], [], [], []];
  for (let end = column.length; end > 0; ) {
    const size = Math.min(end, Math.max(1, Math.floor((column.length - end) / SINGLE)));
    const value = size === 1 ? column[end - 1]! : sampledMedian(column, end - size, size);
    if (Number.isFinite(value)) {
      from!.push(end - size);
      at!.push(end - (size + 1) / 2);
      values!.push(value);
      sizes!.push(size);
    }
    end -= size;
  }
  return {
    from: Int32Array.from(from!.reverse()),
    at: Float64Array.from(at!.reverse()),
    values: Float64Array.from(values!.reverse()),
    sizes: Int32Array.from(sizes!.reverse()),
  };
}

/** Median of some of the values, evenly spread: of more of them it is hardly more certain. */
function sampledMedian(column: Float64Array, from: number, size: number): number {
  const step = Math.max(1, Math.floor(size / MAX_SAMPLE));
  if (step === 1) return medianOf(column.subarray(from, from + size));
  return medianOf(Float64Array.from({ length: Math.floor(size / step) }, (_, k) => column[from + k * step]!));
}
