// Geometry of a small chart: ticks of both axes, paths with gaps; numbers of one instant; pure.

import { formatTicks, join, type TickLabels, tickFactor } from "../../core/formats/readable.ts";
import type { Numbers } from "./format.ts";

type Column = readonly (number | null)[];

/** Steps of a time axis, seconds. */
const timeSteps = [
  1, 5, 15, 30, 60, 300, 900, 1800, 3600, 7200, 10_800, 21_600, 28_800, 43_200, 86_400, 172_800, 259_200,
  432_000, 604_800, 864_000, 1_209_600,
];
/** Longer steps: calendar months, the shortest of which bounds their count. */
const monthSteps = [1, 3, 4, 6, 12, 24, 60, 120];
const MONTH = 28 * 86_400;

/** CSS pixels of a label of a time axis with the room around it. */
const TIME_SPACE = 88;
/** Labels of the narrowest axis, and a little more for ranges that end within an interval. */
const LEAST_LABELS = 3.6;

/** Labels for which a time axis has room. @param width CSS pixels */
export function timeLabels(width: number): number {
  return Math.max(LEAST_LABELS, width / TIME_SPACE);
}

/** Of a step, for tenths that are no binary fractions. */
const TOLERANCE = 1e-9;

/** Multiples of 1, 2 or 5 times a power of ten within the range, about `count` of them. */
export function valueTicks(min: number, max: number, count: number): number[] {
  const rough = (max - min) / count;
  if (!(rough > 0) || !Number.isFinite(rough)) return [min];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  return multiples(min, max, step);
}

/** Round values of an axis with their labels, all in one unit. */
export interface ValueAxis extends TickLabels {
  readonly ticks: readonly number[];
}

/** About `count` values at round numbers of what their labels show: minutes, percents. */
export function valueAxis(
  { min, max, count }: { readonly min: number; readonly max: number; readonly count: number },
  format: { readonly unit?: string | undefined; readonly language: string },
): ValueAxis {
  const factor = tickFactor(Math.max(Math.abs(min), Math.abs(max)), format.unit);
  const ticks = valueTicks(min / factor, max / factor, count).map((tick) => tick * factor);
  return { ticks, ...formatTicks(ticks, format) };
}

/** Labels with the symbol where the widest has room, else without. @returns whether they have it */
export function withSymbol({ labels, symbol }: TickLabels, hasRoom: (label: string) => boolean) {
  const whole = labels.map((label) => join(label, { symbol }));
  const isWhole = whole.every(hasRoom);
  return { labels: isWhole ? whole : labels, isWhole };
}

/**
 * Round instants of the zone within the range, about `count` at most; starts of months where the steps are long.
 * @param offset of the zone at an instant, seconds east of UTC
 */
export function timeTicks(
  from: number,
  to: number,
  count: number,
  offset: (seconds: number) => number = () => 0,
): number[] {
  const [first, last] = [offset(from), offset(to)];
  const [start, end] = [from + first, to + last];
  const step = timeSteps.find((each) => (end - start) / each <= count);
  if (step === undefined) return monthStarts(start, end, count).map(toInstant);
  return multiples(start, end, step).map(
    first === last && end - start < MONTH ? (at) => at - first : toInstant,
  );

  /** The clocks may change within the range. */
  function toInstant(local: number): number {
    return local - offset(local - first);
  }
}

/** The first instants of months, in UTC. */
function monthStarts(from: number, to: number, count: number): number[] {
  const months = monthSteps.find((each) => (to - from) / (each * MONTH) <= count) ?? monthSteps.at(-1)!;
  const first = new Date(from * 1000);
  const found: number[] = [];
  let month = (first.getUTCFullYear() - 1970) * 12 + first.getUTCMonth();
  month -= ((month % months) + months) % months;
  for (let at = 0; at <= to; month += months) {
    at = Date.UTC(1970, month) / 1000;
    if (at >= from && at <= to) found.push(at);
  }
  return found;
}

function multiples(min: number, max: number, step: number): number[] {
  const first = Math.ceil(min / step - TOLERANCE);
  const last = Math.floor(max / step + TOLERANCE);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

/** The least and the greatest value of the columns, a little apart; 0 and 1 without any. */
export function extentOf(columns: readonly Column[]): { readonly min: number; readonly max: number } {
  let [min, max] = [Infinity, -Infinity];
  for (const column of columns)
    for (const value of column) {
      if (value === null) continue;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  if (min > max) return { min: 0, max: 1 };
  const room = (max - min) * 0.04 || Math.abs(max) * 0.1 || 1;
  return { min: min - room, max: max + room };
}

/** Share of the values of an edge of a band that may lie outside of a chart, at each end. */
const OUTSIDE = 0.02;
/** Heights of the observed values that a band may add above and below. */
const MOST_BAND = 2;

/**
 * Extent of observed values and of most of their band: a band that is wide for a while does not press them flat.
 * @param edges lower and upper edge of the band, or none
 */
export function extentWithBand(
  observed: readonly Column[],
  edges: readonly Column[],
): { readonly min: number; readonly max: number } {
  const own = extentOf(observed);
  const known = edges.flatMap((edge) => quantiles(edge, OUTSIDE));
  if (known.length === 0) return own;
  const height = own.max - own.min;
  const isFlat = observed.every((column) => new Set(column.filter((value) => value !== null)).size <= 1);
  const room = isFlat ? Number.POSITIVE_INFINITY : MOST_BAND * height;
  return {
    min: Math.max(own.min - room, Math.min(own.min, ...known)),
    max: Math.min(own.max + room, Math.max(own.max, ...known)),
  };
}

/** The values at two shares from both ends; none of an empty column. */
function quantiles(column: Column, share: number): number[] {
  const sorted = column.filter((value) => value !== null).sort((a, b) => a - b);
  if (sorted.length === 0) return [];
  const skipped = Math.floor(share * sorted.length);
  return [sorted[skipped]!, sorted[sorted.length - 1 - skipped]!];
}

/** Index of the nearest of ascending times. */
export function nearestIndex(times: readonly number[], at: number): number {
  const next = times.findIndex((time) => time >= at);
  if (next < 0) return times.length - 1;
  return next > 0 && at - times[next - 1]! < times[next]! - at ? next - 1 : next;
}

/** A function from values to pixels. */
export type Scale = (value: number) => number;

export function scale([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale {
  const factor = to === from ? 0 : (end - start) / (to - from);
  return (value) => start + (value - from) * factor;
}

/** Path of an SVG line; nulls are gaps, a value between two of them a short stroke. */
export function linePath(column: Column, x: Scale, y: Scale): string {
  const parts: string[] = [];
  for (const [i, value] of column.entries()) {
    if (value === null) continue;
    const isStart = (column[i - 1] ?? null) === null;
    parts.push(`${isStart ? "M" : "L"}${place(x(i))} ${place(y(value))}`);
    if (isStart && (column[i + 1] ?? null) === null) parts.push("h.5");
  }
  return parts.join("");
}

/** Path of an SVG area between two columns, without the gaps of either. */
export function areaPath(lower: Column, upper: Column, x: Scale, y: Scale): string {
  const parts: string[] = [];
  for (let i = 0; i < lower.length; i++) {
    const start = i;
    while (i < lower.length && lower[i] !== null && upper[i] !== null) i++;
    if (i === start) continue;
    const indices = Array.from({ length: i - start }, (_, k) => start + k);
    const point = (k: number, value: number) => `${place(x(k))} ${place(y(value))}`;
    const there = indices.map((k) => point(k, upper[k]!));
    const back = indices.toReversed().map((k) => point(k, lower[k]!));
    parts.push(`M${[...there, ...back].join("L")}Z`);
  }
  return parts.join("");
}

/** Tenths of a pixel are enough. */
function place(pixel: number): string {
  return String(Math.round(pixel * 10) / 10);
}

/** Share of the normal range up to which two values of an instant may read the same. */
const ALIKE = 0.05;

/**
 * Texts of the values of one instant, in digits that say something beside the width of their range.
 * @param values the last two of them are the normal range
 */
export function formatInstant(
  { together }: Numbers,
  values: Parameters<Numbers["together"]>[0],
  unit?: string,
): string[] {
  const [lower, upper] = values.slice(-2);
  const scale = (upper ?? 0) - (lower ?? 0);
  return together(values, { unit, scale, alike: ALIKE * scale });
}
