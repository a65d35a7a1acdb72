// Members of days and weeks that forecast a history without its yearly or extra season, which is added to their forecasts.
import { Type } from "@sinclair/typebox";
import type { RecentHistory, View } from "../history/view.ts";
import { type AddedCycle, addedCycleOf, type Cycles, MIN_CYCLES, type SeasonSet } from "../season/cycles.ts";

const isRemoved = Type.Optional(Type.Literal(true));
/** Whether the season of a cycle is removed, by its name; absent: no. */
export const removedCycles = { year: isRemoved, extra: isRemoved };

/** At most one of them. */
type Removed = { readonly [Name in AddedCycle]?: true | undefined };

function removedOf({ year, extra }: Removed): AddedCycle | undefined {
  return extra ? "extra" : year && "year";
}

/** Cycles of a member of days or weeks, and the one that is removed before. */
export function setOf(season: "none" | "day" | "week", member: Removed): SeasonSet {
  const removed = removedOf(member);
  if (!removed) return season;
  return season === "none" ? removed : `${season}+${removed}`;
}

/** What a member forecasts: the history as it is, or without a season; undefined where it is too short for that. */
export function historyOf(member: Removed, view: View): RecentHistory | undefined {
  const removed = removedOf(member);
  return removed ? view.without(removed) : view;
}

/** The members as they are, and without the added cycle where `points` intervals show one. */
export function withAdded<M extends object>(
  members: readonly M[],
  cycles: Cycles,
  points: number,
): readonly (M & Removed)[] {
  const added = addedCycleOf(cycles);
  if (!added || points < MIN_CYCLES * cycles[added]!) return members;
  return [...members, ...members.map((member) => ({ ...member, [added]: true as const }))];
}
