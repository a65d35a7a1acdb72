// Medians of the same time of earlier days and weeks, shifted to the present level.
import { Type } from "@sinclair/typebox";
import { extend, type Stored } from "../../stored-schema.ts";
import { levelSpanOf, type Seasons, seasonsOf } from "../season/season.ts";
import { historyOf, removedCycles, setOf, withAdded } from "./added-cycle.ts";
import type { MemberKind } from "./kind.ts";
import { predictSeasonal, SeasonalMemberSchema } from "./seasonal-medians.ts";

const schema = extend(SeasonalMemberSchema, { method: Type.Literal("seasonal"), ...removedCycles });
export type SeasonalMember = Stored<typeof schema>;

/** Share of a lasting deviation that is followed: more follows noise, less misses changes of level. */
const FOLLOW_SHARES = { week: 0.5, mixed: 0.6, day: 0.5, none: 0.5 };

/** Of fewer values the median is not the present level. */
const MIN_POINTS = 12;

export const seasonal: MemberKind<SeasonalMember> = {
  method: "seasonal",
  text: "medians of earlier days and weeks",
  schema,
  prior: 2,
  seasonOf: (member) => setOf(member.season === "mixed" ? "day" : member.season, member),
  propose: ({ series: { intervalMs }, points, before: { cycles }, isAlone }) => {
    const members = seasonalMembers(seasonsOf(intervalMs, points));
    return isAlone || points >= MIN_POINTS ? withAdded(members, cycles, points) : [];
  },
  forecast: (member, whole) => {
    const view = historyOf(member, whole);
    if (!view) return whole.unknown;
    const { recent: column, leads, intervalMs } = view;
    const { day = 1, week = 7 } = seasonsOf(intervalMs, Number.POSITIVE_INFINITY);
    const scale = { day, week, levelSpan: levelSpanOf(intervalMs) };
    return view.restore(predictSeasonal(column, { origin: column.length, leads }, { member, scale }));
  },
};

/** Members for the seasons; the last values alone without a season. */
export function seasonalMembers({ day, week }: Seasons): readonly SeasonalMember[] {
  const names = [week && "week", week && day && "mixed", day && "day"] as const;
  const allowed = names.filter((name) => typeof name === "string");
  const seasons = allowed.length > 0 ? allowed : (["none"] as const);
  return seasons.map((season) => ({ method: "seasonal", season, follow: FOLLOW_SHARES[season] }));
}
