// Error budgets of a live model or a series: the counts of the window are read, and each budget judged.
import { type Budget, type Objective, objectiveOf, withParts } from "../../core/budget/budget.ts";
import type { Counts } from "../../core/budget/burn.ts";
import { type BudgetState, stateOf } from "../../core/budget/state.ts";
import { utc } from "../../core/calendar/wall-time.ts";
import type { Feature } from "../../core/model/feature.ts";
import { bucketOf } from "../../core/model/model.ts";
import { floorTo } from "../../core/series/grid.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/time/time.ts";
import { offsetsOf } from "../../core/time/timezone.ts";
import { resolveMetric } from "../../metrics/index.ts";
import { type OpenBucket, readCounts, readFeatures } from "../../points/features.ts";
import { replaceBudgets } from "../../store/budgets.ts";
import type { Judgement, Subject } from "../subject-watch.ts";

/** Steps that a window is read in at most: of shorter intervals several are one step. */
const MAX_STEPS = 10_000;

interface JudgedBudget {
  readonly feature: string;
  readonly objective: Objective;
  readonly state: BudgetState;
  /** End of the window, ms since the epoch. */
  readonly madeAt: number;
}

type BudgetFeature = Feature & { readonly budget: Budget };

/** The features that are burn rates of a budget. */
export function budgetFeatures(features: readonly Feature[]): BudgetFeature[] {
  return features.filter((feature): feature is BudgetFeature => feature.budget !== undefined);
}

/** States of budgets, kept until the next ones. */
export const budgetJudgement: Judgement = {
  everyMs: 10 * MINUTE_MS,
  isAsked: ({ features }) => budgetFeatures(features).length > 0,
  async judge({ store, openBucket }, name, subject, signal) {
    const judged = await judgeBudgets(openBucket, subject, signal);
    const found = judged.map(({ feature, state: { days: _, ...state }, madeAt }) => {
      const { remaining } = state;
      return { feature, isKnown: remaining !== undefined, remaining: remaining ?? 0, madeAt, state };
    });
    await replaceBudgets(store, name, found);
  },
};

/** The budgets, in the order of the features. @throws TorusError `canceled`, and as `readFeatures` */
export async function judgeBudgets(
  openBucket: OpenBucket,
  subject: Subject,
  signal: AbortSignal,
): Promise<JudgedBudget[]> {
  const judged: JudgedBudget[] = [];
  for (const feature of budgetFeatures(subject.settings.features))
    judged.push(await judgeBudget(openBucket, { ...subject, feature }, signal));
  return judged;
}

/** Counts of steps; of rates per second, what they make in a step. Of queries nothing is known. */
function amountsOf(
  counts: Counts,
  { features, stepMs }: { readonly features: readonly Feature[]; readonly stepMs: number },
): Counts {
  if (!features.some(({ metric }) => metric !== undefined && resolveMetric(metric)?.name === "rate"))
    return counts;
  const perStep = (rate: number) => (rate * stepMs) / SECOND_MS;
  return { ...counts, bad: counts.bad.map(perStep), total: counts.total.map(perStep) };
}

async function judgeBudget(
  openBucket: OpenBucket,
  { settings, intervalMs, series, toAt, feature }: Subject & { readonly feature: BudgetFeature },
  signal: AbortSignal,
): Promise<JudgedBudget> {
  const objective = objectiveOf(feature.budget);
  const stepMs = intervalMs * Math.ceil(objective.windowMs / intervalMs / MAX_STEPS);
  const steps = Math.floor(objective.windowMs / stepMs);
  const endAt = floorTo(toAt, stepMs);
  const range = { fromAt: endAt - steps * stepMs, toAt: endAt };
  const features = withParts([feature], settings.features).filter(({ budget }) => !budget);
  const read = { features, bucket: bucketOf(settings) ?? "", range, intervalMs: stepMs, series };
  const grid = await readFeatures(openBucket, read, signal);
  const { startAt } = grid;
  const counts = amountsOf(readCounts(grid, features, feature.budget), { features, stepMs });
  const state = stateOf({ counts, startAt, stepMs }, objective, offsetsOf(settings.timezone) ?? utc);
  return { feature: feature.name, objective, state, madeAt: endAt };
}
