// Special values: NaN, infinities and stale markers by their bits; PromQL reads them, other readers see no value.
import { staleBits } from "../../core/series/samples.ts";

/** Of the two NaN that are values, as in Prometheus; any other NaN stands for a text or a boolean. */
const bits = { nan: { high: 0x7ff80000, low: 1 }, stale: staleBits } as const;

export type SpecialNaN = keyof typeof bits;

/** The bits of values, two numbers each, little-endian: a copy of a NaN as a number may lose its bits. */
export function halvesOf({ buffer, byteOffset, length }: Float64Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length * 2);
}

export function putNaN(values: Float64Array, i: number, kind: SpecialNaN): void {
  const halves = halvesOf(values);
  halves[2 * i] = bits[kind].low;
  halves[2 * i + 1] = bits[kind].high;
}

export function isNaNOf(halves: Uint32Array, i: number, kind: SpecialNaN): boolean {
  return halves[2 * i] === bits[kind].low && halves[2 * i + 1] === bits[kind].high;
}

/** Instants of the first and the last point of a block that is not special, where they are not its ends. */
export interface Extent {
  readonly first?: number;
  readonly last?: number;
}

/** @returns undefined without special values, `[]` where all are */
export function findExtent(
  { times, values }: { readonly times: Float64Array; readonly values: Float64Array },
  others: ReadonlyMap<number, unknown>,
): Extent | [] | undefined {
  let notFinite = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! - values[i]! !== 0) notFinite++;
  if (notFinite === others.size) return undefined;
  const isSpecial = (i: number) => !Number.isFinite(values[i]) && !others.has(times[i]!);
  let [first, last] = [0, values.length - 1];
  while (first <= last && isSpecial(first)) first++;
  if (first > last) return [];
  while (isSpecial(last)) last--;
  return {
    ...(first > 0 && { first: times[first]! }),
    ...(last < values.length - 1 && { last: times[last]! }),
  };
}
