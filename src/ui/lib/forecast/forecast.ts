// Forecasts in the address of their screen: horizon, confidence and constraint; columns of the chart; pure.
import type { ForecastView } from "../../../api/prediction.ts";
import { isDuration, parseDuration } from "../../../core/time/time.ts";
import { type ConstraintText, readConstraint, writeConstraint } from "../constraint.ts";

/** Horizons that can be chosen by name, as the API takes them. */
export const horizons = { day: "1d", week: "7d", month: "30d" } as const;
export type HorizonName = keyof typeof horizons;

/** Confidences of the outer band, in percent. */
export const levels = [80, 90, 95, 99] as const;
export const DEFAULT_LEVEL = 95;
/** Confidence of the inner band, in percent. */
export const INNER_LEVEL = 50;

export interface ForecastRequest {
  /** Duration such as `7d`. */
  readonly horizon: string;
  /** Percent. */
  readonly level: number;
  readonly constraint?: ConstraintText;
  /** Whether the forecast of the last horizon is drawn over what came. */
  readonly withPast: boolean;
}

type Params = Readonly<Record<string, string>>;

/** @param fallback horizon of an address without one, or with one that is no duration */
export function readForecastRequest(params: Params, fallback: string): ForecastRequest {
  const { to = "", level, constraint = "", past } = params;
  const read = readConstraint(constraint);
  return {
    horizon: isHorizon(to) ? to : fallback,
    level: levels.find((known) => String(known) === level) ?? DEFAULT_LEVEL,
    ...(read && { constraint: read }),
    withPast: past !== undefined,
  };
}

export function isHorizon(text: string): boolean {
  return isDuration(text) && secondsOf(text) > 0;
}

export function secondsOf(horizon: string): number {
  return parseDuration(horizon) / 1000;
}

/** Query of `_forecast` for the range that starts now. */
export function forecastQuery({ horizon, level, constraint }: ForecastRequest): string {
  return new URLSearchParams({
    to: `now+${horizon}`,
    p_val: String(level / 100),
    level: String(INNER_LEVEL),
    ...(constraint && { constraint: writeConstraint(constraint) }),
  }).toString();
}

type Column = readonly (number | null)[];

/** What the API answers, by feature in columns. */
export type Predicted = Pick<ForecastView, "timestamps" | "observed" | "predicted" | "levels">;

/** Observed values before the forecast. */
export interface History {
  readonly times: readonly number[];
  readonly features: Readonly<Record<string, Column>>;
}

/** Columns of one feature; all as long as the times. */
export interface ForecastColumns {
  readonly observed: Column;
  readonly expected: Column;
  readonly lower: Column;
  readonly upper: Column;
  readonly innerLower: Column;
  readonly innerUpper: Column;
  /** An earlier forecast of what is known by now. */
  readonly past: Column;
}

export interface ForecastData {
  readonly times: readonly number[];
  /** Start of the forecast, seconds since the epoch. */
  readonly start: number;
  readonly features: Readonly<Record<string, ForecastColumns>>;
}

/** History, an earlier forecast of its end, and the forecast, one after the other. */
export function joinForecast(history: History, past: Predicted | undefined, next: Predicted): ForecastData {
  const start = next.timestamps[0] ?? Number.POSITIVE_INFINITY;
  const pastStart = past?.timestamps[0] ?? start;
  const known = history.times.filter((time) => time < Math.min(start, pastStart));
  const between = past?.timestamps.filter((time) => time < start) ?? [];
  const times = [...known, ...between, ...next.timestamps];
  const join = (first: Column, second: Column, third: Column): Column => [
    ...fill(first, known.length),
    ...fill(second, between.length),
    ...fill(third, next.timestamps.length),
  ];
  const columnsOf = (name: string): ForecastColumns => {
    const inner = next.levels?.[String(INNER_LEVEL)];
    const ahead = (column: Column | undefined) => join([], [], column ?? []);
    return {
      observed: join(history.features[name] ?? [], past?.observed[name] ?? [], next.observed[name] ?? []),
      expected: ahead(next.predicted[name]),
      lower: ahead(next.predicted[`lower_${name}`]),
      upper: ahead(next.predicted[`upper_${name}`]),
      innerLower: ahead(inner?.[`lower_${name}`]),
      innerUpper: ahead(inner?.[`upper_${name}`]),
      past: join([], past?.predicted[name] ?? [], []),
    };
  };
  const names = Object.keys(next.observed);
  return { times, start, features: Object.fromEntries(names.map((name) => [name, columnsOf(name)])) };
}

function fill(column: Column, length: number): Column {
  return Array.from({ length }, (_, i) => column[i] ?? null);
}
