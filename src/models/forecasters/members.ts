// Members of a forecast combination as data, and their forecasts from given origins.
import { Type } from "@sinclair/typebox";
import { DAY_MS } from "../../core/time/time.ts";
import { extend, type Stored, strict } from "../stored-schema.ts";
import { HoltWinters, SmoothedSeasonsSchema } from "./holt-winters.ts";
import { localTimeOf, type Series } from "./local-time.ts";
import { levelSpanOf, type Seasons, seasonsOf } from "./season.ts";
import { MAX_DAYS, predictSeasonal, SeasonalMemberSchema, type SeasonalScale } from "./seasonal.ts";

/** Members computed without the network. */
export const SimpleMemberSchemas = [
  extend(SeasonalMemberSchema, { method: Type.Literal("seasonal") }),
  extend(SmoothedSeasonsSchema, { method: Type.Literal("holt-winters") }),
] as const;
export const NetworkMemberSchema = Type.Object({ method: Type.Literal("donut") }, strict);

export type SimpleMember = Stored<(typeof SimpleMemberSchemas)[number]>;
export type Member = SimpleMember | Stored<typeof NetworkMemberSchema>;
export type Method = Member["method"];

export type { Series };

/** Origins of forecasts (indices, ascending), and their leads: ascending, 0 = the first interval. */
export interface Targets {
  readonly origins: readonly number[];
  readonly leads: ArrayLike<number>;
}

/** Most intervals of history of a forecast. */
export const MAX_HISTORY = 100_000;
/** Share of a lasting deviation that is followed: more follows noise, less misses changes of level. */
const FOLLOW_SHARES = { week: 0.5, mixed: 0.6, day: 0.5, none: 0.5 };

/** Intervals of history of the simple members. */
export function historyLength(intervalMs: number): number {
  return Math.min(MAX_HISTORY, Math.max(MAX_DAYS, Math.ceil((MAX_DAYS * DAY_MS) / intervalMs)));
}

/** Seasonal members for the seasons; the last values alone without a season. */
export function seasonalMembers({ day, week }: Seasons): readonly SimpleMember[] {
  const names = [week && "week", week && day && "mixed", day && "day"] as const;
  const allowed = names.filter((name) => typeof name === "string");
  const seasons = allowed.length > 0 ? allowed : (["none"] as const);
  return seasons.map((season) => ({ method: "seasonal", season, follow: FOLLOW_SHARES[season] }));
}

/** Seasons of the Holt-Winters candidates: the shorter alone, and both. */
export function smoothedSeasons({ day, week }: Seasons): readonly Seasons[] {
  if (day === undefined || week === undefined) return [{ ...(day && { day }), ...(week && { week }) }];
  return [{ day }, { day, week }];
}

/** One forecast per origin, from the points before it; NaN without any. */
export function predictSimple(
  member: SimpleMember,
  series: Series,
  targets: Targets,
): readonly Float64Array[] {
  const { column, forecasts } = toLocal(series, targets);
  const { intervalMs } = series;
  if (member.method === "seasonal") {
    const scale = scaleOf(intervalMs);
    return forecasts.map((target) => predictSeasonal(column, target, { member, scale }));
  }
  const first = forecasts[0]?.origin ?? 0;
  const from = Math.max(0, first - historyLength(intervalMs));
  const state = new HoltWinters(column.subarray(from), first - from, member);
  return forecasts.map(({ origin, leads }) => {
    state.advance(origin - from);
    return state.predict(leads);
  });
}

/** Origins and leads by local time, between which the clock may change. */
function toLocal(series: Series, { origins, leads }: Targets) {
  const { column, startOf, placeOf } = localTimeOf(series);
  const forecasts = origins.map((first) => {
    const origin = startOf(first);
    return { origin, leads: Array.from(leads, (lead) => placeOf(first + lead) - origin) };
  });
  return { column, forecasts };
}

function scaleOf(intervalMs: number): SeasonalScale {
  const { day = 1, week = 7 } = seasonsOf(intervalMs, Number.POSITIVE_INFINITY);
  return { day, week, levelSpan: levelSpanOf(intervalMs) };
}
