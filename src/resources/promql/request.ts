// Parameters of Prometheus's HTTP API: instants, durations, steps, matchers; errors are worded as Prometheus words them.
import { Type } from "@sinclair/typebox";
import { TorusError } from "../../core/errors.ts";
import { parseBySchema } from "../../core/input/schema-number.ts";
import { RecentCache } from "../../core/recent-cache.ts";
import { badData, PromqlError } from "../../promql/errors.ts";
import type { Expression } from "../../promql/language/expression.ts";
import { parseDurationText } from "../../promql/language/literals.ts";
import type { Matcher } from "../../promql/language/matcher.ts";
import { parseQuery } from "../../promql/language/parse.ts";
import type { QuerySteps } from "../../promql/query.ts";

/** Points of a series that a range query answers at most, as in Prometheus. */
export const MAX_POINTS = 11_000;
/** Instants that dates can show, ms since the epoch. */
const MAX_AT = 8.64e15;
const MAX_SPAN_MS = 9.2e12;

/** Queries that dashboards repeat; those with patterns are left out, as a compiled one may be large. */
const parsed = new RecentCache<Expression>(100);

/** @throws PromqlError `bad_data` */
export function readQuery(params: URLSearchParams): Expression {
  const text = params.get("query") ?? "";
  const known = parsed.get(text);
  if (known) return known;
  const expression = named("query", () => parseQuery(text));
  if (!text.includes("~")) parsed.set(text, expression);
  return expression;
}

/** Unix seconds or RFC 3339, as ms. @returns undefined where it is not given */
export function readInstant(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name);
  if (text === null || text === "") return undefined;
  const at = /^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(text)
    ? Math.round(Number(text) * 1000)
    : /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (!(Math.abs(at) <= MAX_AT))
    throw invalidParameter(name, `cannot parse "${text.slice(0, 64)}" to a valid timestamp`);
  return at;
}

/** A duration or seconds, as ms. @returns undefined where it is not given */
export function readSpan(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name);
  if (text === null || text === "") return undefined;
  const ms =
    parseDurationText(text) ??
    (/^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(text) ? Math.round(Number(text) * 1000) : Number.NaN);
  if (!(Math.abs(ms) <= MAX_SPAN_MS))
    throw invalidParameter(name, `cannot parse "${text.slice(0, 64)}" to a valid duration`);
  return ms;
}

/** `timeout` in ms; undefined or 0: none. @throws PromqlError `bad_data` */
export function readTimeout(params: URLSearchParams): number | undefined {
  const ms = readSpan(params, "timeout");
  if (ms !== undefined && ms < 0) throw invalidParameter("timeout", "must not be negative");
  return ms;
}

/** `start`, `end` and `step` of a range query. @throws PromqlError `bad_data` */
export function readSteps(params: URLSearchParams): QuerySteps {
  const startAt = required("start", readInstant(params, "start"));
  const endAt = required("end", readInstant(params, "end"));
  const stepMs = required("step", readSpan(params, "step"));
  if (endAt < startAt) throw invalidParameter("end", "end timestamp must not be before start time");
  if (stepMs <= 0)
    throw invalidParameter(
      "step",
      "zero or negative query resolution step widths are not accepted. Try a positive integer",
    );
  const count = Math.floor((endAt - startAt) / stepMs) + 1;
  if (count > MAX_POINTS + 1)
    throw badData(
      `exceeded maximum resolution of ${MAX_POINTS} points per timeseries. Try decreasing the query resolution (?step=XX)`,
    );
  return { startAt, endAt, stepMs, count };
}

/** Each `match[]` as the matchers of a selector. @throws PromqlError `bad_data` */
export function readMatches(params: URLSearchParams): readonly (readonly Matcher[])[] {
  return params.getAll("match[]").map((text) =>
    named("match[]", () => {
      const selector = parseQuery(text);
      if (selector.type !== "vector") throw badData(`${text.slice(0, 64)} is no series selector`);
      return selector.matchers;
    }),
  );
}

export const LimitParameter = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: "Most entries of the answer; 0: all",
});

/** Kind of rules to list. @throws PromqlError `bad_data` for an unknown one */
export function checkRuleType(params: URLSearchParams): void {
  const type = params.get("type") ?? "";
  if (!["", "alert", "record"].includes(type.toLowerCase()))
    throw invalidParameter("type", `not supported value "${type.slice(0, 64)}"`);
}

/** Whole number of entries. @returns undefined where there is no limit */
export function readLimit(params: URLSearchParams): number | undefined {
  const text = params.get("limit");
  if (text === null || text === "") return undefined;
  try {
    return parseBySchema(LimitParameter, text, "limit") || undefined;
  } catch (error) {
    throw error instanceof TorusError
      ? invalidParameter("limit", error.message.replace("limit: ", ""))
      : error;
  }
}

function required(name: string, value: number | undefined): number {
  if (value === undefined)
    throw invalidParameter(name, `cannot parse "" to a valid ${name === "step" ? "duration" : "timestamp"}`);
  return value;
}

function invalidParameter(name: string, message: string): PromqlError {
  return badData(`invalid parameter "${name}": ${message}`);
}

function named<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PromqlError)
      throw new PromqlError(error.type, `invalid parameter "${name}": ${error.message}`);
    throw error;
  }
}
