// Errors that a level which wanders more or less makes ahead, from all values of a history (Kalman filter); pure.
import { bendOfLevel } from "./bend.ts";
import type { Level } from "./view.ts";

/** Variances of the wandering per interval, in those of the noise: none, to nearly a random walk. */
const WANDERINGS = [0, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
/** Least number of independent errors. */
const LEAST_FREE = 3;
/** Numbers of a break: its place, chosen among many, and the line after it. */
const BREAK_NUMBERS = 5;
/** Ratio of errors ahead to those of a description that was chosen by the same values. */
const CHOICE = 1.25;
/** Mean magnitude of a normal error, in its deviations. */
const MEAN_OF_NORMAL = Math.sqrt(2 / Math.PI);

/** A history without some of its seasons. */
interface Followed extends Pick<Level, "values" | "spiky" | "starts" | "slope" | "drift" | "restore"> {
  /** Numbers that the season consists of. */
  readonly places: number;
}

interface Known {
  /** Whether the error of a slope is one of the errors. */
  readonly isSloping: boolean;
}

/** Forecast of the levels and its errors, by lead, and how many independent errors they are known from. */
export interface LevelErrors {
  readonly valueAt: (lead: number) => number;
  /** Typical error, in units of the levels. */
  readonly errorAt: (lead: number) => number;
  readonly sample: number;
}

interface Hypothesis {
  /** Variance of the error at a lead. */
  readonly varianceAt: (lead: number) => number;
  readonly valueAt: (lead: number) => number;
  /** Independent errors. */
  readonly free: number;
  /** Logarithm. */
  readonly likelihood: number;
}

/**
 * Errors of following a level from its last value on: its noise, how far it wanders by then, and how little is known of
 * it, of its season and of its slope. A mean over how fast it may wander, and over the levels, each as likely as the
 * values make it for the numbers that it takes (Schwarz 1978).
 * @param levels a history without its season, moved to the present level and not, and without breaks alone
 * @returns undefined where the history is too short for them
 */
export function levelErrors(levels: readonly Followed[], known: Known): LevelErrors | undefined {
  const all = levels
    .flatMap((level) => hypothesesOf(level, known))
    // Squares of huge values are none.
    .filter(({ likelihood }) => Number.isFinite(likelihood));
  if (all.length === 0) return undefined;
  const most = Math.max(...all.map(({ likelihood }) => likelihood));
  const shares = all.map(({ likelihood }) => Math.exp(likelihood - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const meanOf = (of: (one: Hypothesis) => number) =>
    all.reduce((sum, one, k) => sum + (shares[k]! / total) * of(one), 0);
  const spikes = meanSpike(levels[0]!);
  return {
    valueAt: (lead) => meanOf(({ valueAt }) => valueAt(lead)),
    errorAt: (lead) =>
      CHOICE * MEAN_OF_NORMAL * Math.sqrt(meanOf(({ varianceAt }) => varianceAt(lead))) + spikes,
    sample: meanOf(({ free }) => free),
  };
}

/** Errors of a bend that goes on: its noise, and how little is known of it; undefined where a level has none. */
export function bendErrors(
  level: Pick<Level, "values" | "spiky" | "drift" | "restore">,
): LevelErrors | undefined {
  const bend = bendOfLevel(level);
  if (!bend) return undefined;
  return {
    valueAt: (lead) => level.restore(bend.at(lead) + level.drift * Math.max(0, lead), lead),
    errorAt: (lead) => CHOICE * MEAN_OF_NORMAL * bend.errorAt(lead),
    sample: bend.free,
  };
}

/** Mean magnitude of the spikes, over all values; the largest one may not come again. */
function meanSpike({ values, spiky }: Pick<Level, "values" | "spiky">): number {
  const heights = spiky.map((value, i) => Math.abs(value - values[i]!)).filter(Number.isFinite);
  const sum = heights.reduce((total, height) => total + height, 0);
  return (sum - Math.max(...heights)) / heights.length;
}

function hypothesesOf(level: Followed, { isSloping }: Known): Hypothesis[] {
  const { values, starts, slope, drift, places } = level;
  const count = values.filter(Number.isFinite).length;
  const numbers = places + 1 + Number(slope !== 0) + BREAK_NUMBERS * (starts.length - 1);
  const free = count - numbers;
  if (free < LEAST_FREE) return [];
  const own = slope - drift;
  const flat = values.map((value, i) => value - own * i);
  const span = values.length - starts.at(-1)!;
  return WANDERINGS.map((wandering) => {
    const { squares, logs, last, unknown } = filter(flat, starts, wandering);
    const fit = (count - 1) * Math.log(Math.max(squares / (count - 1), Number.MIN_VALUE)) + logs;
    const lineAt = (lead: number) =>
      (12 / span ** 3) * (span / 2 + lead) ** 2 + (wandering / span) * (lead + 1) ** 2;
    const varianceAt = (lead: number) =>
      1 + places / count + unknown + wandering * lead + (isSloping && slope !== 0 ? lineAt(lead) : 0);
    const valueAt = (lead: number) =>
      level.restore(last + own * (values.length + lead) + drift * Math.max(0, lead), lead);
    return {
      varianceAt: (lead) => (squares / free) * varianceAt(lead),
      valueAt,
      free,
      likelihood: -(fit + numbers * Math.log(count)) / 2,
    };
  });
}

/** Squared errors of each next value in their variances, logarithms of these, and the level at the end with its variance. */
function filter(
  values: Float64Array,
  starts: readonly number[],
  wandering: number,
): { readonly squares: number; readonly logs: number; readonly last: number; readonly unknown: number } {
  let [level, unknown] = [Number.NaN, Number.POSITIVE_INFINITY];
  let [squares, logs] = [0, 0];
  const breaks = new Set(starts);
  for (let i = 0; i < values.length; i++) {
    // Nothing is known of the level after a break.
    if (breaks.has(i)) unknown = Number.POSITIVE_INFINITY;
    const value = values[i]!;
    if (Number.isFinite(value)) {
      if (unknown === Number.POSITIVE_INFINITY) [level, unknown] = [value, 1];
      else {
        const variance = unknown + 1;
        squares += (value - level) ** 2 / variance;
        logs += Math.log(variance);
        level += (unknown / variance) * (value - level);
        unknown /= variance;
      }
    }
    unknown += wandering;
  }
  return { squares, logs, last: level, unknown };
}
