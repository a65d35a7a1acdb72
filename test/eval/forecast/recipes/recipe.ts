// Recipe of a series whose continuation anyone can say: the points, the days ahead, and the error that is tolerated.
import { createRandom, type Random } from "../../../../wasm/random.ts";

export interface Point {
  /** Seconds since the epoch, or ISO 8601. */
  readonly timestamp: number | string;
  readonly value: number;
}

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export interface Recipe {
  /** Family it is counted in. */
  readonly kind: string;
  /** Unique within its kind. */
  readonly name: string;
  readonly series: readonly Point[];
  /** Fields of the request beside the points, the horizon and the level. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Times of the forecast, seconds since the epoch. */
  readonly dates: readonly number[];
  /** The continuation without noise. */
  readonly truth: readonly number[];
  /** Continuations that are as good as the truth. */
  readonly alternatives: readonly (readonly number[])[];
  /** The continuation with noise, as it would be observed; it is what the band must hold. */
  readonly observed: readonly number[];
  /** Mean absolute error from the truth that is tolerated. */
  readonly tolerance: number;
  /** Mean standard deviation of the noise over the horizon; 0: none. */
  readonly noise: number;
  /** Neither forecast nor band may leave them. */
  readonly bounds: Bounds;
  /** Mean width of the band above which it says nothing; absent: not judged. */
  readonly widest?: number;
}

/** What a recipe is made from; `i` counts the points from 0, `at` is their time in seconds. */
export interface Plan {
  readonly name: string;
  /** Time of a point, seconds since the epoch. */
  readonly at: (i: number) => number;
  readonly length: number;
  readonly horizon: number;
  /** Value without noise. */
  readonly value: (i: number, at: number) => number;
  /** Standard deviation of the noise; of the value for noise that grows with it. */
  readonly noise?: number | ((value: number) => number);
  readonly tolerance: number;
  /** What was recorded, from what happened: rounding, bounds, outliers; NaN leaves the point out. */
  readonly record?: (value: number, i: number) => number;
  readonly alternatives?: readonly ((i: number, at: number) => number)[];
  readonly options?: Readonly<Record<string, unknown>>;
  readonly bounds?: Bounds;
  /** Times as dates, as in 2024-01-31. */
  readonly isDated?: boolean;
  /** Whether a wide band may be honest. */
  readonly isUncertain?: boolean;
  /** Mean width of the band, in deviations of the noise, above which it says nothing; default: by the tolerance, too. */
  readonly widest?: number;
}

/** A band of 90 % is 3.3 standard deviations wide. */
const WIDEST_BAND = 12;
const WIDEST_TOLERANCE = 4;

/** Makes the recipes of one kind. @param seed of the noise; each recipe has a sequence of its own */
export function makeRecipes(kind: string, seed: number, plans: readonly Plan[]): Recipe[] {
  return plans.map((plan) => makeRecipe(kind, plan, createRandom(hash(`${seed} ${kind} ${plan.name}`))));
}

function makeRecipe(kind: string, plan: Plan, random: Random): Recipe {
  const { length, horizon, value, noise = 0, record = (x: number) => x } = plan;
  const times = Array.from({ length: length + horizon }, (_, i) => plan.at(i));
  const clean = times.map((at, i) => value(i, at));
  const deviations = clean.map((x) => (typeof noise === "number" ? noise : noise(x)));
  const seen = clean.map((x, i) => record(x + deviations[i]! * random.normal(), i));
  const points = seen.slice(0, length).map((x, i) => ({ timestamp: stamp(times[i]!, plan), value: x }));
  const meanNoise = meanOf(deviations.slice(length));
  const continuation = (of: Plan["value"]) => times.slice(length).map((at, k) => of(length + k, at));
  return {
    kind,
    name: plan.name,
    series: points.filter(({ value: x }) => !Number.isNaN(x)),
    options: plan.options ?? {},
    dates: times.slice(length),
    truth: clean.slice(length),
    alternatives: (plan.alternatives ?? []).map(continuation),
    observed: seen.slice(length),
    tolerance: plan.tolerance,
    noise: meanNoise,
    bounds: plan.bounds ?? {},
    ...(meanNoise > 0 &&
      !plan.isUncertain && {
        widest: plan.widest
          ? plan.widest * meanNoise
          : WIDEST_BAND * meanNoise + WIDEST_TOLERANCE * plan.tolerance,
      }),
  };
}

function stamp(at: number, { isDated }: Plan): number | string {
  return isDated ? new Date(at * 1000).toISOString().slice(0, 10) : at;
}

/** FNV-1a of a text, so that a new recipe leaves the noise of the others as it is. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const char of text) state = Math.imul(state ^ char.codePointAt(0)!, 0x01000193);
  return state >>> 0;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
