// Errors of forecasts by the value that was forecast: those of busy hours are larger than those of nights; pure.
import { Type } from "@sinclair/typebox";
import { piecewise } from "../stats/piecewise.ts";
import { positive, type Stored, strict } from "../stored-schema.ts";
import { type Measured, measureErrors } from "./error-level.ts";
import type { Plan } from "./plan.ts";

/** Values that factors are kept for, and errors behind each: fewer would be factors of chance. */
const MAX_VALUES = 6;
const MIN_ERRORS = 10;
/** Errors of the typical size that are added to those of each value. */
const PRIOR_ERRORS = 2;
/** Largest error that counts, in typical ones: an outlier says nothing of the others at its value. */
const MAX_ERROR = 5;
/** Least gain in likelihood, as a logarithm, of the errors of one half by those of the other. */
const LEAST_GAIN = 2;

/** Factors on the typical error, by forecast value; between the values linear, beyond them as at the nearest. */
export const ErrorByValueSchema = Type.Object(
  {
    /** Ascending. */
    values: Type.Array(Type.Number(), { minItems: 2, maxItems: 100 }),
    factors: Type.Array(positive, { minItems: 2, maxItems: 100 }),
  },
  strict,
);
export type ErrorByValue = Stored<typeof ErrorByValueSchema>;

/**
 * Errors in those that are typical of their values.
 * @param forecasts of the errors, in units of the data; absent: errors do not depend on them
 */
export function evenOut(
  present: Measured,
  forecasts: readonly Float64Array[] | undefined,
  { origins, leads }: Pick<Plan, "origins" | "leads">,
): Measured & { readonly byValue?: ErrorByValue | undefined } {
  const { errors, units, growth } = present;
  if (!growth || !forecasts) return present;
  const values = forecasts.map((own, o) => own.map((value) => value / (units?.[o] ?? 1)));
  const typical = errors.map((own) => own.map((error, i) => error / growth.errorAt(leads[i]!)));
  const byValue = fitErrorByValue(typical, values, { origins, leads });
  if (!byValue) return present;
  const even = errors.map((own, o) => own.map((error, i) => error / errorFactorAt(byValue, values[o]![i]!)));
  return { ...measureErrors(even, { leads, span: origins.at(-1)! - origins[0]! }), byValue };
}

/** What was forecast of an interval, and the error of it. */
interface Target {
  readonly value: number;
  /** Magnitude, without what outliers exceed. */
  readonly error: number;
}

/**
 * How errors depend on the value.
 * @param errors per origin of the plan, at its leads, in the typical error of the lead; NaN = not observed
 * @param forecasts as the errors
 * @returns undefined where they do not, or are too few to tell
 */
export function fitErrorByValue(
  errors: readonly Float64Array[],
  forecasts: readonly Float64Array[],
  plan: Pick<Plan, "origins" | "leads">,
): ErrorByValue | undefined {
  const targets = targetsOf(errors, forecasts, plan);
  const whole = fitTargets(targets);
  const middle = targets.length >> 1;
  const halves = [targets.slice(0, middle), targets.slice(middle)] as const;
  // What depends on the time, as a level that rises, tells nothing of the other half.
  const gains = [gainOf(fitTargets(halves[0]), halves[1]), gainOf(fitTargets(halves[1]), halves[0])];
  return gains.every((gain) => gain > LEAST_GAIN) ? whole : undefined;
}

/** Gain in likelihood, as a logarithm, of errors whose magnitudes are exponential (Laplace), at their most likely size. */
function gainOf(by: ErrorByValue | undefined, targets: readonly Target[]): number {
  if (!by) return 0;
  const factors = targets.map(({ value }) => errorFactorAt(by, value));
  const even = meanOf(targets, ({ error }) => error);
  const scaled = targets.reduce((sum, { error }, i) => sum + error / factors[i]!, 0) / targets.length;
  return (
    targets.length * Math.log(even / scaled) - factors.reduce((sum, factor) => sum + Math.log(factor), 0)
  );
}

/** Mean errors of equally many targets each, by value; undefined of too few. */
function fitTargets(targets: readonly Target[]): ErrorByValue | undefined {
  const count = Math.min(MAX_VALUES, Math.floor(targets.length / MIN_ERRORS));
  if (count < 2) return undefined;
  const usual = meanOf(targets, ({ error }) => error);
  if (!(usual > 0)) return undefined;
  const ascending = targets.toSorted((a, b) => a.value - b.value);
  const bins = Array.from({ length: count }, (_, k) =>
    ascending.slice(Math.round((k * targets.length) / count), Math.round(((k + 1) * targets.length) / count)),
  );
  const values = bins.map((bin) => meanOf(bin, ({ value }) => value));
  const factors = bins.map(
    (bin) =>
      (bin.reduce((sum, { error }) => sum + error / usual, 0) + PRIOR_ERRORS) / (bin.length + PRIOR_ERRORS),
  );
  const kept = [...values.keys()].filter((k) => k === 0 || values[k]! > values[k - 1]!);
  if (kept.length < 2) return undefined;
  return { values: kept.map((k) => values[k]!), factors: kept.map((k) => factors[k]!) };
}

/** One per interval: forecasts of it from several origins err alike. */
function targetsOf(
  errors: readonly Float64Array[],
  forecasts: readonly Float64Array[],
  { origins, leads }: Pick<Plan, "origins" | "leads">,
): Target[] {
  const sums = new Map<number, { value: number; error: number; count: number }>();
  for (const [o, own] of errors.entries())
    for (const [i, error] of own.entries()) {
      if (!Number.isFinite(error)) continue;
      const interval = origins[o]! + leads[i]!;
      const sum = sums.get(interval) ?? { value: 0, error: 0, count: 0 };
      sum.value += forecasts[o]![i]!;
      sum.error += Math.min(MAX_ERROR, Math.abs(error));
      sum.count++;
      sums.set(interval, sum);
    }
  const byTime = [...sums].toSorted(([a], [b]) => a - b);
  return byTime.map(([, { value, error, count }]) => ({ value: value / count, error: error / count }));
}

/** Factor on the typical error of a forecast value; 1 where errors do not depend on it. */
export function errorFactorAt(by: ErrorByValue | undefined, value: number): number {
  if (!by) return 1;
  return piecewise(by.values, by.factors, value);
}

function meanOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0) / items.length;
}
