// Lines and areas of columns on the canvas of a time chart; CSS pixels.
import { type Cells, traceArea, traceLine } from "../lib/trace.ts";

type Column = readonly (number | null)[];

/** Area of the values on a canvas, with its scales and the shown cells with a neighbour on each side. */
export interface Plot extends Cells {
  readonly ctx: CanvasRenderingContext2D;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Shown range, seconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Shown values. */
  readonly min: number;
  readonly max: number;
}

export function drawLine(plot: Plot, column: Column, pen: Pen): void {
  plot.ctx.beginPath();
  traceLine(plot.ctx, plot, column);
  strokePath(plot, pen);
}

export interface Pen {
  readonly color: string;
  readonly width?: number;
  /** Lengths of strokes and gaps. */
  readonly dash?: readonly number[];
}

/** Without dashes and of one device pixel where there are more cells than pixels: wider strokes of many are slow. */
export function thinIfDense({ left, right, start, end }: Plot, pen: Pen): Pen {
  return right - left < end - start ? { color: pen.color, width: 1 / devicePixelRatio } : pen;
}

/** Strokes one straight line. */
export function drawStraight(
  plot: Plot,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  pen: Pen,
): void {
  plot.ctx.beginPath();
  plot.ctx.moveTo(x1, y1);
  plot.ctx.lineTo(x2, y2);
  strokePath(plot, pen);
}

function strokePath({ ctx }: Plot, { color, width = 1, dash = [] }: Pen): void {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.setLineDash([...dash]);
  ctx.stroke();
}

/** Fills between two columns, without the gaps of either. */
export function fillBetween(plot: Plot, lower: Column, upper: Column, color: string): void {
  const ratio = devicePixelRatio;
  plot.ctx.fillStyle = color;
  plot.ctx.beginPath();
  traceArea(plot.ctx, plot, [lower, upper], (px) => Math.round(px * ratio) / ratio);
  plot.ctx.fill();
}

export type Colors<K extends string> = Readonly<Record<K, string>>;

/** Colours of the style sheet, which follow the theme. @param names of the custom properties, without dashes */
export function readColors<K extends string>(element: Element, names: Colors<K>): Colors<K> {
  const style = getComputedStyle(element);
  const read = ([key, name]: [string, unknown]) => [key, style.getPropertyValue(`--${name}`).trim()];
  return Object.fromEntries(Object.entries(names).map(read)) as Colors<K>;
}
