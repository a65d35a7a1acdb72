// Sketches of series without axes: where there is data, and a path through the means; pure.
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

/** SVG path with gaps where nothing is known. */
export function pathOfMeans(means: Column, { width, height }: { width: number; height: number }): string {
  const known = means.filter((mean) => mean !== null);
  const [least, greatest] = [Math.min(...known), Math.max(...known)];
  const size = greatest - least || 1;
  const step = width / Math.max(1, means.length - 1);
  let isBroken = true;
  const parts = means.flatMap((mean, i) => {
    const command = isBroken ? "M" : "L";
    isBroken = mean === null;
    if (mean === null) return [];
    const y = height - ((mean - least) / size) * height;
    return [`${command}${round(i * step)} ${round(y)}`];
  });
  return parts.join("");
}

const round = (value: number) => Math.round(value * 10) / 10;
