// Paths of lines and areas over columns, with gaps where values are missing; pure but for the path.
import type { Scale } from "./plot.ts";

type Column = readonly (number | null)[];

/** The part of a canvas that paths are made of. */
export interface Path {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** Cells of a chart, and where they are drawn. */
export interface Cells {
  readonly times: readonly number[];
  /** Drawn ones; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly x: Scale;
  readonly y: Scale;
}

/** Traces a column; a value between two gaps is a short stroke. */
export function traceLine(path: Path, { times, start, end, x, y }: Cells, column: Column): void {
  let isOpen = false;
  for (let i = start; i < end; i++) {
    const value = column[i] ?? null;
    if (value === null) {
      isOpen = false;
      continue;
    }
    const [px, py] = [x(times[i]!), y(value)];
    if (isOpen) path.lineTo(px, py);
    else {
      path.moveTo(px, py);
      if ((column[i + 1] ?? null) === null) path.lineTo(px + 0.5, py);
    }
    isOpen = true;
  }
}

/**
 * Traces the area between two columns, without the gaps of either.
 * @param round to whole pixels, which are filled faster than parts of them
 */
export function traceArea(
  path: Path,
  { times, start, end, x, y }: Cells,
  [lower, upper]: readonly [Column, Column],
  round: Scale,
): void {
  const isGap = (i: number) => (lower[i] ?? null) === null || (upper[i] ?? null) === null;
  const point = (i: number, column: Column) => [round(x(times[i]!)), round(y(column[i]!))] as const;
  for (let i = start; i < end; i++) {
    const first = i;
    for (; i < end && !isGap(i); i++) {
      if (i === first) path.moveTo(...point(i, upper));
      else path.lineTo(...point(i, upper));
    }
    for (let back = i - 1; back >= first; back--) path.lineTo(...point(back, lower));
  }
}
