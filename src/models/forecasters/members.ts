// The forecasts a combination is made of, as data: what each is, and how it is run from instants of a series.

import { Type } from "@sinclair/typebox";
import { DAY_MS } from "../detectors/timeline.ts";
import { extend, type Stored, strict } from "../stored-schema.ts";
import { HoltWinters, SmoothedSeasonsSchema } from "./holt-winters.ts";
import { localTimeOf, type Series } from "./local-time.ts";
import { levelSpanOf, type Seasons, seasonsOf } from "./season.ts";
import { MAX_DAYS, predictSeasonal, SeasonalMemberSchema, type SeasonalScale } from "./seasonal.ts";

/** Members computed without a network, and the network itself. */
export const SimpleMemberSchemas = [
  extend(SeasonalMemberSchema, { method: Type.Literal("seasonal") }),
  extend(SmoothedSeasonsSchema, { method: Type.Literal("holt-winters") }),
] as const;
export const NetworkMemberSchema = Type.Object({ method: Type.Literal("donut") }, strict);

export type SimpleMember = Stored<(typeof SimpleMemberSchemas)[number]>;
export type Member = SimpleMember | Stored<typeof NetworkMemberSchema>;
export type Method = Member["method"];

export type { Series };

/** Where forecasts start (indices, ascending), and which intervals of each are wanted: ascending, 0 = the first. */
export interface Targets {
  readonly origins: readonly number[];
  readonly leads: ArrayLike<number>;
}

/** Intervals of history that a forecast looks back over at most, whatever their length. */
export const MAX_HISTORY = 100_000;
/** Lasting deviations are believed by this much: more of it follows noise, less of it misses changes of level. */
const FOLLOW_SHARES = { week: 0.5, mixed: 0.6, day: 0.5, none: 0.5 };

/** Intervals of history that simple forecasts look back over. */
export function historyLength(intervalMs: number): number {
  return Math.min(MAX_HISTORY, Math.max(MAX_DAYS, Math.ceil((MAX_DAYS * DAY_MS) / intervalMs)));
}

/** Seasonal forecasts that the seasons allow; the last values alone where there is no season. */
export function seasonalMembers({ day, week }: Seasons): readonly SimpleMember[] {
  const names = [week && "week", week && day && "mixed", day && "day"] as const;
  const allowed = names.filter((name) => typeof name === "string");
  const seasons = allowed.length > 0 ? allowed : (["none"] as const);
  return seasons.map((season) => ({ method: "seasonal", season, follow: FOLLOW_SHARES[season] }));
}

/** Seasons of the Holt-Winters forecasts that are tried: the shorter alone, and both. */
export function smoothedSeasons({ day, week }: Seasons): readonly Seasons[] {
  if (day === undefined || week === undefined) return [{ ...(day && { day }), ...(week && { week }) }];
  return [{ day }, { day, week }];
}

/** One forecast per origin: nothing from the origin on is looked at. NaN where nothing lies before it. */
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

/** Each forecast by local time: the clock may be set forward or back before the interval that a lead stands for. */
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
