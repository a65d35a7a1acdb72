// Stored parameters of the forecasts of one feature, checked in imported versions.
import { Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { extend, notNegative, positive, positiveShare, type Stored, strict } from "../stored-schema.ts";
import { ErrorBandSchema } from "./error-band.ts";
import { MAX_HISTORY, NetworkMemberSchema, SimpleMemberSchemas } from "./members.ts";
import { ForecastTrendSchema } from "./trend.ts";

const MAX_MEMBERS = 16;
/** Share in the combination. */
const weight = { weight: positiveShare };
const [seasonal, smoothed] = SimpleMemberSchemas;

export const ForecastSchema = Type.Object(
  {
    /** Members of the combination; their weights add up to 1. */
    members: Type.Array(
      Type.Union([extend(seasonal, weight), extend(smoothed, weight), extend(NetworkMemberSchema, weight)], {
        rule: "must be a seasonal, holt-winters or donut forecast",
      }),
      { minItems: 1, maxItems: MAX_MEMBERS },
    ),
    band: ErrorBandSchema,
    /** Trend around which the members forecast; absent: none, and in versions trained before there was one. */
    trend: Type.Optional(ForecastTrendSchema),
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
    /** Mean absolute error of the simple members in the backtest, the reference for their recent errors. */
    simpleError: Type.Optional(positive),
    /** Errors of the combination in the backtest: absolute, in units of the data, and relative to repeating a season. */
    error: Type.Object({ mae: notNegative, mase: notNegative }, strict),
  },
  strict,
);
export type ForecastParameters = Stored<typeof ForecastSchema>;

/** Checks the relations between fields: equal lengths, ascending order, weights. @throws TorusError `invalid` */
export function checkForecast({ members, band, history }: ForecastParameters, path: string): void {
  if (band.scales.length !== band.leads.length)
    throw invalid(`${path}.band.scales`, `must be ${band.leads.length} numbers, one per lead`);
  if (band.leads[0] !== 0 || !isAscending(band.leads, 1))
    throw invalid(`${path}.band.leads`, "must be ascending from 0");
  if (!isAscending(band.quantiles, 0)) throw invalid(`${path}.band.quantiles`, "must be ascending");
  const total = members.reduce((sum, { weight }) => sum + weight, 0);
  if (Math.abs(total - 1) > 1e-6) throw invalid(`${path}.members`, "must have weights that add up to 1");
  const isSimple = members.some(({ method }) => method !== "donut");
  if (isSimple && history === 0)
    throw invalid(`${path}.history`, "must be at least 1: the members look back");
}

function isAscending(values: readonly number[], step: number): boolean {
  return values.every((value, i) => i === 0 || value - values[i - 1]! >= step);
}
