// Range of a request: `from` and `to`, resolved to instants and capped.
import type { TSchema } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { parseBySchema } from "../../core/input/schema-number.ts";
import { alignRange, countIntervals, type Range } from "../../core/series/grid.ts";
import { parseDate } from "../../core/time/time.ts";

export type Params = Readonly<Record<string, unknown>>;

/** The parameter, or undefined if it is absent or empty. */
export function given(params: Params, key: string): unknown {
  const value = Object.hasOwn(params, key) ? params[key] : undefined;
  return value === "" || value === null ? undefined : value;
}

/** The number parameter, by its published schema; undefined if it is absent or empty. @throws TorusError `invalid` */
export function givenNumber<Key extends string>(
  schemas: Readonly<Record<Key, TSchema>>,
  params: Params,
  key: Key,
): number | undefined {
  const value = given(params, key);
  return value === undefined ? undefined : parseBySchema(schemas[key], value, key);
}

export interface RangeDefaults {
  /** ms since the epoch; relative dates start here. */
  readonly nowAt: number;
  /** ms since the epoch; absent: `from` is required. */
  readonly fromAt?: number;
  /** Default of `to`; absent: now. */
  readonly endOf?: (fromAt: number) => number;
}

/**
 * Reads `from` and `to`.
 * @throws TorusError `invalid`: missing, malformed, or `from` not before `to`
 */
export function parseRange(params: Params, { nowAt, fromAt, endOf }: RangeDefaults): Range {
  const from = given(params, "from");
  const to = given(params, "to");
  if (from === undefined && fromAt === undefined)
    throw invalid("from", "is required: a date such as 2026-01-31T12:00:00Z or now-7d");
  const startAt = from === undefined ? fromAt! : parseDate(from, nowAt, "from");
  const endAt = to === undefined ? (endOf?.(startAt) ?? nowAt) : parseDate(to, nowAt, "to");
  if (startAt > endAt)
    throw invalid(
      "from",
      `must not be after to${to === undefined ? ", which is now where it is not given" : ""}`,
    );
  if (startAt === endAt) throw invalid("to", "must be after from: the range is empty");
  return { fromAt: startAt, toAt: endAt };
}

export interface Extent {
  readonly intervalMs: number;
  /** Values per interval. */
  readonly width: number;
  /** Largest number of values. */
  readonly cap: number;
  /** Advice on a range that is too long. */
  readonly way?: string | undefined;
}

/**
 * @returns number of intervals of the aligned range
 * @throws TorusError `invalid` with both numbers if there are too many
 */
export function measureRange(
  range: Range,
  { intervalMs, width, cap, way = "choose a shorter one, or a longer interval" }: Extent,
): number {
  const intervals = countIntervals(alignRange(range, intervalMs), intervalMs);
  if (intervals * width <= cap) return intervals;
  const maxIntervals = Math.floor(cap / width);
  throw invalid("from", `the range has ${intervals} intervals, at most ${maxIntervals} are allowed: ${way}`);
}

/** Caps on what one request may read or write. */
export interface Limits {
  /** Points of one `_write`. */
  readonly pointsPerWrite: number;
  /** Values of one read, backtest or training: intervals times features. */
  readonly valuesPerRead: number;
  /** Values of one evaluation: intervals times features. */
  readonly valuesPerEvaluation: number;
  /** Values of one forecast: intervals times features. */
  readonly valuesPerForecast: number;
  /** Points, and intervals, of a posted series. */
  readonly pointsPerSeries: number;
}

export const defaultLimits: Limits = {
  pointsPerWrite: 500_000,
  valuesPerRead: 5_000_000,
  valuesPerEvaluation: 1_000_000,
  valuesPerForecast: 100_000,
  pointsPerSeries: 100_000,
};

/** `from` and `to`, either of which may be absent. @param nowAt relative dates start here, ms. @throws TorusError `invalid` */
export function parseEnds(
  params: Params,
  nowAt: number,
): { readonly fromAt?: number; readonly toAt?: number } {
  const dateOf = (key: string) => {
    const value = given(params, key);
    return value === undefined ? undefined : parseDate(value, nowAt, key);
  };
  const [fromAt, toAt] = [dateOf("from"), dateOf("to")];
  if (fromAt !== undefined && toAt !== undefined && fromAt > toAt)
    throw invalid("from", "must not be after to");
  return { ...(fromAt !== undefined && { fromAt }), ...(toAt !== undefined && { toAt }) };
}
