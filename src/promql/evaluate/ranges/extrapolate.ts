// Increases of windows, extrapolated to the edges of the range, counter resets included: rate, increase, delta.
import type { Column } from "../values.ts";
import type { Windows } from "./window.ts";

/** Times the mean interval: a gap at an edge up to which the series is taken to go on to that edge. */
const EXTRAPOLATED_INTERVALS = 1.1;

interface Extrapolation {
  /** Only grows, but for resets. */
  readonly isCounter: boolean;
  readonly isPerSecond: boolean;
}

const extrapolations: Readonly<Record<string, Extrapolation>> = {
  rate: { isCounter: true, isPerSecond: true },
  increase: { isCounter: true, isPerSecond: false },
  delta: { isCounter: false, isPerSecond: false },
};

export function isExtrapolation(name: string): boolean {
  return Object.hasOwn(extrapolations, name);
}

/** What instants alone say about windows, by step, in seconds; without meaning for less than two samples. */
export interface Spans {
  /** From the first sample to the last one. */
  readonly sampled: Float64Array;
  /** From the start of the window to its first sample. */
  readonly toStart: Float64Array;
  /** Extrapolated behind the last sample. */
  readonly atEnd: Float64Array;
}

export function spansOf(times: Float64Array, { from, to, startsAt, endsAt }: Windows): Spans {
  const { length } = from;
  const spans = {
    sampled: new Float64Array(length),
    toStart: new Float64Array(length),
    atEnd: new Float64Array(length),
  };
  for (let step = 0; step < length; step++) {
    const first = from[step]!;
    const last = to[step]! - 1;
    if (last <= first) continue;
    const sampled = (times[last]! - times[first]!) / 1000;
    spans.sampled[step] = sampled;
    spans.toStart[step] = (times[first]! - startsAt[step]!) / 1000;
    spans.atEnd[step] = gapWithin((endsAt[step]! - times[last]!) / 1000, sampled / (last - first));
  }
  return spans;
}

function gapWithin(gap: number, mean: number): number {
  return gap < mean * EXTRAPOLATED_INTERVALS ? gap : mean / 2;
}

interface Extrapolated {
  readonly name: string;
  readonly values: Float64Array;
  /** Whether a value is less than the one before. */
  readonly falls: boolean;
  readonly rangeMs: number;
  readonly windows: Windows;
  readonly spans: Spans;
  readonly column: Column;
}

/** Fills steps from one on, up to a number of samples that are looked at. @returns the next step */
export function extrapolateSome(
  { name, values, falls, rangeMs, windows, spans, column }: Extrapolated,
  start: number,
  most: number,
): number {
  const { isCounter, isPerSecond } = extrapolations[name]!;
  const seconds = isPerSecond ? rangeMs / 1000 : 1;
  const hasResets = isCounter && falls;
  let step = start;
  for (let left = most; step < column.present.length && left > 0; step++) {
    const from = windows.from[step]!;
    const last = windows.to[step]! - 1;
    if (last <= from) continue;
    const first = values[from]!;
    const change = values[last]! - first + (hasResets ? lostByResets(values, from, last) : 0);
    const sampled = spans.sampled[step]!;
    let toStart = spans.toStart[step]!;
    if (isCounter && change > 0 && first >= 0) toStart = Math.min(toStart, sampled * (first / change));
    const atStart = gapWithin(toStart, sampled / (last - from));
    column.values[step] = (change * ((sampled + atStart + spans.atEnd[step]!) / sampled)) / seconds;
    column.present[step] = 1;
    left -= hasResets ? last - from : 1;
  }
  return step;
}

export function fallsSomewhere(values: Float64Array): boolean {
  for (let i = 1; i < values.length; i++) if (values[i]! < values[i - 1]!) return true;
  return false;
}

function lostByResets(values: Float64Array, from: number, last: number): number {
  let lost = 0;
  for (let i = from + 1; i <= last; i++) if (values[i]! < values[i - 1]!) lost += values[i - 1]!;
  return lost;
}
