// Members of days and weeks that forecast a history without its yearly season, which is added to their forecasts.
import { Type } from "@sinclair/typebox";
import { type Cycles, MIN_CYCLES } from "../season/cycles.ts";

/** Whether the yearly season is removed; absent: no. */
export const yearRemoved = Type.Optional(Type.Literal(true));

/** The members as they are, and without the year where `points` intervals show one. */
export function withYear<M extends object>(
  members: readonly M[],
  { year = Number.POSITIVE_INFINITY }: Cycles,
  points: number,
): readonly (M & { readonly year?: true })[] {
  if (points < MIN_CYCLES * year) return members;
  return [...members, ...members.map((member) => ({ ...member, year: true as const }))];
}
