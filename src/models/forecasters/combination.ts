// Weights of a combination of forecasts, found in a backtest: first among those of a method, then among the methods.
import type { Member, Method, Targets } from "./members.ts";
import type { Plan } from "./plan.ts";
import { combine, dropSmall, weightsOfErrors } from "./weights.ts";

/** What each method counts where errors are equal: seasons come back more surely than states of a filter do. */
const METHOD_PRIOR: Readonly<Record<Method, number>> = { seasonal: 2, "holt-winters": 1, donut: 1 };

/** A member and what it forecast from each origin, at the plan's leads. */
export interface Candidate {
  readonly member: Member;
  readonly forecasts: readonly ArrayLike<number>[];
}

export type WeightedMember = Member & { readonly weight: number };

export type WeightedCandidate = Candidate & { readonly weight: number };

/** Those of the candidates that count; weights add up to 1. @param candidates at least one */
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

/** What the candidates foretell together, per origin. @param candidates at least one */
export function average(candidates: readonly WeightedCandidate[]): readonly Float64Array[] {
  const weights = candidates.map(({ weight }) => weight);
  return candidates[0]!.forecasts.map((_, k) =>
    combine(
      candidates.map(({ forecasts }) => forecasts[k]!),
      weights,
    ),
  );
}

/** What came minus what was foretold, per origin and lead; NaN where nothing came. */
export function errorsOf(
  column: Float64Array,
  { origins, leads }: Targets,
  forecasts: readonly ArrayLike<number>[],
): readonly Float64Array[] {
  return origins.map((origin, k) =>
    Float64Array.from(leads, (lead, i) => (column[origin + lead] ?? Number.NaN) - forecasts[k]![i]!),
  );
}

/** Mean absolute error over what came; infinite where nothing did. */
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
