// Parsing of a posted series: checks its points and places them on a grid of the detected or given step.
import { invalid, TorusError } from "../../core/errors.ts";
import {
  describeStep,
  findStep,
  type Granularity,
  placePoints,
  refineStep,
  type Step,
  stepOf,
} from "../../core/series/granularity.ts";
import { areDates } from "../../core/series/local-days.ts";
import { parseDate, parseDuration } from "../../core/time/time.ts";
import { checkTimezone, offsetsOf } from "../../core/time/timezone.ts";
import { type ImputeMode, impute } from "../../models/stateless/impute.ts";
import { MAX_VALUE } from "./series-request.ts";

/** Options of the request that concern the series. */
export interface SeriesOptions {
  readonly granularity?: Granularity;
  readonly customInterval?: number;
  readonly bucket_interval?: string | number;
  readonly imputeMode?: ImputeMode;
  readonly imputeFixedValue?: number;
  /** IANA name, of days, months and holidays. */
  readonly timezone?: string;
}

export interface PlacedSeries {
  /** One value per interval, imputed as requested; NaN: missing. The first and the last are present. */
  readonly column: Float64Array;
  /** The interval of each point. */
  readonly places: Int32Array;
  readonly step: Step;
  /** Times of the first and the last point, ms since the epoch; absent if the points have no timestamps. */
  readonly firstAt?: number;
  readonly lastAt?: number;
  /** Whether the timestamps are dates, which are the same days in any time zone. */
  readonly isDated?: boolean;
}

/**
 * @param body `series` of the request
 * @param cap largest number of points, and of intervals between the first and the last
 * @throws TorusError `invalid` naming the point, `too_little_data`, `too_large`
 */
export function parseSeries(
  body: unknown,
  options: SeriesOptions,
  { cap, least, nowAt }: { readonly cap: number; readonly least: number; readonly nowAt: number },
): PlacedSeries {
  if (options.timezone !== undefined) checkTimezone(options.timezone, "timezone");
  const points = checkPoints(body, { cap, least });
  const values = points.map(parseValue);
  const given = givenStep(options);
  const isEven = given?.kind === "even" || (!given && points.every((point) => !hasTimestamp(point)));
  const instants = isEven ? [] : parseInstants(points, nowAt);
  const isDated = !isEven && areDates(instants);
  const offsetAt = isDated ? undefined : offsetsOf(options.timezone);
  const step = given ? refineStep(given, instants, offsetAt) : findStep(instants, offsetAt);
  const places = isEven ? Int32Array.from(values.keys()) : placePoints(instants, step, { offsetAt });
  const length = places.at(-1)! + 1;
  if (length > cap) throw tooLong(length, step, cap);
  const column = new Float64Array(length).fill(Number.NaN);
  for (const [i, value] of values.entries()) column[places[i]!] = value;
  const [firstAt, lastAt] = [instants[0], instants.at(-1)];
  return {
    column: impute(column, options.imputeMode ?? "auto", fixedValue(options)),
    places,
    step,
    ...(firstAt !== undefined && lastAt !== undefined && { firstAt, lastAt, isDated }),
  };
}

interface PointInput {
  readonly timestamp?: unknown;
  readonly value?: unknown;
}

function checkPoints(
  body: unknown,
  { cap, least }: { readonly cap: number; readonly least: number },
): readonly PointInput[] {
  if (!Array.isArray(body))
    throw invalid("series", "is required: an array of points [{timestamp, value}, ...]");
  if (body.length > cap)
    throw new TorusError(
      "too_large",
      `series: has ${body.length} points, at most ${cap} are allowed: send the newest, or average them over longer intervals`,
      { path: "series", found: body.length, limit: cap },
    );
  if (body.length < least)
    throw new TorusError(
      "too_little_data",
      `series: has ${body.length} points, at least ${least} are needed; results are reliable from 100 on`,
      { path: "series", found: body.length, needed: least },
    );
  const wrong = body.findIndex(
    (point) => typeof point !== "object" || point === null || Array.isArray(point),
  );
  if (wrong >= 0) throw invalid(`series.${wrong}`, "must be an object {timestamp, value}");
  return body as readonly PointInput[];
}

function parseValue({ value }: PointInput, i: number): number {
  if (typeof value !== "number" || !Number.isFinite(value))
    throw invalid(`series.${i}.value`, "must be a finite number: leave out the points that are missing");
  if (Math.abs(value) > MAX_VALUE)
    throw invalid(`series.${i}.value`, `must be between -${MAX_VALUE} and ${MAX_VALUE}`);
  return value;
}

function hasTimestamp({ timestamp }: PointInput): boolean {
  return timestamp !== undefined && timestamp !== null;
}

/** @throws TorusError `invalid` for a malformed date, or one not after the previous point */
function parseInstants(points: readonly PointInput[], nowAt: number): number[] {
  let previous = Number.NEGATIVE_INFINITY;
  return points.map((point, i) => {
    const path = `series.${i}.timestamp`;
    if (!hasTimestamp(point))
      throw invalid(path, 'is required; without any, or with granularity "none", points are evenly spaced');
    const at = parseDate(point.timestamp, nowAt, path);
    if (at === previous)
      throw invalid(path, "is the same as that of the point before it: send one point each");
    if (at < previous)
      throw invalid(path, "is before that of the point before it: sort the points by time, oldest first");
    previous = at;
    return at;
  });
}

/** The step that the request names; undefined: it is detected. */
function givenStep({
  granularity,
  customInterval,
  bucket_interval: interval,
}: SeriesOptions): Step | undefined {
  if (granularity !== undefined && interval !== undefined)
    throw invalid("bucket_interval", "must not be given beside granularity: choose one of them");
  if (granularity === "workdays" && (customInterval ?? 1) !== 1)
    throw invalid("customInterval", "must be 1 with granularity workdays");
  if (granularity !== undefined) return stepOf(granularity, customInterval ?? 1);
  if (customInterval !== undefined)
    throw invalid("customInterval", "needs a granularity: it says how many of them lie between two points");
  if (interval === undefined || interval === "auto") return undefined;
  const ms = parseDuration(interval, "bucket_interval");
  if (ms === 0) throw invalid("bucket_interval", "must be longer than 0, as in 5m");
  return { kind: "fixed", ms };
}

function fixedValue({ imputeMode, imputeFixedValue }: SeriesOptions): number {
  if (imputeMode !== "fixed") return 0;
  if (imputeFixedValue === undefined)
    throw invalid("imputeFixedValue", "is required with imputeMode fixed: the value of missing points");
  return imputeFixedValue;
}

function tooLong(length: number, step: Step, cap: number): TorusError {
  const way = "give the interval the points have, or send a shorter range";
  return invalid(
    "series",
    `reaches over ${length} intervals of ${describeStep(step)}, at most ${cap} are allowed: ${way}`,
  );
}
