// Long runs: stretches at one value, or at one of two levels, several times as long as any other one alike; pure.
import { findTwoLevels } from "../detectors/seasons/two-levels.ts";
import { meanOf } from "../stats/mean.ts";
import { medianOf } from "../stats/median.ts";
import { fitTail, tailDecades } from "../stats/tail.ts";

/** Least length of a long run in lengths of the longest other one, and how rare it is among them, decades. */
const MIN_TIMES = 3;
const MIN_DECADES = 5;
/** That length by the spread of the others: times the root of how often the longest holds the median one. */
const SPREAD_FACTOR = 2;
/** Least number of other runs. */
const MIN_OTHERS = 10;
/** Most long runs at values to pass: of more, they are a habit. */
const MAX_LONG = 5;
/** Days below which a run at a level of its own is no longer than one: a weekend may be the first. */
const MIN_DAYS = 21;

export interface LongRun {
  /** Index of its first point, and the one after its last. */
  readonly from: number;
  readonly to: number;
  /** Without missing ones. */
  readonly points: number;
  /** Points of the longest other run alike. */
  readonly usual: number;
  /** "value": all its points are equal. "level": all are at one of two levels. */
  readonly at: "value" | "level";
  /** -log10 of the share of runs alike that are as long. */
  readonly decades: number;
}

/**
 * Direction of a run: of one at a level, whether that is below the mean of all, as the course may have followed it.
 * @param errors observed minus expected
 */
export function directionOfRun(
  { at, from, to }: LongRun,
  column: Float64Array,
  errors: Float64Array,
): 1 | -1 {
  const off =
    at === "level" ? meanOf(column.subarray(from, to)) - meanOf(column) : meanOf(errors.subarray(from, to));
  return off < 0 ? -1 : 1;
}

interface Run {
  readonly from: number;
  to: number;
  /** Without missing ones. */
  points: number;
  readonly value: number;
}

export interface LongRunsInput {
  /** NaN = missing. */
  readonly column: Float64Array;
  /** Length of a day in intervals; absent where it is not known. */
  readonly day?: number | undefined;
  /** Largest share of a run in the column. */
  readonly maxAnomalyRatio: number;
}

/** @returns in order of time, none overlapping with another */
export function findLongRuns(input: LongRunsInput): LongRun[] {
  const levels = longRunsOfLevels(input);
  const isNew = (run: LongRun) => levels.every(({ from, to }) => run.to <= from || to <= run.from);
  return [...levels, ...longRunsOfValues(input).filter(isNew)].sort((a, b) => a.from - b.from);
}

/** Share of the run beyond the usual length. */
export function severityOf({ points, usual }: LongRun): number {
  return 1 - usual / points;
}

function longRunsOfLevels(input: LongRunsInput): LongRun[] {
  const { column } = input;
  const levels = findTwoLevels(column.filter(Number.isFinite).sort());
  if (!levels) return [];
  const middle = levels.lower + (levels.upper - levels.lower) / 2;
  const runs = runsOf(column.map((value) => (Number.isNaN(value) ? value : Number(value > middle))));
  return [0, 1].flatMap((side) =>
    longestOf(
      runs.filter(({ value }) => value === side),
      input,
    ).map((run) => ({ ...run, at: "level" as const })),
  );
}

function longRunsOfValues(input: LongRunsInput): LongRun[] {
  const all = runsOf(input.column);
  const usual = medianOf(all.map(({ points }) => points));
  const [rests, others]: [Run[][], Run[]] = [[], []];
  for (const runs of Map.groupBy(all, ({ value }) => value).values()) {
    // Of a curve that is rounded, any value may last where the curve turns.
    const isRest =
      runs.length > MIN_OTHERS && medianOf(runs.map(({ points }) => points)) >= MIN_TIMES * usual;
    if (isRest) rests.push(runs);
    else others.push(...runs);
  }
  const long = [...rests.flatMap((runs) => longestOf(runs, input)), ...longOf(others, input)];
  return long.map((run) => ({ ...run, at: "value" }));
}

/** The longest of runs at a level of its own, if it is long. */
function longestOf(runs: readonly Run[], { day, ...input }: LongRunsInput): Omit<LongRun, "at">[] {
  const found = splitLong(runs, 1, input);
  return found.filter(
    ({ from, to }) => day === undefined || to - from <= day || input.column.length >= MIN_DAYS * day,
  );
}

/** The long ones of runs at any value but those to rest at, as one for long twice, or the least or greatest one. */
function longOf(runs: readonly Run[], input: LongRunsInput): Omit<LongRun, "at">[] {
  const sorted = input.column.filter(Number.isFinite).sort();
  const found = splitLong(runs, MAX_LONG, input);
  return found.filter(({ value, points }) => {
    const alike = runs.filter((other) => other.value === value && MIN_TIMES * other.points >= points);
    return value > sorted[0]! && value < sorted.at(-1)! && alike.length === 1;
  });
}

/** Those of the longest runs that are several times as long as all others. @param most number of them */
function splitLong(
  runs: readonly Run[],
  most: number,
  { column, maxAnomalyRatio }: Omit<LongRunsInput, "day">,
): (Omit<LongRun, "at"> & Run)[] {
  const sorted = runs.toSorted((a, b) => b.points - a.points);
  for (let count = Math.min(most, sorted.length - MIN_OTHERS); count > 0; count--) {
    const [long, others] = [sorted.slice(0, count), sorted.slice(count)];
    const usual = others[0]!.points;
    const times = Math.max(
      MIN_TIMES,
      SPREAD_FACTOR * Math.sqrt(usual / medianOf(others.map(({ points }) => points))),
    );
    if (long.at(-1)!.points < times * usual) continue;
    const tail = fitTail(Float64Array.from(others, ({ points }) => points));
    return long
      .map((run) => ({ ...run, usual, decades: tailDecades(tail, run.points) }))
      .filter(({ decades, points }) => decades >= MIN_DECADES && points <= maxAnomalyRatio * column.length);
  }
  return [];
}

/** Runs of equal values; a missing one neither ends a run nor counts. */
function runsOf(column: Float64Array): Run[] {
  const runs: Run[] = [];
  for (const [i, value] of column.entries()) {
    if (Number.isNaN(value)) continue;
    let run = runs.at(-1);
    if (run?.value !== value) {
      run = { from: i, to: i, points: 0, value };
      runs.push(run);
    }
    run.to = i + 1;
    run.points++;
  }
  return runs;
}
