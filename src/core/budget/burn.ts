// Burn rates: how fast intervals consume an error budget; 1 exhausts it exactly at the end of its window; pure.

/** Columns of equal length, NaN where nothing is known. */
export interface Counts {
  readonly bad: Float64Array;
  readonly total: Float64Array;
  /** Intervals with a negative value, or with more good or bad ones than there are in all: their values are NaN. */
  readonly impossible: number;
}

/** Counts that end now; their length is the window. */
export interface BudgetSeries {
  readonly counts: Counts;
  /** ms since the epoch */
  readonly startAt: number;
  readonly stepMs: number;
}

interface Parts {
  readonly total: Float64Array;
  readonly good?: Float64Array | undefined;
  readonly bad?: Float64Array | undefined;
}

/** Rounding of sums that were read, relative to the total. */
const ROUNDING = 1e-9;

/** What failed, of how much. An interval without requests has 0 of 0, whether or not the other column knows it. */
export function countsOf({ total: all, good, bad: failed }: Parts): Counts {
  const bad = new Float64Array(all.length).fill(Number.NaN);
  const total = new Float64Array(all.length).fill(Number.NaN);
  let impossible = 0;
  for (let i = 0; i < all.length; i++) {
    const whole = all[i]!;
    const part = (good ?? failed)![i]!;
    const value = whole === 0 && Number.isNaN(part) ? 0 : good ? whole - part : part;
    if (Number.isNaN(value) || Number.isNaN(whole)) continue;
    const rounding = ROUNDING * Math.abs(whole);
    if (whole < 0 || value < -rounding || value > whole + rounding) {
      impossible++;
      continue;
    }
    bad[i] = Math.min(whole, Math.max(0, value));
    total[i] = whole;
  }
  return { bad, total, impossible };
}

/** The burn rate of each interval; NaN where nothing is known, and without requests. */
export function burnRates({ bad, total }: Counts, objective: number): Float64Array {
  return bad.map((failed, i) => (total[i]! > 0 ? failed / total[i]! / (1 - objective) : Number.NaN));
}
