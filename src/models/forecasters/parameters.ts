// What a version remembers of how it forecasts one feature; checked where it comes from elsewhere.
import { Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import type { WeightedMember } from "./combination.ts";
import type { ErrorBand } from "./error-band.ts";
import { MAX_HISTORY } from "./members.ts";

const strict = { additionalProperties: false };
const share = Type.Number({ minimum: 0, maximum: 1, rule: "must be a number from 0 to 1" });
const positive = Type.Number({ exclusiveMinimum: 0, rule: "must be a number above 0" });
const notNegative = Type.Number({ minimum: 0, rule: "must be a number, at least 0" });
const weight = Type.Number({ exclusiveMinimum: 0, maximum: 1, rule: "must be above 0 and at most 1" });
const seasonLength = Type.Number({
  minimum: 2,
  maximum: 700_000,
  rule: "must be from 2 to 700000 intervals",
});
const names = ["week", "day", "mixed", "none"] as const;

const Seasonal = Type.Object(
  {
    method: Type.Literal("seasonal"),
    season: Type.Union(
      names.map((name) => Type.Literal(name)),
      { rule: `must be one of ${names.join(", ")}` },
    ),
    follow: share,
    weight,
  },
  strict,
);
const Smoothed = Type.Object(
  {
    method: Type.Literal("holt-winters"),
    seasons: Type.Object({ day: Type.Optional(seasonLength), week: Type.Optional(seasonLength) }, strict),
    smoothing: Type.Object(
      { level: share, trend: share, damping: share, day: share, week: share, memory: share },
      strict,
    ),
    weight,
  },
  strict,
);
const Network = Type.Object({ method: Type.Literal("donut"), weight }, strict);

const atMost = (maxItems: number) => ({ minItems: 1, maxItems });
const Band = Type.Object(
  {
    leads: Type.Array(Type.Integer({ minimum: 0, maximum: 1_000_000 }), atMost(1000)),
    scales: Type.Array(positive, atMost(1000)),
    quantiles: Type.Array(Type.Number(), atMost(10_000)),
    lowerTail: notNegative,
    upperTail: notNegative,
    sample: Type.Number({ minimum: 1, rule: "must be a number, at least 1" }),
  },
  strict,
);

/** For `check`, of what a client sends; the interface below says the same. */
export const ForecastSchema = Type.Object(
  {
    members: Type.Array(
      Type.Union([Seasonal, Smoothed, Network], {
        rule: "must be a seasonal, holt-winters or donut forecast",
      }),
      atMost(16),
    ),
    band: Band,
    history: Type.Integer({
      minimum: 0,
      maximum: MAX_HISTORY,
      rule: `must be a whole number from 0 to ${MAX_HISTORY}`,
    }),
    nonNegative: Type.Boolean(),
    center: Type.Number(),
    simpleError: Type.Optional(positive),
    error: Type.Object({ mae: notNegative, mase: notNegative }, strict),
  },
  strict,
);

export interface ForecastParameters {
  /** What is averaged, and what each counts; weights add up to 1. */
  readonly members: readonly WeightedMember[];
  readonly band: ErrorBand;
  /** Intervals of history that the members look back over; 0 = the network's window will do. */
  readonly history: number;
  /** Nothing below 0 was there in training: nothing below 0 is foretold. */
  readonly nonNegative: boolean;
  /** Median of the training part: what is foretold where nothing is known. */
  readonly center: number;
  /** Mean absolute error of the simple members in the backtest: what their recent errors are held against. */
  readonly simpleError?: number;
  /** Of the whole in the backtest: mean absolute error in units of the data, and over that of repeating a season. */
  readonly error: { readonly mae: number; readonly mase: number };
}

/** What a schema cannot say: lists that belong together, in their order. @throws TorusError `invalid` */
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
