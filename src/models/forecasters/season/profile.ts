// Profile of a season: what each place in the cycle adds, as medians by place or as a few waves; pure.
import { mediansByPlace } from "../../stats/medians-by-place.ts";
import { solve } from "../../stats/solve.ts";
import { type Cycle, type Cycles, cyclesOf, type SeasonSet } from "./cycles.ts";

/** A season of this length or more, of few cycles, is a smooth curve: a value of its own per place would be noise. */
const MIN_SMOOTH_LENGTH = 26;
const MAX_SMOOTH_CYCLES = 6;
/** Waves of a smooth season. */
const WAVES = 5;

/** A season of a column that ends at `length`. */
export interface Profile {
  /** Amount at an index of the column, future ones included. */
  readonly at: (i: number) => number;
}

/** Whether a season is taken as waves: a long year, of few of them. */
function isSmooth({ name, length }: Cycle, points: number): boolean {
  return name === "year" && length >= MIN_SMOOTH_LENGTH && points < MAX_SMOOTH_CYCLES * length;
}

/** Numbers that the seasons of a set consist of. */
export function placesOfSeason(cycles: Cycles, set: SeasonSet, points: number): number {
  const own = cyclesOf(cycles, set).map((cycle) =>
    isSmooth(cycle, points) ? 2 * WAVES : Math.round(cycle.length) - 1,
  );
  return own.reduce((sum, places) => sum + places, 0);
}

/** First estimate, before any trend is known. @param column at least two cycles; NaN = missing */
export function firstProfile(column: Float64Array, own: Cycle): Profile {
  const cycle = own.length;
  if (isSmooth(own, column.length)) return wavesOf(column, cycle, true);
  const rest = minusCentredMean(column, Math.round(cycle));
  return placesOf(rest, cycle);
}

/** The column without the mean of a cycle around each value; NaN at the ends, where a trend would shift it. */
function minusCentredMean(column: Float64Array, width: number): Float64Array {
  const { length } = column;
  const half = width >> 1;
  const rest = new Float64Array(length).fill(Number.NaN);
  // Of an even cycle, the mean of two windows.
  const shift = width % 2 === 0 ? 1 : 0;
  let [sum, count] = [0, 0];
  const add = (i: number, sign: number) => {
    const value = column[i]!;
    if (Number.isNaN(value)) return;
    sum += sign * value;
    count += sign;
  };
  for (let i = 0; i < Math.min(width, length); i++) add(i, 1);
  for (let i = half; i < length - half; i++) {
    const [early, seen] = [sum, count];
    const next = i - half + width;
    if (next < length) {
      add(i - half, -1);
      add(next, 1);
    }
    const [both, total] = shift === 1 ? [early + sum, seen + count] : [early, seen];
    if (total > 0) rest[i] = column[i]! - both / total;
  }
  return rest;
}

/** Estimate from a column without its trend. */
export function profileOf(flat: Float64Array, cycle: Cycle): Profile {
  return isSmooth(cycle, flat.length) ? wavesOf(flat, cycle.length, false) : placesOf(flat, cycle.length);
}

/** Medians by place; places are counted from the start of the column. */
function placesOf(flat: Float64Array, cycle: number): Profile {
  const count = Math.max(1, Math.round(cycle));
  const perPlace = count / cycle;
  // Whole cycles, as most are, need no rounding.
  const placeOf = Number.isInteger(cycle)
    ? (i: number) => ((i % count) + count) % count
    : (i: number) => Math.min(count - 1, Math.floor((((i % cycle) + cycle) % cycle) * perPlace));
  const raw = mediansByPlace(flat, count, placeOf);
  const present = raw.filter(Number.isFinite);
  const mean = present.reduce((sum, value) => sum + value, 0) / Math.max(1, present.length);
  const amounts = raw.map((value) => (Number.isFinite(value) ? value - mean : 0));
  return { at: (i) => amounts[placeOf(i)]! };
}

/** Waves by least squares. @param hasTrend whether a straight trend is still in the column */
function wavesOf(column: Float64Array, cycle: number, hasTrend: boolean): Profile {
  const size = 2 * WAVES + 1 + Number(hasTrend);
  const length = column.length;
  const terms = (i: number) => {
    const row = [1];
    for (let k = 1; k <= WAVES; k++) {
      const angle = (2 * Math.PI * k * i) / cycle;
      row.push(Math.cos(angle), Math.sin(angle));
    }
    if (hasTrend) row.push((2 * i) / length - 1);
    return row;
  };
  const matrix = Array.from({ length: size }, () => new Float64Array(size));
  const right = new Float64Array(size);
  for (let i = 0; i < length; i++) {
    const value = column[i]!;
    if (Number.isNaN(value)) continue;
    const row = terms(i);
    for (let a = 0; a < size; a++) {
      right[a]! += row[a]! * value;
      for (let b = 0; b <= a; b++) matrix[a]![b]! += row[a]! * row[b]!;
    }
  }
  const factors = solve(matrix, right);
  return {
    at: (i) => {
      const row = terms(i);
      let sum = 0;
      for (let k = 1; k <= 2 * WAVES; k++) sum += factors[k]! * row[k]!;
      return sum;
    },
  };
}
