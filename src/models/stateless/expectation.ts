// Expected value of each point from all others: a line, a moving level and seasons.
import { mapInSteps } from "../../runtime/steps.ts";
import { fitLine } from "../stats/line.ts";
import { medianOf } from "../stats/median.ts";
import { RollingMedian } from "./rolling-median.ts";
import { noiseBetweenCycles, SameTimeSample } from "./same-time.ts";
import { averageAlikeDays, DAYS_OF_WEEK } from "./week.ts";

/** Lag of the level in points, so that the first points of a lasting change are anomalies, later ones not. */
const LEVEL_LAG = 5;
/** Half-width of the level window without a season: a share of the series, within bounds. With one: whole periods. */
const LEVEL_HALF_WIDTH = { share: 1 / 40, min: 10, max: 40 };
const MIN_SEASONAL_HALF_WIDTH = 15;
/** Largest half-width in points; wider windows are made of medians of equal parts. */
const MAX_HALF_WIDTH = 1500;
/** Cycles before and after a point for its seasonal value. */
const MAX_CYCLES = 8;
/** Least period with which neighbours in time count too, by half. */
const MIN_PERIOD_WITH_NEIGHBOURS = 24;
const PASSES = 2;
/** Reduction of the median error, as a share, with which more than one season and its level are used. */
const MIN_IMPROVEMENT = 0.1;
/** Largest error that counts in a mean, in median errors: anomalies decide nothing. */
const MAX_ERROR = 6;
/** Growth of the median error up to which smaller errors elsewhere outweigh it. */
const MAX_WORSENING = 1.25;

/** Lengths of the seasons of a series, in intervals. */
export interface Seasons {
  /** 0 = none. */
  readonly period: number;
  /** Of a weekly season to be tried; a multiple of 7. */
  readonly week?: number | undefined;
  /** Of a season beside the day and the week, see `findExtraPeriod`; of expected values alone. */
  readonly extra?: number | undefined;
}

/**
 * Expected values of all points, missing ones (NaN) included, from the points before and after.
 * @param seasons of which a week counts only if it reduces the error
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export async function expectSeries(
  column: Float64Array,
  { extra, ...seasons }: Seasons,
  signal: AbortSignal,
): Promise<Float64Array> {
  if (!extra) return expectDays(column, seasons, signal);
  // What days leave shows the season, and what the season leaves shows the days without its jobs in them.
  const rest = subtract(column, await expectDays(column, seasons, signal));
  const { seasons: added } = await decompose(rest, extra, averageCycles, signal);
  return add(added, await expectDays(subtract(column, added), seasons, signal));
}

/** Of a line, a level, and a period or a week. */
async function expectDays(
  column: Float64Array,
  { period, week }: Seasons,
  signal: AbortSignal,
): Promise<Float64Array> {
  const line = fitLine(column);
  const flat = subtract(column, line);
  const plain = sumOf(await decompose(flat, period, averageCycles, signal));
  if (!week) return add(line, plain);
  // The level spans a week, too: one of a day would follow the weekend, but for the ends, where it is one-sided.
  const weekly = sumOf(await decompose(flat, week, averageAlikeDays, signal));
  const rest = subtract(flat, weekly);
  const level = await followLevel(rest, levelHalfWidth(column.length, week / DAYS_OF_WEEK), signal);
  const followed = add(weekly, level);
  const best = isBetter(flat, weekly, followed) ? weekly : followed;
  return add(line, isBetter(flat, best, plain) ? best : plain);
}

/**
 * The seasonal part of the expected values, which no change of the level is part of; 0 without a season.
 * @param seasons of which a week counts only if it reduces the error
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export async function seasonsOf(
  column: Float64Array,
  { period, week }: Seasons,
  signal: AbortSignal,
): Promise<Float64Array> {
  // Without the line, whose slope a change of the level would tilt.
  const plain = await decompose(column, period, averageCycles, signal);
  if (!week) return plain.seasons;
  const weekly = await decompose(column, week, averageAlikeDays, signal);
  return (isBetter(column, sumOf(weekly), sumOf(plain)) ? weekly : plain).seasons;
}

/** Parts of an expectation. */
interface Parts {
  readonly level: Float64Array;
  readonly seasons: Float64Array;
}

function sumOf({ level, seasons }: Parts): Float64Array {
  return add(level, seasons);
}

type Average = (column: Float64Array, period: number, signal: AbortSignal) => Promise<Float64Array>;

/** Level and season together, each from what the other leaves. @param period 0 = no season */
async function decompose(
  flat: Float64Array,
  period: number,
  average: Average,
  signal: AbortSignal,
): Promise<Parts> {
  const reach = levelHalfWidth(flat.length, period);
  let seasons: Float64Array = new Float64Array(flat.length);
  let level = await followLevel(flat, reach, signal);
  for (let pass = 0; period && pass < PASSES; pass++) {
    seasons = await average(subtract(flat, level), period, signal);
    level = await followLevel(subtract(flat, seasons), reach, signal);
  }
  return { level, seasons };
}

/** Whether one expectation errs less than another by more than chance: at most times, or at some and no more at most. */
function isBetter(column: Float64Array, one: Float64Array, other: Float64Array): boolean {
  const [rest, otherRest] = [subtract(column, one), subtract(column, other)];
  const [usual, otherUsual] = [errorOf(rest), errorOf(otherRest)];
  if (usual < (1 - MIN_IMPROVEMENT) * otherUsual) return true;
  const most = MAX_ERROR * otherUsual;
  const sometimes = clippedMean(rest, most) < (1 - MIN_IMPROVEMENT) * clippedMean(otherRest, most);
  return sometimes && usual < MAX_WORSENING * otherUsual;
}

/** Mean size of what is present, none above `most`. */
function clippedMean(rest: Float64Array, most: number): number {
  const sizes = rest.filter(Number.isFinite).map((error) => Math.min(most, Math.abs(error)));
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}

/** Points from which the network has its full weight; below, in proportion. */
const NETWORK_FULL_WEIGHT_POINTS = 1000;
/** Error below which accuracies are equal, as a share of the series' deviation. */
const ACCURACY_FLOOR = 1e-3;

/**
 * Weighted mean of two expectations, by the inverse of their median errors.
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
  // By a ratio, which stays a number where accuracies overflow.
  const ratio =
    accuracyOf(companions) / (accuracyOf(network) * Math.min(1, points / NETWORK_FULL_WEIGHT_POINTS));
  const share = Number.isNaN(ratio) ? 0 : 1 / (1 + ratio);
  return companions.map((value, i) =>
    Number.isFinite(network[i]!) ? value + share * (network[i]! - value) : value,
  );
}

/** Half-width of the window of the level, in points. @param period 0 = no season */
export function levelHalfWidth(length: number, period: number): number {
  const { share, min, max } = LEVEL_HALF_WIDTH;
  if (period === 0) return Math.min(max, Math.max(min, Math.round(share * length)));
  return period * Math.ceil(MIN_SEASONAL_HALF_WIDTH / period);
}

/** Lagging median of a sliding window, by medians of parts where the window is wide. */
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

/** Medians of every `size` points. */
function mediansOf(column: Float64Array, size: number): Float64Array {
  return Float64Array.from({ length: Math.ceil(column.length / size) }, (_, k) =>
    medianOf(column.subarray(k * size, (k + 1) * size)),
  );
}

/** Weighted median at the same time of the other cycles. */
function averageCycles(column: Float64Array, period: number, signal: AbortSignal): Promise<Float64Array> {
  const noise = noiseBetweenCycles(column, period);
  const sample = new SameTimeSample(2 * MAX_CYCLES);
  const usualAt = (i: number) => {
    sample.clear();
    for (let cycle = -MAX_CYCLES; cycle <= MAX_CYCLES; cycle++) {
      if (cycle === 0) continue;
      const center = i + cycle * period;
      sample.add(column[center] ?? Number.NaN);
      if (period >= MIN_PERIOD_WITH_NEIGHBOURS) sample.addNeighbours(column, center);
    }
    return sample.usual(noise);
  };
  return mapInSteps(column.length, usualAt, signal);
}

function errorOf(rest: Float64Array): number {
  return medianOf(rest.map(Math.abs));
}

function add(a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.from(a, (value, i) => value + b[i]!);
}

/** Difference; missing where either is. */
export function subtract(a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.from(a, (value, i) => value - b[i]!);
}
