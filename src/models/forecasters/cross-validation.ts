// Cross-validated forecasts of a combination: each part of the origins is forecast with the weights of the others; pure.
import {
  type Arena,
  type Candidate,
  combined,
  errorsOf,
  meanError,
  type WeighedCandidate,
} from "./competition.ts";
import { groupOf, leadGroups } from "./lead-groups.ts";

/** Parts that the origins are split into, and fewest origins of a part. */
const PARTS = 5;
const MIN_ORIGINS = 2;
/** Most that mean errors grow by it: members may have no errors but those of the part. */
const MOST = 1.5;

/** Weighs candidates by their forecasts from the origins of an arena. */
export type Choose = (arena: Arena, candidates: readonly Candidate[]) => readonly WeighedCandidate[];

/**
 * Forecasts from each origin, at the leads of the plan, by combinations that were weighed without it: of many candidates
 * the best by chance is among the best, so that its own errors are too small for a band. Origins of a part follow each
 * other, as those nearby forecast nearly the same values.
 * @param forecasts of the combination that all origins weigh; returned where these are too few to be split
 */
export function crossValidated(
  arena: Arena,
  {
    candidates,
    forecasts,
    choose,
  }: {
    readonly candidates: readonly Candidate[];
    readonly forecasts: readonly Float64Array[];
    readonly choose: Choose;
  },
): readonly Float64Array[] {
  const { origins } = arena.plan;
  if (origins.length < PARTS * MIN_ORIGINS) return forecasts;
  const whole = new Map(candidates.map((one) => [one.member, one.forecasts]));
  const partOf = (o: number) => Math.floor((o * PARTS) / origins.length);
  return Array.from({ length: PARTS }).flatMap((_, part) => {
    const inside = <T>(own: readonly T[]) => own.filter((_one, o) => partOf(o) === part);
    const outside = <T>(own: readonly T[]) => own.filter((_one, o) => partOf(o) !== part);
    const others = candidates.map((one) => ({ ...one, forecasts: outside(one.forecasts) }));
    const weighed = choose(reduced(arena, outside(origins)), others);
    const here = reduced(arena, inside(origins));
    const held = weighed.map((one) => ({ ...one, forecasts: inside(whole.get(one.member)!) }));
    return between(here, { near: inside(forecasts), far: combined(held, here) });
  });
}

function reduced(arena: Arena, origins: readonly number[]): Arena {
  return { ...arena, plan: { ...arena.plan, origins } };
}

/** The far forecasts, moved to the near ones until their mean error is at most so many times as large, by group of leads. */
function between(
  arena: Arena,
  { near, far }: { readonly near: readonly Float64Array[]; readonly far: readonly Float64Array[] },
): readonly Float64Array[] {
  const groups = arena.plan.leads.map((lead) => groupOf(arena.bounds, lead));
  const shares = leadGroups.map((_, group) => {
    const places = [...groups.keys()].filter((i) => groups[i] === group);
    const errorOf = (forecasts: readonly Float64Array[]) => meanError(errorsOf(arena, forecasts, places));
    const ratio = errorOf(far) / errorOf(near);
    return !(ratio > MOST) ? 1 : Number.isFinite(ratio) ? (MOST - 1) / (ratio - 1) : 0;
  });
  return near.map((own, o) => own.map((value, i) => value + shares[groups[i]!]! * (far[o]![i]! - value)));
}
