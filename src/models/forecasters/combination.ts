// Weights of a forecast combination from a backtest: first within each method, then among the methods.
import type { Member, Method, Targets } from "./members.ts";
import type { Plan } from "./plan.ts";
import { combine, dropSmall, weightsOfErrors } from "./weights.ts";

/** Prior weight of each method: seasons recur more reliably than the states of a filter. */
const METHOD_PRIOR: Readonly<Record<Method, number>> = { seasonal: 2, "holt-winters": 1, donut: 1 };

/** A member and its forecasts from each origin, at the leads of the plan. */
export interface Candidate {
  readonly member: Member;
  readonly forecasts: readonly ArrayLike<number>[];
}

export type WeightedMember = Member & { readonly weight: number };

type WeightedCandidate = Candidate & { readonly weight: number };

/** Candidates with a weight above 0; weights add up to 1. @param candidates at least one */
export function weighCandidates(
  column: Float64Array,
  plan: Plan,
  candidates: readonly Candidate[],
): readonly WeightedCandidate[] {
  const methods = [...Map.groupBy(candidates, ({ member }) => member.method)].map(([method, own]) => {
    const weights = weightsOfErrors(own.map(({ forecasts }) => meanError(column, plan, forecasts)));
    const weighted = own.map((candidate, i) => ({ ...candidate, weight: weights[i]! }));
    return { favour: METHOD_PRIOR[method], weighted, error: meanError(column, plan, average(weighted)) };
  });
  const shares = weightsOfErrors(
    methods.map(({ error }) => error),
    methods.map(({ favour }) => favour),
  );
  const all = methods.flatMap(({ weighted }, i) =>
    weighted.map((candidate) => ({ ...candidate, weight: candidate.weight * shares[i]! })),
  );
  const weights = dropSmall(all.map(({ weight }) => weight));
  return all
    .map((candidate, i) => ({ ...candidate, weight: weights[i]! }))
    .filter(({ weight }) => weight > 0);
}

/** Weighted mean of the forecasts, per origin. @param candidates at least one */
export function average(candidates: readonly WeightedCandidate[]): readonly Float64Array[] {
  const weights = candidates.map(({ weight }) => weight);
  return candidates[0]!.forecasts.map((_, k) =>
    combine(
      candidates.map(({ forecasts }) => forecasts[k]!),
      weights,
    ),
  );
}

/** Observed minus forecast, per origin and lead; NaN where nothing was observed. */
export function errorsOf(
  column: Float64Array,
  { origins, leads }: Targets,
  forecasts: readonly ArrayLike<number>[],
): readonly Float64Array[] {
  return origins.map((origin, k) =>
    Float64Array.from(leads, (lead, i) => (column[origin + lead] ?? Number.NaN) - forecasts[k]![i]!),
  );
}

/** Mean absolute error over the observed points; infinite without any. */
export function meanError(
  column: Float64Array,
  targets: Targets,
  forecasts: readonly ArrayLike<number>[],
): number {
  let [sum, count] = [0, 0];
  for (const errors of errorsOf(column, targets, forecasts)) {
    for (const error of errors) {
      if (!Number.isFinite(error)) continue;
      sum += Math.abs(error);
      count++;
    }
  }
  return count === 0 ? Number.POSITIVE_INFINITY : sum / count;
}
