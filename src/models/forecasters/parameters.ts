// Stored parameters of the forecasts of one feature, checked in imported versions.
import { type TSchema, Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { extend, notNegative, positive, type Stored, share, sizeUpTo, strict } from "../stored-schema.ts";
import { ErrorBandSchema } from "./error-band.ts";
import { MAX_LEFT_OUT } from "./history/departure.ts";
import { leadGroups } from "./lead-groups.ts";
import { type Member, memberKinds, NetworkMemberSchema } from "./members/index.ts";
import { MAX_HISTORY } from "./season/history-length.ts";
import { SpecialDaysSchema } from "./special-days.ts";
import { ForecastTrendSchema } from "./trend.ts";

const MAX_MEMBERS = 64;
const groups = leadGroups.length;
const perGroup = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Array(schema, { minItems: groups, maxItems: groups }));
/** Share in the combination, as a mean and by group of leads, and what is added to its forecasts, by group; absent: 0. */
const weighing = {
  weight: Type.Number({ minimum: 0, maximum: 1, rule: "must be from 0 to 1" }),
  shares: perGroup(share),
  biases: perGroup(Type.Number()),
};
const memberSchemas = [...Object.values(memberKinds).map(({ schema }) => schema), NetworkMemberSchema];

/** A member of the combination. */
export type WeighedMember = Member & {
  readonly weight: number;
  readonly shares?: readonly number[];
  readonly biases?: readonly number[];
};

export const ForecastSchema = Type.Object(
  {
    /** Members of the combination; their weights add up to 1. */
    members: Type.Unsafe<WeighedMember[]>(
      Type.Array(
        Type.Union(
          memberSchemas.map((schema) => extend(schema, weighing)),
          { rule: `must be one of the forecasts ${[...Object.keys(memberKinds), "donut"].join(", ")}` },
        ),
        { minItems: 1, maxItems: MAX_MEMBERS },
      ),
    ),
    /** First leads of the groups of `shares`; absent in versions with one weight for all leads. */
    groups: Type.Optional(Type.Object({ season: sizeUpTo(1_000_000), far: sizeUpTo(1_000_000) }, strict)),
    /** Length of the season in intervals, where it is no cycle of the calendar; absent: the cycles of the calendar. */
    period: Type.Optional(sizeUpTo(1_000_000)),
    /** Length of a season beside those of the calendar, in intervals; absent: there is none, or versions did not know it. */
    extra: Type.Optional(sizeUpTo(1_000_000)),
    /** Whether the history is moved to the present level after a break; absent in versions that did not know breaks. */
    breaks: Type.Optional(Type.Boolean()),
    band: ErrorBandSchema,
    /** Trend around which the members forecast; absent: none, and in versions trained before there was one. */
    trend: Type.Optional(ForecastTrendSchema),
    /** Holidays and ends of months; absent: no day is special, and in versions that did not know any. */
    special: Type.Optional(SpecialDaysSchema),
    /** Intervals of history that the members read; 0 = the window of the network suffices. */
    history: Type.Integer({
      minimum: 0,
      maximum: MAX_HISTORY,
      rule: `must be a whole number from 0 to ${MAX_HISTORY}`,
    }),
    /** No value of the training part is below 0, and so no forecast is. */
    nonNegative: Type.Boolean(),
    /** Maximum of a share or a percentage, which no forecast exceeds; absent without, and in versions that did not learn it. */
    upperBound: Type.Optional(Type.Number()),
    /** Median of the training part: the forecast without any history. */
    center: Type.Number(),
    /** The member whose recent errors scale the bands, and its mean absolute error in the backtest, up to the far leads. */
    reference: Type.Optional(
      Type.Object({ member: Type.Integer({ minimum: 0, maximum: MAX_MEMBERS }), error: positive }, strict),
    ),
    /** As `reference`, of all simple members together, in versions that had none. */
    simpleError: Type.Optional(positive),
    /** Errors of the combination in the backtest: absolute, in units of the data, and relative to repeating a season. */
    error: Type.Object({ mae: notNegative, mase: notNegative }, strict),
    /** What an explanation tells of the fit; absent in versions that did not keep it. */
    facts: Type.Optional(
      Type.Object(
        {
          /** Forecasts of the backtest, and their mean absolute errors by group of leads; null: none reached it. */
          origins: Type.Integer({ minimum: 0 }),
          errors: Type.Array(Type.Union([notNegative, Type.Null()]), { minItems: groups, maxItems: groups }),
          /** Level at the end of the training part, without season, and its change per interval. */
          level: Type.Number(),
          slope: Type.Number(),
          /** Breaks that the history was moved by: intervals before the end, and the change of level. */
          shifts: Type.Array(Type.Tuple([Type.Integer({ minimum: 0 }), Type.Number()]), { maxItems: 100 }),
          /** See `recentDepartures`, and `restOf`; absent where there are none, and in versions that did not keep them. */
          departures: Type.Optional(
            Type.Array(Type.Tuple([sizeUpTo(1_000_000), sizeUpTo(1_000_000)]), { maxItems: MAX_LEFT_OUT }),
          ),
          rest: Type.Optional(Type.Number()),
        },
        strict,
      ),
    ),
  },
  strict,
);
export type ForecastParameters = Stored<typeof ForecastSchema>;

/** Checks the relations between fields: equal lengths, ascending order, weights. @throws TorusError `invalid` */
export function checkForecast({ members, band, history, reference }: ForecastParameters, path: string): void {
  if (band.scales.length !== band.leads.length)
    throw invalid(`${path}.band.scales`, `must be ${band.leads.length} numbers, one per lead`);
  if (band.leads[0] !== 0 || !isAscending(band.leads, 1))
    throw invalid(`${path}.band.leads`, "must be ascending from 0");
  const { byValue } = band;
  if (byValue && byValue.factors.length !== byValue.values.length)
    throw invalid(`${path}.band.byValue.factors`, `must be ${byValue.values.length} numbers, one per value`);
  if (byValue && !isAscending(byValue.values, 0))
    throw invalid(`${path}.band.byValue.values`, "must be ascending");
  if (!isAscending(band.quantiles, 0)) throw invalid(`${path}.band.quantiles`, "must be ascending");
  const total = members.reduce((sum, { weight }) => sum + weight, 0);
  if (Math.abs(total - 1) > 1e-6) throw invalid(`${path}.members`, "must have weights that add up to 1");
  if (reference && !members[reference.member])
    throw invalid(`${path}.reference.member`, "must be the index of a member");
  const isSimple = members.some(({ method }) => method !== "donut");
  if (isSimple && history === 0)
    throw invalid(`${path}.history`, "must be at least 1: the members look back");
}

function isAscending(values: readonly number[], step: number): boolean {
  return values.every((value, i) => i === 0 || value - values[i - 1]! >= step);
}
