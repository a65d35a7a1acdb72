// Terminal chart of a series: observed line, expected values, confidence band, rows of marks, time axis.
import { type Tick, tickTimes } from "./axis.ts";
import { type Canvas, createCanvas, DOTS_ACROSS, DOTS_DOWN } from "./canvas.ts";
import {
  type ChartInput,
  type ChartSize,
  computeLayout,
  isNumber,
  type Layout,
  type MarkRow,
  shareOfTime,
  shareOfValue,
  type TimeSpan,
  type Values,
} from "./layout.ts";

export type { ChartInput, ChartSize, MarkRow, TimeSpan } from "./layout.ts";

const BAND = "░";
const DOT = "·";
const MARK = "▀";
/** Width of a time label including the gap to the next one. */
const TIME_LABEL_WIDTH = 9;
const colours = { line: 36, flagged: 31, expected: 35, band: 90, marks: 33 } as const;

/** Renders the chart; lines are separated by `\n`, without a trailing one. */
export function renderChart(input: ChartInput, size: ChartSize): string {
  const { times, marks = [] } = input;
  const layout = computeLayout(input, size);
  if (!layout) return "(nothing to draw)";
  const flagged = new Set(marks.filter(({ flags }) => flags).flatMap((row) => columnsOf(row.spans, layout)));
  const canvas = drawLine(times, input.observed, layout);
  const band = input.band && coverBand(times, input.band, layout);
  const expected = input.expected && averageColumns(times, input.expected, layout);
  const extent = { min: layout.start, max: layout.end };
  const ticks = tickTimes(extent, Math.floor(layout.columns / TIME_LABEL_WIDTH), input.offsetAt);
  return [
    ...renderRows(canvas, { band, expected, flagged }, layout),
    ...marks.map((row) => renderMarks(row, layout)),
    ...renderAxis(ticks, layout),
  ].join("\n");
}

function drawLine(times: readonly number[], values: Values, layout: Layout): Canvas {
  const { columns, rows } = layout;
  const canvas = createCanvas(columns, rows);
  const dots = values.map((value, i) => {
    if (!isNumber(value)) return undefined;
    const y = Math.round((1 - shareOfValue(value, layout)) * (rows * DOTS_DOWN - 1));
    return { x: Math.floor(shareOfTime(times[i]!, layout) * columns * DOTS_ACROSS), y };
  });
  for (const [i, dot] of dots.entries()) if (dot) canvas.line(dots[i - 1] ?? dot, dot);
  return canvas;
}

interface BandExtent {
  readonly low: number;
  readonly high: number;
}

/** Vertical extent of the band in each column, 0..1; undefined where the band is unknown. */
function coverBand(
  times: readonly number[],
  { lower, upper }: NonNullable<ChartInput["band"]>,
  layout: Layout,
): (BandExtent | undefined)[] {
  const cover: (BandExtent | undefined)[] = new Array(layout.columns).fill(undefined);
  const columnOf = (i: number) => Math.floor(shareOfTime(times[i]!, layout) * layout.columns);
  for (let i = 0; i < times.length; i++) {
    const [low, high] = [lower[i], upper[i]];
    if (!isNumber(low) || !isNumber(high)) continue;
    // A point covers the columns up to the next point: otherwise short series show stripes.
    const next = i + 1 < times.length ? columnOf(i + 1) : layout.columns;
    for (let column = columnOf(i); column < Math.max(next, columnOf(i) + 1); column++) {
      const known = cover[column] ?? { low: Infinity, high: -Infinity };
      cover[column] = { low: Math.min(known.low, low), high: Math.max(known.high, high) };
    }
  }
  return cover.map(
    (known) => known && { low: shareOfValue(known.low, layout), high: shareOfValue(known.high, layout) },
  );
}

/** Average position of the values in each column, 0..1; undefined without values. */
function averageColumns(times: readonly number[], values: Values, layout: Layout): (number | undefined)[] {
  const sums = new Float64Array(layout.columns);
  const counts = new Uint32Array(layout.columns);
  for (const [i, value] of values.entries()) {
    if (!isNumber(value)) continue;
    const column = Math.floor(shareOfTime(times[i]!, layout) * layout.columns);
    sums[column]! += shareOfValue(value, layout);
    counts[column]!++;
  }
  return Array.from(sums, (sum, column) => (counts[column] ? sum / counts[column] : undefined));
}

interface Background {
  readonly band: readonly (BandExtent | undefined)[] | undefined;
  readonly expected: readonly (number | undefined)[] | undefined;
  readonly flagged: ReadonlySet<number>;
}

function renderRows(canvas: Canvas, { band, expected, flagged }: Background, layout: Layout): string[] {
  const { columns, rows, gutter, paint, scale } = layout;
  const rowOf = (share: number) => Math.min(rows - 1, Math.floor((1 - share) * rows));
  const labels = new Map(scale.ticks.map(({ value, label }) => [rowOf(shareOfValue(value, layout)), label]));
  return Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: columns }, (_, column) => {
      const char = canvas.charAt(column, row);
      if (char) return paint(char, flagged.has(column) ? colours.flagged : colours.line);
      const place = expected?.[column];
      if (place !== undefined && row === rowOf(place)) return paint(DOT, colours.expected);
      const cover = band?.[column];
      return cover && row >= rowOf(cover.high) && row <= rowOf(cover.low) ? paint(BAND, colours.band) : " ";
    });
    const label = labels.get(row);
    return `${(label ?? "").padStart(gutter - 1)} ${label ? "┤" : "│"}${cells.join("")}`.trimEnd();
  });
}

function columnsOf(spans: readonly TimeSpan[], layout: Layout): number[] {
  const { start, end, columns } = layout;
  return spans
    .filter(({ from, to }) => to > start && from < end)
    .flatMap(({ from, to }) => {
      const first = Math.max(0, Math.floor(shareOfTime(from, layout) * columns));
      const last = Math.min(columns - 1, Math.ceil(shareOfTime(to, layout) * columns) - 1);
      return Array.from({ length: Math.max(1, last - first + 1) }, (_, i) => first + i);
    });
}

function renderMarks({ name, spans, flags }: MarkRow, layout: Layout): string {
  const { columns, gutter, paint } = layout;
  const marked = new Set(columnsOf(spans, layout));
  const colour = flags ? colours.flagged : colours.marks;
  const cells = Array.from({ length: columns }, (_, i) => (marked.has(i) ? paint(MARK, colour) : " "));
  return `${name.padStart(gutter - 1)} │${cells.join("")}`.trimEnd();
}

function renderAxis(ticks: readonly Tick[], layout: Layout): string[] {
  const { columns, gutter } = layout;
  const line = new Array<string>(columns).fill("─");
  let text = "";
  for (const { value, label } of ticks) {
    const column = Math.min(columns - 1, Math.floor(shareOfTime(value, layout) * columns));
    line[column] = "┬";
    if (column + label.length <= columns && (text === "" || column > text.length))
      text = text.padEnd(column) + label;
  }
  const margin = " ".repeat(gutter);
  return [`${margin}└${line.join("")}`, `${margin} ${text}`];
}
