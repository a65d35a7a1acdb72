// Axes of a chart: scales with round values, time ticks at round local times, and their labels.

import { formatTicks, join, tickFactor } from "../../core/formats/readable.ts";

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const WEEK_S = 7 * DAY_S;
/** Intervals between time ticks, in seconds. */
const timeSteps = [
  ...[1, 5, 15, 30],
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_S),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_S),
  ...[1, 2].map((days) => days * DAY_S),
  ...[1, 2, 4, 8, 13, 26, 52, 104, 260, 520].map((weeks) => weeks * WEEK_S),
];
/** Monday 5 January 1970: weekly ticks stand on Mondays. */
const FIRST_MONDAY_S = 4 * DAY_S;
/** Ranges below this count as constant: their logarithm loses precision. */
const MIN_RANGE = 1e-300;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export interface Extent {
  readonly min: number;
  readonly max: number;
}

export interface Tick {
  readonly value: number;
  readonly label: string;
}

export interface Scale extends Extent {
  readonly ticks: readonly Tick[];
}

/** A scale that covers `extent`, with round bounds in its unit and about `count` ticks. */
export function scaleValues(extent: Extent, count: number, unit?: string): Scale {
  if (unit !== undefined) return scaleUnits(extent, count, unit);
  const flat = extent.max - extent.min <= Math.max(Math.abs(extent.max) * 1e-9, MIN_RANGE);
  const margin = flat ? Math.max(1, Math.abs(extent.max)) / 2 : 0;
  const { min, max } = { min: extent.min - margin, max: extent.max + margin };
  const step = roundUp((max - min) / Math.max(1, count - 1));
  const first = Math.floor(min / step + 1e-9);
  const last = Math.ceil(max / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  const labels = ticks.map((value) => ({ value, label: formatValue(value, step) }));
  return { min: first * step, max: last * step, ticks: labels };
}

function scaleUnits({ min, max }: Extent, count: number, unit: string): Scale {
  const factor = tickFactor(Math.max(Math.abs(min), Math.abs(max)), unit);
  const plain = scaleValues({ min: min / factor, max: max / factor }, count);
  const values = plain.ticks.map(({ value }) => value * factor);
  const { labels, symbol } = formatTicks(values, { unit });
  const ticks = values.map((value, i) => ({ value, label: join(labels[i]!, { symbol }) }));
  return { min: plain.min * factor, max: plain.max * factor, ticks };
}

/** The least of 1, 2 or 5 times a power of ten that is not below `step`. */
function roundUp(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= step * (1 - 1e-9)) ?? 10;
  return factor * power;
}

function formatValue(value: number, step: number): string {
  const units: [number, string][] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  const [size, unit] = units.find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  const decimals = Math.max(0, -Math.floor(Math.log10(step / size) + 1e-9));
  if (decimals > 6) return value.toExponential(1);
  const text = (value / size).toFixed(decimals);
  return `${Number(text) === 0 ? "0" : text}${unit}`;
}

/**
 * Ticks at round local times of a range in seconds (end exclusive), at most `most` of them.
 * Midnights carry the date, other times the time of day.
 * @param offsetAt UTC offset in seconds at an instant; default: 0
 */
export function tickTimes({ min, max }: Extent, most: number, offsetAt = (_at: number) => 0): Tick[] {
  const step =
    timeSteps.find((candidate) => (max - min) / candidate < Math.max(1, most)) ?? timeSteps.at(-1)!;
  const origin = step % WEEK_S === 0 ? FIRST_MONDAY_S : 0;
  const ticks: Tick[] = [];
  const first = min + offsetAt(min);
  for (let local = origin + Math.ceil((first - origin) / step) * step; ; local += step) {
    const at = local - offsetAt(local - offsetAt(min));
    if (at >= max) return ticks;
    if (at >= min && at > (ticks.at(-1)?.value ?? -Infinity))
      ticks.push({ value: at, label: formatTime(local, step) });
  }
}

/** @param at local time as if it were UTC, seconds */
function formatTime(at: number, step: number): string {
  const date = new Date(at * 1000);
  const day = `${months[date.getUTCMonth()]} ${date.getUTCDate()}`;
  if (step >= 26 * WEEK_S) return `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  if (at % DAY_S === 0) return day;
  return date.toISOString().slice(11, step < MINUTE_S ? 19 : 16);
}
