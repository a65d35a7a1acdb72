// Cross-validated forecasts of a combination: each part of the origins is forecast with the weights of the others; pure.
import { type Arena, allOrigins, errorsOf, type Measured, meanError } from "./candidate-errors.ts";
import { combined, type WeighedCandidate } from "./competition.ts";
import { groupOf, leadGroups } from "./lead-groups.ts";

/** Parts that the origins are split into, and fewest origins of a part. */
const PARTS = 5;
const MIN_ORIGINS = 2;
/** Most that mean errors grow by it: members may have no errors but those of the part. */
const MOST = 1.5;

/** Weighs candidates by their forecasts from some of the origins, by index. */
export type Choose = (measured: Measured, origins?: readonly number[]) => readonly WeighedCandidate[];

/**
 * Forecasts from each origin, at the leads of the plan, by combinations that were weighed without it: of many candidates
 * the best by chance is among the best, so that its own errors are too small for a band. Origins of a part follow each
 * other, as those nearby forecast nearly the same values.
 * @param forecasts of the combination that all origins weigh; returned where these are too few to be split
 */
export function crossValidated(
  measured: Measured,
  { forecasts, choose }: { readonly forecasts: readonly Float64Array[]; readonly choose: Choose },
): readonly Float64Array[] {
  const { arena } = measured;
  const origins = allOrigins(arena);
  if (origins.length < PARTS * MIN_ORIGINS) return forecasts;
  const parts = Map.groupBy(origins, (o) => Math.floor((o * PARTS) / origins.length));
  return [...parts.values()].flatMap((part) => {
    const chosen = choose(
      measured,
      origins.filter((o) => !part.includes(o)),
    );
    const near = part.map((o) => forecasts[o]!);
    return between(arena, part, { near, far: combined(chosen, arena, part) });
  });
}

/** The far forecasts, moved to the near ones until their mean error is at most so many times as large, by group of leads. */
function between(
  arena: Arena,
  origins: readonly number[],
  { near, far }: { readonly near: readonly Float64Array[]; readonly far: readonly Float64Array[] },
): readonly Float64Array[] {
  const groups = arena.plan.leads.map((lead) => groupOf(arena.bounds, lead));
  const [nearErrors, farErrors] = [near, far].map((own) => errorsOf(arena, own, origins));
  const shares = leadGroups.map((_, group) => {
    const errorIn = (errors: readonly Float64Array[]) =>
      meanError(errors.map((own) => own.filter((_error, i) => groups[i] === group)));
    const ratio = errorIn(farErrors!) / errorIn(nearErrors!);
    return !(ratio > MOST) ? 1 : Number.isFinite(ratio) ? (MOST - 1) / (ratio - 1) : 0;
  });
  return near.map((own, o) => own.map((value, i) => value + shares[groups[i]!]! * (far[o]![i]! - value)));
}
