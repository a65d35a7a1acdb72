// Start guards of a feature: points too small or outside of static limits start no anomaly, however rare they are.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";

const positive = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, description, rule: "must be a number above 0" }));
const limit = (description: string) =>
  Type.Optional(Type.Number({ description, rule: "must be a number, in units of the data" }));

export const MinDeviation = Type.Object(
  {
    absolute: positive("In units of the data"),
    relative: positive("Share of the expected value: 0.1 is 10 %"),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description:
      "Least distance from the expected value at which a point starts an anomaly; where both are given, both must be reached",
    rule: "must be an object with absolute and relative, or one of them",
  },
);

export const OnlyIf = Type.Object(
  { above: limit("The value must be higher"), below: limit("The value must be lower") },
  {
    additionalProperties: false,
    minProperties: 1,
    description: "Values at which a point may start an anomaly, in units of the data; both limits must hold",
    rule: "must be an object with above and below, or one of them",
  },
);

/** Settings of a feature. */
export interface StartGuard {
  readonly min_deviation?: Static<typeof MinDeviation> | undefined;
  readonly only_if?: Static<typeof OnlyIf> | undefined;
  /** Value of an empty interval, see `Feature`. */
  readonly default?: number | "previous" | null | undefined;
}

/** By name of the feature; those without guards are absent. */
export type StartGuards = Readonly<Record<string, StartGuard>>;

/** One feature at one interval, in units of the data. */
interface GuardedValue {
  /** 0..100 */
  readonly score: number;
  /** Null or NaN where nothing was observed. */
  readonly observed: number | null;
  readonly predicted: number;
}

/** The guards of features; undefined if none has any. */
export function guardsOf(
  features: readonly (StartGuard & { readonly name: string })[],
): StartGuards | undefined {
  const guarded = features.filter(({ min_deviation, only_if }) => min_deviation || only_if);
  return guarded.length > 0
    ? Object.fromEntries(guarded.map((feature) => [feature.name, feature]))
    : undefined;
}

/** @param path of the feature. @throws TorusError `invalid` where no value can pass */
export function checkGuard({ only_if }: StartGuard, path: string): void {
  const { above, below } = only_if ?? {};
  if (above !== undefined && below !== undefined && above >= below)
    throw invalid(
      `${path}.only_if.above`,
      `must be smaller than below (${below}), as no value is higher than above and lower than below; give one of them for one limit`,
    );
}

/** Whether a value may start an anomaly; one that is not known may. */
export function passesGuard(
  { min_deviation, only_if, default: fallback }: StartGuard,
  { observed, predicted }: Pick<GuardedValue, "observed" | "predicted">,
): boolean {
  const value = Number.isFinite(observed) ? observed! : fallback;
  if (typeof value !== "number") return true;
  const { absolute = 0, relative = 0 } = min_deviation ?? {};
  const { above = -Infinity, below = Infinity } = only_if ?? {};
  const deviation = Math.abs(value - predicted);
  const isFar = deviation >= absolute && deviation >= relative * Math.abs(predicted);
  return isFar && value > above && value < below;
}

/**
 * Highest score of the features that may start an anomaly, which the score of the interval is compared by at a start.
 * @returns 0..100; undefined without guards, when the score itself counts
 */
export function startScoreOf(
  features: Readonly<Record<string, GuardedValue>>,
  guards: StartGuards | undefined,
): number | undefined {
  if (!guards) return undefined;
  let highest = 0;
  for (const [name, value] of Object.entries(features)) {
    const guard = guards[name];
    if (value.score > highest && (!guard || passesGuard(guard, value))) highest = value.score;
  }
  return highest;
}
