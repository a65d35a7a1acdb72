// Canvas of braille characters, each two dots wide and four dots high.

/** Bit of each dot in a braille character, by row and column. */
const dotBits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
];
const BRAILLE = 0x2800;

export const DOTS_ACROSS = 2;
export const DOTS_DOWN = 4;

/** A dot; (0, 0) is the upper left. */
interface Dot {
  readonly x: number;
  readonly y: number;
}

export interface Canvas {
  /** Draws a straight line including both ends, clipped to the canvas. */
  line(from: Dot, to: Dot): void;
  /** The braille character of a cell, or undefined where it has no dot. */
  charAt(column: number, row: number): string | undefined;
}

/** An empty canvas of `columns` by `rows` characters. */
export function createCanvas(columns: number, rows: number): Canvas {
  const cells = new Uint8Array(columns * rows);
  const set = (x: number, y: number): void => {
    const column = Math.floor(x / DOTS_ACROSS);
    const row = Math.floor(y / DOTS_DOWN);
    if (column < 0 || row < 0 || column >= columns || row >= rows) return;
    const cell = row * columns + column;
    cells[cell] = cells[cell]! | dotBits[y % DOTS_DOWN]![x % DOTS_ACROSS]!;
  };
  return {
    line: (from, to) => {
      const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
      for (let i = 0; i <= steps; i++) {
        const share = i / steps;
        set(Math.round(from.x + (to.x - from.x) * share), Math.round(from.y + (to.y - from.y) * share));
      }
    },
    charAt: (column, row) => {
      const bits = cells[row * columns + column];
      return bits ? String.fromCharCode(BRAILLE + bits) : undefined;
    },
  };
}
