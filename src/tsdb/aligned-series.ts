// Aligned series: series with the same instants, such as those of one agent, whose order is computed once. Pure.
import { type BlockSlice, sizeOf } from "./cursors.ts";

/** Series with the same number of points, at the same instants, in the same number of block slices. */
export interface AlignedSeries {
  readonly series: (readonly BlockSlice[])[];
  /** Index of their first instant among those of all groups of aligned series. */
  readonly first: number;
  /** Number of their instants. */
  readonly count: number;
}

/** Groups series; each joins the series before it if it has the same instants. */
export class SeriesAligner {
  readonly groups: AlignedSeries[] = [];
  #end = 0;

  /** Number of instants of all groups. */
  get instants(): number {
    return this.#end;
  }

  add(slices: readonly BlockSlice[]): void {
    const count = sizeOf(slices);
    if (count === 0) return;
    const last = this.groups[this.groups.length - 1];
    if (last?.count === count && areAligned(last.series[0]!, slices)) {
      last.series.push(slices);
      return;
    }
    this.groups.push({ series: [slices], first: this.#end, count });
    this.#end += count;
  }
}

/** True of series cut into blocks at the same instants, as those written together are. */
function areAligned(a: readonly BlockSlice[], b: readonly BlockSlice[]): boolean {
  return a.length === b.length && a.every((slice, i) => haveSameInstants(slice, b[i]!));
}

function haveSameInstants(a: BlockSlice, b: BlockSlice): boolean {
  const { startAt, offsets, step } = a.block;
  const { startAt: otherStartAt, offsets: others, step: otherStep } = b.block;
  const length = a.to - a.from;
  if (b.to - b.from !== length) return false;
  const later = otherStartAt - startAt;
  if (offsets[a.from] !== others[b.from]! + later) return false;
  if (step !== undefined && step === otherStep) return true;
  let i = 1;
  while (i < length && offsets[a.from + i] === others[b.from + i]! + later) i++;
  return i === length;
}
