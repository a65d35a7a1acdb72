// Burst of a series: a jump away from its level that fades, as after a post that is shared; members would take its fall for a slope; pure.
import { awayOf } from "./away.ts";

/** Least number of values since the peak. */
const MIN_VALUES = 4;
/** Most values of a burst, as a share of the window. */
const MAX_SHARE = 1 / 4;
/** Share of the peak that is left at most: a level that stays has not faded. */
const MOST_LEFT = 0.75;
/** Squared errors of the fall, as a share of those around its mean, above which it is none. */
const MAX_REST = 0.1;

/** What is left of a burst that began within a window and has not ended. */
export interface Burst {
  /** Index of its first value in the window. */
  readonly from: number;
  /** What it adds at a lead after the window: 0 = the next interval. */
  readonly at: (lead: number) => number;
}

/** A line or an exponential through a fall, by the distance from the peak. */
interface Fall {
  readonly value: (age: number) => number;
  readonly rest: number;
}

/**
 * The burst at the end of a level; undefined without one.
 * @param level NaN = missing
 * @param cycles in values: what was away a cycle ago, too, is a season that is not yet known
 */
export function burstOf(
  level: Float64Array,
  cycles: readonly number[],
  away = awayOf(level),
): Burst | undefined {
  if (!away) return undefined;
  const heightAt = (i: number) => level[i]! - away.usual[i]!;
  const last = level.findLastIndex(Number.isFinite);
  const sign = Math.sign(heightAt(last));
  const isAway = (i: number) => sign * heightAt(i) > away.distance;
  if (!isAway(last)) return undefined;
  const known = [...level.keys()].filter((i) => Number.isFinite(level[i]!));
  const first = known.findLastIndex((i) => !isAway(i)) + 1;
  const run = known.slice(first);
  if (first === 0 || run.length > MAX_SHARE * known.length) return undefined;
  const top = run.reduce((best, i, k) => (sign * heightAt(i) > sign * heightAt(run[best]!) ? k : best), 0);
  const fallen = run.slice(top);
  if (fallen.length < Math.max(MIN_VALUES, top + 1)) return undefined;
  const peak = fallen[0]!;
  if (cycles.some((cycle) => isAway(Math.round(peak - cycle)))) return undefined;
  const ages = fallen.map((i) => i - peak);
  const fall = fallOf(
    ages,
    fallen.map((i) => sign * heightAt(i)),
  );
  if (!fall || fall.value(ages.at(-1)!) > MOST_LEFT * fall.value(0)) return undefined;
  const next = level.length - peak;
  return { from: run[0]!, at: (lead) => sign * Math.max(0, fall.value(next + Math.max(0, lead))) };
}

/** The fall that fits better, by a share or by an amount each interval; undefined where neither does. */
function fallOf(ages: readonly number[], heights: readonly number[]): Fall | undefined {
  const mean = heights.reduce((sum, height) => sum + height, 0) / heights.length;
  const spread = heights.reduce((sum, height) => sum + (height - mean) ** 2, 0);
  const straight = lineThrough(ages, heights, () => 1);
  // Logarithms are as uncertain as the values are small.
  const logs = lineThrough(ages, heights.map(Math.log), (k) => heights[k]! ** 2);
  const withRest = (value: Fall["value"]): Fall => ({
    value,
    rest: heights.reduce((sum, height, k) => sum + (height - value(ages[k]!)) ** 2, 0),
  });
  const falls = [withRest((age) => Math.exp(logs(age))), withRest(straight)];
  const [best] = falls.toSorted((a, b) => a.rest - b.rest);
  return best!.rest < MAX_REST * spread ? best : undefined;
}

/** Weighted least squares. */
function lineThrough(
  ages: readonly number[],
  values: readonly number[],
  weightOf: (k: number) => number,
): (age: number) => number {
  let [weight, t, y, tt, ty] = [0, 0, 0, 0, 0];
  for (const [k, value] of values.entries()) {
    const [own, age] = [weightOf(k), ages[k]!];
    weight += own;
    t += own * age;
    y += own * value;
    tt += own * age * age;
    ty += own * age * value;
  }
  const slope = (ty - (t * y) / weight) / (tt - (t * t) / weight);
  return (age) => y / weight + slope * (age - t / weight);
}
