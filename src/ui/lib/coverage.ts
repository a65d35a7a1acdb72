// Stretch of a folded series that has data; pure.
type Column = readonly (number | null)[];

interface Folded {
  /** Seconds since the epoch. */
  readonly from: number;
  readonly step: number;
  readonly cells: number;
  readonly features?: Readonly<Record<string, { readonly mean: Column }>> | undefined;
}

export interface Coverage {
  /** Start of the first cell with data, and end of the last one. */
  readonly from: number;
  readonly to: number;
  /** Of the cells, 0..1. */
  readonly share: number;
}

/** @returns undefined where there is no data at all */
export function coverageOf({ from, step, cells, features = {} }: Folded): Coverage | undefined {
  const columns = Object.values(features).map(({ mean }) => mean);
  const has = (i: number) => columns.some((column) => (column[i] ?? null) !== null);
  const known = Array.from({ length: cells }, (_, i) => i).filter(has);
  if (known.length === 0) return undefined;
  return {
    from: from + known[0]! * step,
    to: from + (known.at(-1)! + 1) * step,
    share: known.length / cells,
  };
}
