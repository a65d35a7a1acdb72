// Parsing of durations and dates in requests (API.md 1); pure: the current time is a parameter.
import { invalid } from "../errors.ts";

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: WEEK_MS,
  M: 30 * DAY_MS,
  y: 365 * DAY_MS,
};

/** Years 1900 to 9999: a date outside is a mistaken unit (ms for s). */
const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** Bounds of a date, in seconds since the epoch. */
export const dateBounds = { minimum: EARLIEST_MS / SECOND_MS, maximum: LATEST_MS / SECOND_MS };
const MAX_DURATION_MS = 1000 * 365 * DAY_MS;
/** Longest duration, in seconds: a thousand years. */
export const MAX_DURATION_S = MAX_DURATION_MS / SECOND_MS;

const MAX_TEXT_LENGTH = 100;
const durationText = /^\d+(?:\.\d+)?$|^(?:\d+(?:\.\d+)?(?:ms|[smhdwMy]))+$/;
const durationPart = /(\d+(?:\.\d+)?)(ms|[smhdwMy]?)/g;

/** The rule of durations, for messages. */
export const DURATION_RULE =
  "must be a duration: numbers and units (ms s m h d w M y), as in 30s, 5m, 1h30m or 1d";
/** As `DURATION_RULE`, of durations that are not 0. */
export const INTERVAL_RULE = DURATION_RULE.replace("duration:", "duration longer than 0:");

/** Whether a text or number is a duration. */
export function isDuration(value: unknown): value is string | number {
  return durationMs(value) !== undefined;
}

function durationMs(value: unknown): number | undefined {
  if (typeof value === "number") return inDurationRange(value * SECOND_MS);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (text.length > MAX_TEXT_LENGTH || !durationText.test(text)) return undefined;
  const parts = [...text.matchAll(durationPart)].map(
    ([, number, unit]) => [Number(number), unitMs[unit || "s"]!] as const,
  );
  // Each unit once, the longest first: anything else is a slip of the keyboard.
  if (parts.some(([, unit], i) => i > 0 && unit >= parts[i - 1]![1])) return undefined;
  return inDurationRange(parts.reduce((sum, [number, unit]) => sum + number * unit, 0));
}

function inDurationRange(ms: number): number | undefined {
  return Number.isFinite(ms) && ms >= 0 && ms <= MAX_DURATION_MS ? Math.round(ms) : undefined;
}

/**
 * Parses numbers and units, the longest first, as in `1h30m` (ms s m h d w M=30d y=365d), or a number of seconds.
 * @returns milliseconds
 * @throws TorusError `invalid` naming `path`
 */
export function parseDuration(value: unknown, path = "duration"): number {
  const ms = durationMs(value);
  if (ms === undefined) throw invalid(path, DURATION_RULE);
  return ms;
}

const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(\s*(?:Z|z|[+-]\d{2}:?(?:\d{2})?)|\s\d{2}:?(?:\d{2})?)?)?$/;
/** Digits that begin with a year, a month and perhaps more: read as that date, never as seconds. */
const compactDate =
  /^((?:19|20)\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?|T(\d{2})(\d{2})?(\d{2})?)?(Z)?$/;
const relativeDate = /^now(?:\s*([+\s-])\s*([\d.smhdwMy]+))?(?:\/([smhdwMy]))?$/;

/** The rule of dates, for messages. */
export const DATE_RULE =
  "must be a date: seconds since the epoch, ISO 8601 (2026-01-31T12:00:00Z or 20260131), now, now-1h or now/d";
const YEARS_RULE = "must be a date of 1900 to 9999";
/** What a date too far ahead mostly needs. */
export const UNIT_HINT = ": divide milliseconds by 1000";

/**
 * Parses a date: seconds since the epoch, ISO 8601 / RFC 3339 (naive = UTC), `now`, `now-1h`, `now-1d/d`.
 * Text of 8, 12 or 14 digits that begins with a year (`20260131`) is a date; a number is always seconds.
 * A space in place of a plus (`now 5m`, `2026-01-31T12:00:00 02:00`) counts as a plus: URL decoding turns one into the other.
 * @returns milliseconds since the epoch
 * @throws TorusError `invalid` naming `path`
 */
export function parseDate(value: unknown, nowAt: number, path = "date"): number {
  const at = dateMs(value, nowAt);
  if (at === undefined || !Number.isFinite(at)) throw invalid(path, DATE_RULE);
  if (at >= EARLIEST_MS && at <= LATEST_MS) return at;
  throw invalid(path, `${YEARS_RULE}${Number(value) > 0 ? UNIT_HINT : ""}`);
}

function dateMs(value: unknown, nowAt: number): number | undefined {
  if (typeof value === "number") return Math.round(value * SECOND_MS);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const compact = compactDate.exec(text);
  if (compact) return compactMs(compact);
  // A year, or a year and a month: nobody means the first hour, or the third day, of 1970.
  if (/^(19|20)\d{2}((0[1-9]|1[0-2]))?$/.test(text)) return undefined;
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * SECOND_MS);
  const relative = relativeDate.exec(text);
  if (relative) return relativeMs(relative, nowAt);
  const iso = isoDate.exec(text);
  return iso ? isoMs(iso) : undefined;
}

function compactMs(match: RegExpExecArray): number | undefined {
  const [, year, month, day, hour, minute, second, ...marked] = match;
  const [h = "00", m = "00", s = "00"] = hour === undefined ? marked : [hour, minute, second];
  const iso = isoDate.exec(`${year}-${month}-${day}T${h}:${m}:${s}`);
  return iso ? isoMs(iso) : undefined;
}

function relativeMs(match: RegExpExecArray, nowAt: number): number | undefined {
  const [, sign, span, rounding] = match;
  const spanMs = span === undefined ? 0 : durationMs(span);
  if (spanMs === undefined) return undefined;
  const at = sign === "-" ? nowAt - spanMs : nowAt + spanMs;
  return rounding ? floorToUnit(at, rounding) : at;
}

/** Start of the UTC second, minute, hour, day, ISO week (Monday), month or year that contains `at`. */
function floorToUnit(at: number, unit: string): number {
  const date = new Date(at);
  if (unit === "y") return Date.UTC(date.getUTCFullYear(), 0, 1);
  if (unit === "M") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  if (unit === "w") {
    const dayStart = Math.floor(at / DAY_MS) * DAY_MS;
    return dayStart - ((date.getUTCDay() + 6) % 7) * DAY_MS;
  }
  return Math.floor(at / unitMs[unit]!) * unitMs[unit]!;
}

function isoMs(match: RegExpExecArray): number | undefined {
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "0", zone = "Z"] = match;
  const at = Date.UTC(
    +year!,
    +month! - 1,
    +day!,
    +hour,
    +minute,
    +second,
    +fraction.slice(0, 3).padEnd(3, "0"),
  );
  const date = new Date(at);
  // Date.UTC turns 31 February into March and the year 50 into 1950; both are errors.
  const rolled =
    date.getUTCFullYear() !== +year! || date.getUTCMonth() !== +month! - 1 || date.getUTCDate() !== +day!;
  const offsetMs = zoneMs(zone);
  if (rolled || +hour > 23 || +minute > 59 || +second > 59 || offsetMs === undefined) return undefined;
  return at - offsetMs;
}

/** Offset of a zone such as `+02:00`, or ` 02:00` with a decoded plus; undefined beyond 23:59. */
function zoneMs(text: string): number | undefined {
  const zone = text.trim();
  if (zone === "Z" || zone === "z") return 0;
  const digits = zone.replace(/^[+-]/, "").replace(":", "");
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2) || "0")];
  if (hours > 23 || minutes > 59) return undefined;
  const ms = hours * HOUR_MS + minutes * MINUTE_MS;
  return zone.startsWith("-") ? -ms : ms;
}

/** `2018-05-16T17:00:20.966Z` for an instant in milliseconds. */
export function formatDate(at: number): string {
  return new Date(at).toISOString();
}

/** `2018-05-16 17:00:20.966000+02:00` for an instant in milliseconds, in an IANA time zone. */
export function formatLocalDate(at: number, timezone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(Math.round(at)).toZonedDateTimeISO(timezone);
  const text = zoned.toPlainDateTime().toString({ fractionalSecondDigits: 6 });
  return `${text.replace("T", " ")}${zoned.offset}`;
}
