// Holt-Winters smoothing with the seasons of a day and a week, its factors fitted by search.
import { Type } from "@sinclair/typebox";
import { extend, type Stored } from "../../stored-schema.ts";
import { levelSpanOf, type Seasons, seasonsOf } from "../season/season.ts";
import { historyOf, removedCycles, setOf, withAdded } from "./added-cycle.ts";
import { HoltWinters, SmoothedSeasonsSchema, startOf } from "./holt-winters.ts";
import { fitSmoothing } from "./holt-winters-fit.ts";
import type { MemberKind } from "./kind.ts";

const schema = extend(SmoothedSeasonsSchema, {
  method: Type.Literal("holt-winters"),
  ...removedCycles,
});
export type HoltWintersMember = Stored<typeof schema>;

/** Of fewer values its factors cannot be fitted. */
const MIN_POINTS = 12;

export const holtWinters: MemberKind<HoltWintersMember> = {
  method: "holt-winters",
  text: "Holt-Winters smoothing",
  schema,
  prior: 1,
  seasonOf: (member) => setOf(member.seasons.week ? "week" : member.seasons.day ? "day" : "none", member),
  propose: async ({ series, points, before, horizon, passes, isAlone }, signal) => {
    const { intervalMs } = series;
    const members: HoltWintersMember[] = [];
    if (points < MIN_POINTS && !isAlone) return members;
    for (const seasons of smoothedSeasons(seasonsOf(intervalMs, points))) {
      const input = { column: before.recent, seasons, horizon, levelSpan: levelSpanOf(intervalMs), passes };
      members.push({ method: "holt-winters", seasons, smoothing: await fitSmoothing(input, signal) });
    }
    return withAdded(members, before.cycles, points);
  },
  forecast: (member, whole) => {
    const view = historyOf(member, whole);
    if (!view) return whole.unknown;
    const { recent: column, leads } = view;
    const start = startOf(column, column.length, member.seasons);
    const state = new HoltWinters(column, start, member);
    state.advance(column.length);
    return view.restore(state.predict(leads));
  },
};

/** Seasons of the candidates: the shorter alone, and both. */
export function smoothedSeasons({ day, week }: Seasons): readonly Seasons[] {
  if (day === undefined || week === undefined) return [{ ...(day && { day }), ...(week && { week }) }];
  return [{ day }, { day, week }];
}
