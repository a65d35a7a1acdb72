// Input of a chart, and its layout: columns, rows, gutter, scales.
import { type Scale, scaleValues } from "./axis.ts";

const MIN_COLUMNS = 8;

/** Time span in seconds, `to` exclusive. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** One row of marks under the chart. */
export interface MarkRow {
  readonly name: string;
  readonly spans: readonly TimeSpan[];
  /** Whether marks of this row highlight the observed line, in colour. */
  readonly flags?: boolean;
}

export type Values = readonly (number | null)[];

export interface ChartInput {
  /** Seconds, ascending; one per value. */
  readonly times: readonly number[];
  /** null leaves a gap in the line. */
  readonly observed: Values;
  /** Drawn as dots, under the line. */
  readonly expected?: Values;
  readonly band?: { readonly lower: Values; readonly upper: Values };
  readonly marks?: readonly MarkRow[];
  /** Of the values. */
  readonly unit?: string | undefined;
  /** UTC offset in seconds at an instant; absent: the axis is in UTC. */
  readonly offsetAt?: (at: number) => number;
}

export interface ChartSize {
  /** Total width in characters. */
  readonly width: number;
  /** Rows of the plot, without marks and axis. */
  readonly height: number;
  readonly colour?: boolean;
}

/** Geometry shared by all parts of the chart. */
export interface Layout {
  readonly columns: number;
  readonly rows: number;
  readonly gutter: number;
  readonly start: number;
  readonly end: number;
  readonly scale: Scale;
  readonly paint: (text: string, colour: number) => string;
}

/** Computes the layout; undefined if there is nothing to draw. */
export function computeLayout(
  { times, observed, expected = [], band, marks = [], unit }: ChartInput,
  size: ChartSize,
): Layout | undefined {
  const present = [observed, expected, band?.lower ?? [], band?.upper ?? []].flat().filter(isNumber);
  if (present.length === 0) return undefined;
  const extent = present.reduce(
    ({ min, max }, value) => ({ min: Math.min(min, value), max: Math.max(max, value) }),
    { min: Infinity, max: -Infinity },
  );
  const scale = scaleValues(extent, Math.max(3, Math.round(size.height / 2.5)), unit);
  const names = [...scale.ticks.map(({ label }) => label), ...marks.map(({ name }) => name)];
  const gutter = Math.max(...names.map((name) => name.length)) + 1;
  const start = times[0]!;
  const step = times.length > 1 ? times[1]! - start : 1;
  return {
    columns: Math.max(MIN_COLUMNS, size.width - gutter - 1),
    rows: size.height,
    gutter,
    start,
    end: times.at(-1)! + step,
    scale,
    paint: (text, colour) => (size.colour ? `\x1b[${colour}m${text}\x1b[0m` : text),
  };
}

/** Whether a value can be drawn. */
export function isNumber(value: number | null | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Position of an instant between the left (0) and the right edge (1). */
export function shareOfTime(at: number, { start, end }: Layout): number {
  return (at - start) / (end - start);
}

/** Position of a value between the bottom (0) and the top (1). */
export function shareOfValue(value: number, { scale }: Layout): number {
  return (value - scale.min) / (scale.max - scale.min);
}
