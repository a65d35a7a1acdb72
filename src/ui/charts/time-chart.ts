// Time chart on a canvas: axes, values, lines below the pointer; its range changes without its values.
import {
  extentWithBand,
  nearestIndex,
  type Scale,
  scale,
  timeLabels,
  timeTicks,
  valueAxis,
  withSymbol,
} from "../lib/plot.ts";
import type { Range } from "../lib/range.ts";
import { drawStraight, type Plot } from "./paint.ts";
import { createPointer, type PointerOptions } from "./pointer.ts";

/** CSS pixels beside the area of the values. */
const LEFT = 60;
const RIGHT = 8;
const FOOT = 24;
const MIN_WIDTH = 200;
/** CSS pixels between two labels of an axis. */
const LABEL_GAP = 8;
const VALUE_SPACE = 40;
const FONT = "12px system-ui, sans-serif";

type Column = readonly (number | null)[];

export interface TimeChartOptions {
  /** CSS pixels. */
  readonly height: number;
  /** CSS pixels above the values. */
  readonly top?: number;
  readonly colors: { readonly text: string; readonly grid: string };
  /** Label of an instant on the axis. @param step seconds between two labels */
  readonly formatTick: (seconds: number, step: number) => string;
  /** BCP 47 tag of the numbers. */
  readonly language: string;
  /** Of the values. */
  readonly unit?: string | undefined;
  /** Of the zone of the labels, seconds east of UTC. */
  readonly offset: (seconds: number) => number;
  /** Shows the pointers of the other linked charts. */
  readonly isLinked?: boolean;
  /** A stretch was selected by dragging. */
  readonly onRange?: (range: Range) => void;
  readonly gestures?: PointerOptions["gestures"];
  /** Index of the cell below the pointer, and its place from the left edge, CSS pixels; undefined outside. */
  readonly onCursor: (index: number | undefined, px?: number) => void;
}

/** What a chart draws. */
export interface Drawing {
  /** Ascending, seconds since the epoch. */
  readonly times: readonly number[];
  /** Columns that the value axis has room for. */
  readonly columns: readonly Column[];
  /** Edges of a band, for most of which it has room. */
  readonly band?: readonly Column[];
  /** The value axis by the extent of the shown values; absent: that extent. */
  readonly extent?: (shown: Extent) => Extent;
  /** Draws below the grid, also outside the area of the values. */
  readonly drawGround?: (plot: Plot) => void;
  readonly draw: (plot: Plot) => void;
}

interface Extent {
  readonly min: number;
  readonly max: number;
}

export interface TimeChart {
  /** Shows other values, over all of their times. */
  readonly update: (drawing: Drawing) => void;
  /** Shows some of the times at once, or more than there are, until their values are here. */
  readonly show: (range: Range) => void;
  readonly destroy: () => void;
}

/** Draws into an element, as wide as it is. */
export function createTimeChart(element: HTMLElement, first: Drawing, options: TimeChartOptions): TimeChart {
  const root = element.appendChild(document.createElement("div"));
  root.className = "time-chart";
  const canvas = root.appendChild(document.createElement("canvas"));
  let drawing = first;
  let range = rangeOf(first);
  let toPixels: Scale = () => 0;
  const pointer = createPointer(root, {
    isLinked: options.isLinked ?? false,
    ...(options.onRange && { onRange: options.onRange }),
    ...(options.gestures && { gestures: options.gestures }),
    onMove: (at) => {
      if (at === undefined) return options.onCursor(undefined);
      const index = nearestIndex(drawing.times, at);
      return options.onCursor(index, toPixels(drawing.times[index] ?? at));
    },
  });
  const redraw = () => {
    const plot = plotOf(canvas, element.clientWidth, { drawing, range, options });
    const { ctx, left, right, top, bottom } = plot;
    ctx.save();
    drawing.drawGround?.(plot);
    ctx.restore();
    drawAxes(plot, options);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, right - left, bottom - top);
    ctx.clip();
    drawing.draw(plot);
    ctx.restore();
    toPixels = plot.x;
    pointer.place(plot);
  };
  redraw();
  const leave = onOtherSize(element, redraw);
  return {
    update: (next) => {
      drawing = next;
      range = rangeOf(next);
      redraw();
    },
    show: (next) => {
      range = next;
      redraw();
    },
    destroy: () => {
      leave();
      pointer.destroy();
      root.remove();
    },
  };
}

const rangeOf = ({ times }: Drawing): Range => ({ from: times[0] ?? 0, to: times.at(-1) ?? 0 });

/** Follows the width of the element and the pixels of the screen. @returns a function that ends it */
function onOtherSize(element: HTMLElement, redraw: () => void): () => void {
  let [width, ratio] = [element.clientWidth, devicePixelRatio];
  const sizes = new ResizeObserver(check);
  sizes.observe(element);
  addEventListener("resize", check);
  function check() {
    if (element.clientWidth === width && devicePixelRatio === ratio) return;
    [width, ratio] = [element.clientWidth, devicePixelRatio];
    redraw();
  }
  return () => {
    sizes.disconnect();
    removeEventListener("resize", check);
  };
}

interface Shown {
  readonly drawing: Drawing;
  readonly range: Range;
  readonly options: TimeChartOptions;
}

/** Empties the canvas, and lays out its area for the shown values. */
function plotOf(canvas: HTMLCanvasElement, free: number, { drawing, range, options }: Shown): Plot {
  const { times, columns, band = [], extent = (shown: Extent) => shown } = drawing;
  const { height, top = 8 } = options;
  const width = Math.max(MIN_WIDTH, free);
  const ctx = fit(canvas, width, height);
  const [left, right, bottom] = [LEFT, width - RIGHT, height - FOOT];
  const { from, to } = range;
  const after = times.findIndex((time) => time > to);
  const end = after < 0 ? times.length : after + 1;
  const start = Math.max(0, times.findIndex((time) => time >= from) - 1);
  const cut = (all: readonly Column[]) => all.map((column) => column.slice(start, end));
  const { min, max } = extent(extentWithBand(cut(columns), cut(band)));
  const [x, y] = [scale([from, to], [left, right]), scale([min, max], [bottom, top])];
  return { ctx, left, right, top, bottom, from, to, min, max, times, start, end, x, y };
}

/** Sizes and empties the canvas. @returns its context, in CSS pixels */
function fit(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ctx = canvas.getContext("2d")!;
  const [columns, rows] = [width, height].map((size) => Math.round(size * devicePixelRatio));
  if (canvas.width !== columns || canvas.height !== rows) {
    Object.assign(canvas, { width: columns, height: rows });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  ctx.reset();
  ctx.scale(devicePixelRatio, devicePixelRatio);
  ctx.font = FONT;
  ctx.textBaseline = "middle";
  return ctx;
}

function drawAxes(plot: Plot, options: TimeChartOptions): void {
  const { colors, formatTick, offset } = options;
  const { ctx, left, right, top, bottom, from, to, min, max, x, y } = plot;
  const pen = { color: colors.grid };
  // Lines of one pixel are sharp between two.
  const sharp = (px: number) => Math.round(px) + 0.5;
  ctx.fillStyle = colors.text;
  ctx.textAlign = "right";
  const axis = valueAxis({ min, max, count: (bottom - top) / VALUE_SPACE }, options);
  const { labels, isWhole } = withSymbol(axis, (label) => ctx.measureText(label).width <= left - LABEL_GAP);
  for (const [i, tick] of axis.ticks.entries()) {
    drawStraight(plot, [left, sharp(y(tick)), right, sharp(y(tick))], pen);
    ctx.fillText(labels[i]!, left - LABEL_GAP, y(tick));
  }
  ctx.textAlign = "left";
  if (!isWhole) ctx.fillText(axis.symbol, left + 4, top + 8);
  const ticks = timeTicks(from, to, timeLabels(right - left), offset);
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : to - from;
  ctx.textAlign = "center";
  for (const tick of ticks) {
    drawStraight(plot, [sharp(x(tick)), top, sharp(x(tick)), bottom], pen);
    ctx.fillText(formatTick(tick, step), Math.min(x(tick), right - 16), bottom + FOOT / 2);
  }
}
