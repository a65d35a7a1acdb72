// Members of days and weeks that forecast a history without its yearly season, which is added to their forecasts.
import { Type } from "@sinclair/typebox";
import { type Cycles, MIN_CYCLES, type SeasonSet } from "../season/cycles.ts";

/** Whether the yearly season is removed; absent: no. */
export const yearRemoved = Type.Optional(Type.Literal(true));

/** Cycles of a member of days or weeks, and of the year where that is removed before. */
export function setOf(season: "none" | "day" | "week", year: true | undefined): SeasonSet {
  if (!year) return season;
  return season === "none" ? "year" : `${season}+year`;
}

/** The members as they are, and without the year where `points` intervals show one. */
export function withYear<M extends object>(
  members: readonly M[],
  { year = Number.POSITIVE_INFINITY }: Cycles,
  points: number,
): readonly (M & { readonly year?: true })[] {
  if (points < MIN_CYCLES * year) return members;
  return [...members, ...members.map((member) => ({ ...member, year: true as const }))];
}
