// Unlabelled outliers of a training range: points far from the usual values at their time of day or week; pure.
import { DAY_MS } from "../../core/time/time.ts";
import { measure } from "../series.ts";
import { outlierLimit } from "../stats/outliers.ts";
import { fitProfile, Seasonal } from "./seasons/seasonal.ts";
import type { Timeline } from "./timeline.ts";

/** Distance of the limit from the bulk, in units of `outlierLimit`: about nine deviations. */
const LIMIT_DISTANCES = 12;
/** Least limit, as a share of the series' deviation: in a series without noise small deviations are no outliers. */
const MIN_DEVIATION_SHARE = 0.5;
/** Days and weeks before and after a point that it is compared with, and the least number of them. */
const CYCLES = 3;
const MIN_CYCLES = 2;
/** Time by which what recurs may come early or late, ms: a job does not begin at the same second each night. */
const JITTER_MS = 900_000;
/** Distance of a value that comes early or late, as a share of the limit: on a steep slope other values are near, too. */
const JITTERED_SHARE = 0.5;
/** Greatest chance that outliers at any time are at the same one of some cycles, where these are few. */
const MAX_CHANCE = 0.05;
/** Distance from the usual value, in units of that at the same time of other cycles: a job that takes more or less each night. */
const SPREAD_FACTOR = 3;
/** Least number of other days with a value like one at its time, and how much more often than by chance. */
const MIN_DAYS_ALIKE = 4;
const MORE_THAN_CHANCE = 3;
/** Least number where a stretch only begins or ends at another time: a job that takes longer than on most days. */
const MIN_DAYS_OF_EDGE = 2;
/** Number of cycles below which each must hold such a distance, and below which they are few. */
const ALL_CYCLES = 4;
/** Distance from the usual value, as a share of what the calendar takes off there: a weekly job that takes more or less. */
const EFFECT_SHARE = 0.5;

/**
 * Marks the points to leave out of a training.
 * @param column NaN = missing
 * @param normal 1 at points labelled as false alarms, which are never outliers
 * @param effects what the calendar took off each value
 * @returns 1 at outliers
 */
export function markOutliers(
  column: Float64Array,
  timeline: Timeline,
  { normal, effects }: { readonly normal?: Uint8Array; readonly effects?: Float64Array | undefined } = {},
): Uint8Array {
  // What comes at one time of the day is compared with that of other days below.
  const usual = new Seasonal(fitProfile(column, timeline, { findsAlone: false }), timeline);
  const distances = column.map((value, i) => Math.abs(value - usual.expect(i)));
  const limit = Math.max(
    outlierLimit(distances, LIMIT_DISTANCES),
    MIN_DEVIATION_SHARE * measure(column).deviation,
  );
  const leastAt = (i: number) => Math.max(limit, EFFECT_SHARE * Math.abs(effects?.[i] ?? 0));
  const day = DAY_MS / timeline.intervalMs;
  const jitter = Math.floor(JITTER_MS / timeline.intervalMs);
  const share = shareTouched(distances, { limit, jitter });
  const near = JITTERED_SHARE * limit;
  const runs = runsAbove(distances, limit);
  const isEdge = (i: number) => movesEdge(column, i, { run: runs(i), jitter, near });
  const recurs = (i: number) =>
    recursOnSomeDays(column, i, { day, jitter, share, near, isEdge }) ||
    recursInCycles(column, i, { lag: 2 * day, jitter: 0, near: limit, share }) ||
    [day, 7 * day].some(
      (lag) =>
        recursInCycles(column, i, { lag, jitter: 0, near: limit, share }) ||
        recursInCycles(column, i, { lag, jitter, near, share }) ||
        distances[i]! <= SPREAD_FACTOR * spreadOfCycles(distances, i, { lag, jitter }),
    );
  return Uint8Array.from(distances, (distance, i) =>
    Number(distance > leastAt(i) && normal?.[i] !== 1 && !recurs(i)),
  );
}

/** Share of the points with an outlier at or around them, each counted once: noise breaks a job into many runs. */
function shareTouched(distances: Float64Array, { limit, jitter }: { limit: number; jitter: number }): number {
  let [touched, end] = [0, 0];
  for (let i = 0; i < distances.length; i++) {
    if (!(distances[i]! > limit)) continue;
    const from = Math.max(end, i - jitter);
    end = i + jitter + 1;
    touched += end - from;
  }
  return touched / distances.length;
}

interface SomeDays {
  /** Points of a day, and points by which what recurs may come early or late. */
  readonly day: number;
  readonly jitter: number;
  /** Share of the points with an outlier at or around them. */
  readonly share: number;
  /** Distance of values that are alike. */
  readonly near: number;
  readonly isEdge: (i: number) => boolean;
}

/**
 * Whether values like one at its time of day came on some other days, as of a job each third night or each first of a
 * month: far more often than outliers all over the day would.
 */
function recursOnSomeDays(
  column: Float64Array,
  i: number,
  { day, jitter, share, near, isEdge }: SomeDays,
): boolean {
  if (!Number.isInteger(day)) return false;
  let [alike, days] = [0, 0];
  for (let at = i % day; at < column.length; at += day) {
    if (at === i) continue;
    days++;
    const around = column.subarray(Math.max(0, at - jitter), at + jitter + 1);
    if (around.some((value) => Math.abs(value - column[i]!) <= near)) alike++;
  }
  if (alike < MORE_THAN_CHANCE * days * share) return false;
  return alike >= MIN_DAYS_ALIKE || (alike >= MIN_DAYS_OF_EDGE && isEdge(i));
}

/**
 * Whether a value far from the usual one is like the usual values before or after the stretch of such that it is in: what
 * is usual there came early, or lasted.
 */
function movesEdge(
  column: Float64Array,
  i: number,
  { run, jitter, near }: { run: Run; jitter: number; near: number },
): boolean {
  const before = column.subarray(Math.max(0, run.from - jitter), run.from);
  const after = column.subarray(run.to, run.to + jitter);
  return [before, after].some((side) => side.some((value) => Math.abs(value - column[i]!) <= near));
}

/** Points in a row, from the first one up to the one after the last. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** The run above a limit that a point above it is in. */
function runsAbove(distances: Float64Array, limit: number): (i: number) => Run {
  const isAbove = (i: number) => distances[i]! > limit;
  const [from, to] = [new Int32Array(distances.length), new Int32Array(distances.length)];
  for (let i = 0; i < distances.length; i++) from[i] = isAbove(i - 1) ? from[i - 1]! : i;
  for (let i = distances.length - 1; i >= 0; i--) to[i] = isAbove(i + 1) ? to[i + 1]! : i + 1;
  return (i) => ({ from: from[i]!, to: to[i]! });
}

/** Points of a cycle, and points by which one may be shorter or longer. */
interface Cycle {
  readonly lag: number;
  readonly jitter: number;
}

/**
 * The greatest distance that all whole cycles before and after reach but one, of fewer than four all; 0 if they are too
 * few. Of many spikes at any time, some are at the same time of half of the cycles.
 * @param distances from the usual value; NaN = missing
 */
function spreadOfCycles(distances: Float64Array, i: number, cycle: Cycle): number {
  const most = valuesOfCycles(distances, i, cycle).map((around) => around.reduce((a, b) => Math.max(a, b)));
  if (most.length < MIN_CYCLES) return 0;
  return most.toSorted((a, b) => a - b)[most.length < ALL_CYCLES ? 0 : 1]!;
}

/**
 * Whether values like one came at its time of half of the whole cycles before and after, and not by chance; false where
 * these are too few.
 */
function recursInCycles(
  column: Float64Array,
  i: number,
  { near, share, ...cycle }: Cycle & Pick<SomeDays, "near" | "share">,
): boolean {
  const cycles = valuesOfCycles(column, i, cycle);
  const alike = cycles.filter((around) =>
    around.some((value) => Math.abs(column[i]! - value) <= near),
  ).length;
  if (cycles.length < MIN_CYCLES || 2 * alike < cycles.length) return false;
  return cycles.length >= ALL_CYCLES || chanceOf(alike, cycles.length, share) <= MAX_CHANCE;
}

/** Bound of the chance that as many of some cycles have what a share of the points has. */
function chanceOf(alike: number, cycles: number, share: number): number {
  let chance = 1;
  for (let k = 0; k < alike; k++) chance *= (share * (cycles - k)) / (k + 1);
  return chance;
}

/** Known values around the same time of the cycles before and after; none where cycles are no whole points. */
function valuesOfCycles(column: Float64Array, i: number, { lag, jitter }: Cycle): Float64Array[] {
  if (!Number.isInteger(lag)) return [];
  const cycles: Float64Array[] = [];
  for (let k = -CYCLES; k <= CYCLES; k++) {
    if (k === 0) continue;
    const at = i + k * lag;
    const around = column.subarray(Math.max(0, at - jitter), Math.max(0, at + jitter + 1));
    const known = around.filter(Number.isFinite);
    if (known.length > 0) cycles.push(known);
  }
  return cycles;
}
