// Error budgets: the share of requests that may fail over a rolling window; the setting `budget` of a feature.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { PlainName } from "../input/name.ts";
import { durationSchema } from "../time/duration-schema.ts";
import { DAY_MS, parseDuration } from "../time/time.ts";

const DEFAULT_WINDOW = "30d";
/** Longest window of an error budget, ms. */
const MAX_WINDOW_MS = 100 * DAY_MS;
/** A window of fewer intervals says nothing of a share. */
const MIN_INTERVALS = 24;
/** Metrics whose values of several intervals add up: amounts, and amounts per second. */
const amounts = ["sum", "count"];
const rates = ["rate"];
/** Keys that say where the values of a feature come from. */
const sourceKeys = ["metric", "field", "measurement", "query", "match_all", "bucket"] as const;

export const Budget = Type.Object(
  {
    total: PlainName,
    good: Type.Optional(PlainName),
    bad: Type.Optional(PlainName),
    objective: Type.Union(
      [
        Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
        Type.String({ pattern: "^[0-9]{1,2}([.][0-9]{1,9})?%$" }),
      ],
      {
        description: "Share of `total` that is to be good, as 0.999 or `99.9%`",
        rule: "must be above 0 and below 1, as 0.999, or a percentage, as 99.9%",
      },
    ),
    window: Type.Optional(
      durationSchema({ description: "Rolling window of the objective", default: DEFAULT_WINDOW }),
    ),
  },
  {
    additionalProperties: false,
    description:
      "In place of metric and field: the values are the burn rate of an error budget, 1 where exactly as much fails as the " +
      "objective allows. `total` and one of `good` and `bad` are features of the model with the metric sum, count or rate, or with queries; " +
      "`GET /budgets` says what is left",
    rule: "must be {total, good or bad, objective, window?}, as in {total: requests, bad: errors, objective: 99.9%}",
  },
);
export type Budget = Static<typeof Budget>;

/** A feature, as budgets need it. */
interface Budgeted {
  readonly name: string;
  readonly budget?: Budget | undefined;
  readonly metric?: string | undefined;
  readonly query?: string | null | undefined;
}

/** An objective of a budget in force. */
export interface Objective {
  /** Share that is to be good, above 0 and below 1. */
  readonly objective: number;
  readonly windowMs: number;
}

/** @returns share that is to be good, and the window in ms */
export function objectiveOf({ objective, window = DEFAULT_WINDOW }: Budget): Objective {
  // The digits of the text alone: 99.9 / 100 has an error in the last one.
  const share =
    typeof objective === "number"
      ? objective
      : Number((Number(objective.slice(0, -1)) / 100).toPrecision(12));
  return { objective: share, windowMs: parseDuration(window, "window") };
}

/** Names of the features that a budget is made of. */
export function partsOf({ total, good, bad }: Budget): readonly string[] {
  return [total, ...((good ?? bad) ? [(good ?? bad)!] : [])];
}

/** Some features of a model, with those that their budgets are made of. */
export function withParts<F extends Budgeted>(some: readonly F[], all: readonly F[]): readonly F[] {
  const parts = new Set(some.flatMap(({ budget }) => (budget ? partsOf(budget) : [])));
  const missing = all.filter((one) => parts.has(one.name) && !some.includes(one));
  return missing.length > 0 ? [...some, ...missing] : some;
}

/** The settings that budgets need. */
interface Budgeting {
  readonly features: readonly Budgeted[];
  readonly group_by?: readonly string[] | undefined;
}

/**
 * @param intervalMs length of an interval; 0: not known yet
 * @throws TorusError `invalid` with path, rule and remedy
 */
export function checkBudgets({ features, group_by }: Budgeting, intervalMs: number): void {
  for (const [index, feature] of features.entries()) {
    if (!feature.budget) continue;
    const path = `features.${index}`;
    for (const key of sourceKeys)
      if ((feature as unknown as Record<string, unknown>)[key] !== undefined)
        throw invalid(`${path}.${key}`, "must be absent beside budget, whose features have the values");
    checkParts(feature.budget, { features, path: `${path}.budget` });
    checkObjective(feature.budget, { intervalMs, path: `${path}.budget` });
    const parts = partsOf(feature.budget);
    // A query answers all series at once, so that the window of each would be a read of all.
    if (group_by && features.some(({ name, query }) => query && parts.includes(name)))
      throw invalid(
        `${path}.budget`,
        "must be made of features with metric and field, not of queries, in a model with group_by",
      );
  }
}

function checkParts(
  budget: Budget,
  { features, path }: { readonly features: readonly Budgeted[]; readonly path: string },
): void {
  const { total, good, bad } = budget;
  if ((good === undefined) === (bad === undefined))
    throw invalid(`${path}.good`, "or bad is required, and not both");
  const known = features.filter((feature) => !feature.budget).map(({ name }) => name);
  for (const [key, name] of Object.entries({ total, good, bad }))
    if (name !== undefined && !known.includes(name))
      throw invalid(
        `${path}.${key}`,
        `must be a feature of the model with values of its own: ${known.join(", ")}`,
      );
  if (total === (good ?? bad)) throw invalid(`${path}.total`, "must be another feature than good or bad");
  checkMetrics(budget, { features, path });
}

/** Means, maxima and the like of intervals do not add up to those of a window. Of queries nothing is known. */
function checkMetrics(
  budget: Budget,
  { features, path }: { readonly features: readonly Budgeted[]; readonly path: string },
): void {
  const parts = partsOf(budget).map((name) => features.find((feature) => feature.name === name)!);
  const metrics = parts.flatMap(({ query, metric = "" }) => (query ? [] : [metric.trim().toLowerCase()]));
  if ([amounts, rates].some((group) => metrics.every((metric) => group.includes(metric)))) return;
  throw invalid(
    path,
    `must be made of features with sum or count, or both with rate, whose values add up; theirs: ${metrics.join(", ")}`,
  );
}

function checkObjective(
  budget: Budget,
  { intervalMs, path }: { readonly intervalMs: number; readonly path: string },
): void {
  const { objective, windowMs } = objectiveOf(budget);
  if (!(objective > 0 && objective < 1))
    throw invalid(
      `${path}.objective`,
      "must be above 0 % and below 100 %: nothing is left of a budget of 100 %",
    );
  if (windowMs < MIN_INTERVALS * intervalMs || windowMs <= 0 || windowMs > MAX_WINDOW_MS)
    throw invalid(
      `${path}.window`,
      `must be from ${MIN_INTERVALS} intervals of the model to ${MAX_WINDOW_MS / DAY_MS}d`,
    );
}
