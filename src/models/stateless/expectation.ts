// What is expected at each point of a series by all the others: a line, a level that follows, and what the seasons add.
import { mapInSteps } from "../../runtime/steps.ts";
import { fitLine } from "../stats/line.ts";
import { medianOf, WeightedSample } from "../stats/median.ts";
import { RollingMedian } from "./rolling-median.ts";

/** The level of a point is that of so many points before it: of a lasting change the beginning is odd, the rest is not. */
const LEVEL_LAG = 5;
/** Half of the level's window, without seasons: a part of the series within bounds. With a season, whole periods. */
const LEVEL_HALF_WIDTH = { share: 1 / 40, min: 10, max: 40 };
const MIN_SEASONAL_HALF_WIDTH = 15;
/** Points, or parts of the same number of points, on either side of the middle at most. */
const MAX_HALF_WIDTH = 1500;
/** Cycles before and after a point that say what is usual at this time. */
const MAX_CYCLES = 8;
/** From this period on, the neighbours in time count too, by half. */
const MIN_PERIOD_WITH_NEIGHBOURS = 24;
const NEIGHBOUR_WEIGHT = 0.5;
const PASSES = 2;
/** A further season is believed where it brings the median error down by this share. */
const MIN_IMPROVEMENT = 0.1;

/**
 * Expected values, from points before and after; a value that is missing (NaN) is expected like any other.
 * @param periods of the seasons in intervals, the shortest first; a longer one counts only if it explains more
 * @throws TorusError `canceled` or `deadline` where the signal is aborted
 */
export async function expectSeries(
  column: Float64Array,
  periods: readonly number[],
  signal: AbortSignal,
): Promise<Float64Array> {
  const line = fitLine(column);
  const flat = subtract(column, line);
  const reach = levelHalfWidth(column.length, periods[0] ?? 0);
  let seasons: Float64Array = new Float64Array(column.length);
  let level = await followLevel(flat, reach, signal);
  const [period, ...longer] = periods;
  for (let pass = 0; period && pass < PASSES; pass++) {
    seasons = await averageCycles(subtract(flat, level), period, signal);
    level = await followLevel(subtract(flat, seasons), reach, signal);
  }
  for (const other of longer) {
    const rest = subtract(subtract(flat, level), seasons);
    const further = await averageCycles(rest, other, signal);
    const better = errorOf(subtract(rest, further)) < (1 - MIN_IMPROVEMENT) * errorOf(rest);
    if (better) seasons = add(seasons, further);
  }
  return add(add(line, level), seasons);
}

/** With fewer points the network counts in proportion: it knows less than the companions however long it is trained. */
const NETWORK_FULL_WEIGHT_POINTS = 1000;
/** Share of the series' spread below which differences in accuracy mean nothing. */
const ACCURACY_FLOOR = 1e-3;

/**
 * The weighted mean of two expectations: the nearer one usually is to what is there, the more it counts.
 * @param column NaN = missing
 */
export function mixExpectations(
  column: Float64Array,
  companions: Float64Array,
  network: Float64Array,
): Float64Array {
  const points = column.reduce((count, value) => count + Number(!Number.isNaN(value)), 0);
  const center = medianOf(column);
  const floor = ACCURACY_FLOOR * medianOf(column.map((value) => Math.abs(value - center))) + Number.MIN_VALUE;
  const accuracyOf = (expected: Float64Array) => 1 / (errorOf(subtract(column, expected)) + floor);
  // A ratio, so that accuracies beyond all numbers leave a share that is one.
  const ratio =
    accuracyOf(companions) / (accuracyOf(network) * Math.min(1, points / NETWORK_FULL_WEIGHT_POINTS));
  const share = Number.isNaN(ratio) ? 0 : 1 / (1 + ratio);
  return companions.map((value, i) =>
    Number.isFinite(network[i]!) ? value + share * (network[i]! - value) : value,
  );
}

function levelHalfWidth(length: number, period: number): number {
  const { share, min, max } = LEVEL_HALF_WIDTH;
  if (period === 0) return Math.min(max, Math.max(min, Math.round(share * length)));
  return period * Math.ceil(MIN_SEASONAL_HALF_WIDTH / period);
}

/** Windows that are longer than need be are made of the medians of small parts. */
function followLevel(column: Float64Array, reach: number, signal: AbortSignal): Promise<Float64Array> {
  const size = Math.ceil(reach / MAX_HALF_WIDTH);
  const parts = size === 1 ? column : mediansOf(column, size);
  const half = Math.round(reach / size);
  const median = new RollingMedian(parts, 2 * half + 1);
  const overall = medianOf(column);
  const levelAt = (i: number) => {
    const center = Math.floor(Math.max(0, i - LEVEL_LAG) / size);
    const level = median.over(Math.max(0, center - half), Math.min(parts.length, center + half + 1));
    return Number.isNaN(level) ? overall : level;
  };
  return mapInSteps(column.length, levelAt, signal);
}

/** Of every `size` points. */
function mediansOf(column: Float64Array, size: number): Float64Array {
  return Float64Array.from({ length: Math.ceil(column.length / size) }, (_, k) =>
    medianOf(column.subarray(k * size, (k + 1) * size)),
  );
}

/** Weighted median at the same time of other cycles; the point's own cycle has no say. */
function averageCycles(column: Float64Array, period: number, signal: AbortSignal): Promise<Float64Array> {
  const reach = period >= MIN_PERIOD_WITH_NEIGHBOURS ? 1 : 0;
  const sample = new WeightedSample(2 * MAX_CYCLES * (2 * reach + 1));
  const usualAt = (i: number) => {
    sample.clear();
    for (let cycle = -MAX_CYCLES; cycle <= MAX_CYCLES; cycle++) {
      if (cycle === 0) continue;
      const center = i + cycle * period;
      for (let k = -reach; k <= reach; k++)
        sample.add(column[center + k] ?? Number.NaN, k === 0 ? 1 : NEIGHBOUR_WEIGHT);
    }
    return sample.median() || 0;
  };
  return mapInSteps(column.length, usualAt, signal);
}

function errorOf(rest: Float64Array): number {
  return medianOf(rest.map(Math.abs));
}

function add(a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.from(a, (value, i) => value + b[i]!);
}

/** Missing stays missing. */
export function subtract(a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.from(a, (value, i) => value - b[i]!);
}
