// Recorded scores of consecutive intervals: four Float32 per interval and feature; a block of them fits one page.
import type { Deviation } from "../related/deviation.ts";

/** Numbers per interval and feature: expected, lower, upper, score. */
const WIDTH = 4;
/** Values of a full block: 3840 bytes, which a page of the database holds beside the row's head. */
const BLOCK_VALUES = 960;
/** Fewest intervals of a block, whatever the number of features. */
const MIN_INTERVALS = 8;

/** What the intervals of a run have in common. */
interface ScoreLayout {
  /** Name of the version that scored them. */
  readonly version: string;
  readonly intervalMs: number;
  /** Names, in the order of the values. */
  readonly features: readonly string[];
}

/** Consecutive intervals of one layout. */
export interface ScoreRun extends ScoreLayout {
  /** Start of the first interval, ms since the epoch. */
  readonly startAt: number;
  /** Per interval and feature: expected, lower, upper, score; NaN where nothing is recorded, or nothing was observed. */
  readonly values: Float32Array;
}

/** The run of an evaluated window, with the deviations in it. */
export interface ScoredRun extends ScoreRun {
  readonly deviations: readonly Deviation[];
}

/** One value per interval of a grid, NaN where nothing is recorded. */
export interface ScoreColumns {
  readonly expected: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly score: Float64Array;
}

/**
 * Appends a run to blocks.
 * @param last the last block that does not start after the run; absent: there is none
 * @returns blocks to store, the first in place of `last` if `isJoined`; an interval that is recorded stays as it is
 */
export function appendRun(
  last: ScoreRun | undefined,
  run: ScoreRun,
): { readonly blocks: readonly ScoreRun[]; readonly isJoined: boolean } {
  const { features, intervalMs } = run;
  const width = features.length * WIDTH;
  if (width === 0 || run.values.length === 0) return { blocks: [], isJoined: false };
  const size = Math.max(MIN_INTERVALS, Math.floor(BLOCK_VALUES / width));
  const blocks: ScoreRun[] = [];
  let taken = 0;
  const first = last && isSameLayout(last, run) ? (run.startAt - last.startAt) / intervalMs : size;
  const isJoined = last !== undefined && Number.isInteger(first) && first < size;
  if (isJoined) {
    taken = Math.min(run.values.length / width, size - first);
    blocks.push({
      ...last,
      values: overlay(last.values, run.values.subarray(0, taken * width), first * width),
    });
  }
  for (; taken * width < run.values.length; taken += size) {
    const values = run.values.slice(taken * width, (taken + size) * width);
    blocks.push({ ...run, startAt: run.startAt + taken * intervalMs, values });
  }
  return { blocks, isJoined };
}

/** Columns of one feature over a grid; runs of another interval are left out, of overlapping ones the last counts. */
export function toColumns(
  runs: readonly ScoreRun[],
  { feature, startAt, intervalMs, length }: ColumnsRequest,
): ScoreColumns {
  const empty = () => new Float64Array(length).fill(Number.NaN);
  const columns = { expected: empty(), lower: empty(), upper: empty(), score: empty() };
  for (const run of runs) {
    const offset = run.features.indexOf(feature) * WIDTH;
    const first = (run.startAt - startAt) / intervalMs;
    if (offset < 0 || run.intervalMs !== intervalMs || !Number.isInteger(first)) continue;
    const width = run.features.length * WIDTH;
    const count = run.values.length / width;
    for (let i = Math.max(0, -first); i < count && first + i < length; i++) {
      const at = i * width + offset;
      if (Number.isNaN(run.values[at]!)) continue;
      columns.expected[first + i] = run.values[at]!;
      columns.lower[first + i] = run.values[at + 1]!;
      columns.upper[first + i] = run.values[at + 2]!;
      columns.score[first + i] = run.values[at + 3]!;
    }
  }
  return columns;
}

interface ColumnsRequest {
  readonly feature: string;
  /** Grid of the columns; `startAt` in ms since the epoch. */
  readonly startAt: number;
  readonly intervalMs: number;
  readonly length: number;
}

function isSameLayout(a: ScoreLayout, b: ScoreLayout): boolean {
  return (
    a.version === b.version &&
    a.intervalMs === b.intervalMs &&
    a.features.length === b.features.length &&
    a.features.every((name, i) => name === b.features[i])
  );
}

/** `added` from index `from` on, where `known` has no value. */
function overlay(known: Float32Array, added: Float32Array, from: number): Float32Array {
  const values = new Float32Array(Math.max(known.length, from + added.length)).fill(Number.NaN);
  values.set(known);
  for (const [i, value] of added.entries()) if (Number.isNaN(values[from + i]!)) values[from + i] = value;
  return values;
}
