// Single jumps of a column, as an upload or a deletion: what lies before them is moved to the level after them; pure.
import { areCycles, isStepped } from "./envelope.ts";
import { findJumps, type Jump } from "./jumps.ts";
import { median, quantile } from "./numbers.ts";

/** Most of them in a column: more are how it goes. */
const MOST = 3;
/** Least rise, as a share of the range: smaller ones may be steps like others that noise hides. */
const MIN_RISE = 0.15;
/** Share of the column on either side whose level tells the size of a jump. */
const SIDE = 1 / 20;

/** The column as if each single jump had been before its first value. @param column without NaN. @param perDay values of a day */
export function withoutSingleJumps(column: Float64Array, perDay: number): Float64Array {
  const jumps = findJumps(column, perDay);
  const drops = jumps.filter(({ size }) => size < 0);
  const rises = jumps.filter(({ size }) => size > 0);
  const least = MIN_RISE * (quantile(column, 0.99) - quantile(column, 0.01));
  const isCourse = { drops: areCycles(drops), rises: rises.length > MOST || isStepped(column, rises) };
  const single = jumps.filter(({ size }) => (size < 0 ? !isCourse.drops : !isCourse.rises && size > least));
  if (single.length === 0 || single.length > MOST) return column;
  const moved = column.slice();
  for (const jump of single) {
    const size = sizeOf(column, jump, jumps);
    for (let i = 0; i < jump.index; i++) moved[i]! += size;
  }
  return moved;
}

function sizeOf(column: Float64Array, { index }: Jump, jumps: readonly Jump[]): number {
  const before = Math.max(0, ...jumps.map((other) => other.index).filter((at) => at < index));
  const after = Math.min(column.length, ...jumps.map((other) => other.index).filter((at) => at > index));
  const width = Math.max(1, Math.min(Math.floor(SIDE * column.length), index - before, after - index));
  const steps = Array.from({ length: 2 * width }, (_, k) => index - width + k)
    .filter((i) => i > before && i < after && i !== index)
    .map((i) => column[i]! - column[i - 1]!);
  const drift = steps.reduce((sum, step) => sum + step, 0) / Math.max(1, steps.length);
  return (
    median(column.subarray(index, index + width)) -
    median(column.subarray(index - width, index)) -
    drift * width
  );
}
