// Timestamps in CSV cells: epoch numbers in any unit, ISO 8601, or a pattern such as %d/%m/%Y %H:%M.
import { DAY_MS, parseDate } from "../time/time.ts";
import { readSheetDay, type WrittenTime } from "./csv/cell-date.ts";
import { monthOf } from "./csv/month-names.ts";
import { refuse } from "./csv/words/refusal.ts";

/** Parses a cell. @returns seconds since the epoch; undefined if it is no timestamp */
export type TimeReader = (cell: string) => number | undefined;

/** Per second. */
const units: Readonly<Record<string, number>> = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 };
/** A number above this must be in the next finer unit. */
const UNIT_LIMIT = 1e11;
const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(10_000, 0, 1);

/** A number of seconds and the like, with a decimal point or comma. */
export const epochText = /^[+-]?\d+([.,]\d+)?([eE][+-]?\d{1,3})?$/;

export function readEpoch(cell: string): number {
  return Number(cell.replace(",", "."));
}

/** Default path in error messages. */
const FLAG = "--time-format";

/** Time formats beside patterns, for messages. */
export const TIME_FORMATS = "auto, iso, s, ms, us, ns, excel or a pattern such as '%d/%m/%Y %H:%M'";

/**
 * @param format `auto`, `iso`, `s`, `ms`, `us`, `ns`, `excel`, or a pattern; times without an offset are UTC
 * @param path of the option in error messages
 * @throws TorusError `invalid` for a format that is none of these
 */
export function createTimeReader(format = "auto", path = FLAG): TimeReader {
  if (format === "auto") return (cell) => (epochText.test(cell) ? readNumber(cell) : readIso(cell));
  const read = createWrittenTimeReader(format, path);
  return (cell) => {
    const written = read(cell);
    return written && within(written.ms / 1000);
  };
}

/**
 * The same, without the zone of times that have none.
 * @param format `iso`, `s`, `ms`, `us`, `ns`, `excel`, or a pattern of %Y %y %m %d %j %b %B %a %A %H %I %p %M %S %f %z %Z %F %T
 */
export function createWrittenTimeReader(
  format: string,
  path = FLAG,
): (cell: string) => WrittenTime | undefined {
  if (format === "iso") return readWrittenIso;
  if (format === "excel") return readSheetDay;
  const perSecond = units[format];
  if (perSecond !== undefined)
    return (cell) => {
      const seconds = epochText.test(cell) ? within(readEpoch(cell) / perSecond) : undefined;
      return seconds === undefined ? undefined : { ms: seconds * 1000, hasOffset: true, hasTime: true };
    };
  if (format.includes("%")) return createPatternReader(format, path);
  throw refuse(path, "timeFormat", TIME_FORMATS);
}

function readWrittenIso(cell: string): WrittenTime | undefined {
  const seconds = readIso(cell);
  if (seconds === undefined) return undefined;
  return {
    ms: seconds * 1000,
    hasOffset: /:\d.*(?:[zZ]|[+\s-]\d{2}:?(?:\d{2})?)$/.test(cell),
    hasTime: cell.length > 10,
  };
}

/** Detects the unit by magnitude: seconds today have ten digits. */
function readNumber(cell: string): number | undefined {
  let seconds = readEpoch(cell);
  for (let step = 0; step < 3 && Math.abs(seconds) >= UNIT_LIMIT; step++) seconds /= 1000;
  return within(seconds);
}

function readIso(cell: string): number | undefined {
  if (epochText.test(cell) || cell.startsWith("now")) return undefined;
  try {
    return parseDate(cell, 0) / 1000;
  } catch {
    return undefined;
  }
}

function within(seconds: number): number | undefined {
  const ms = seconds * 1000;
  return ms >= EARLIEST_MS && ms < LATEST_MS ? seconds : undefined;
}

/** Regular expressions of the pattern letters. */
const directives: Readonly<Record<string, string>> = {
  Y: "\\d{4}",
  y: "\\d{2}",
  m: "\\d{1,2}",
  d: "\\d{1,2}",
  j: "\\d{1,3}",
  b: "\\p{L}{3,12}\\.?",
  B: "\\p{L}{3,12}",
  a: "\\p{L}{2,12}\\.?",
  A: "\\p{L}{2,12}",
  H: "\\d{1,2}",
  I: "\\d{1,2}",
  M: "\\d{1,2}",
  S: "\\d{1,2}",
  f: "\\d{1,9}",
  p: "[AaPp][Mm]",
  z: "Z|[+-]\\d{2}:?\\d{2}",
  Z: "UTC|GMT|Z",
};
const shorthands: Readonly<Record<string, string>> = { "%F": "%Y-%m-%d", "%T": "%H:%M:%S" };

function createPatternReader(format: string, path: string): (cell: string) => WrittenTime | undefined {
  const long = format.replace(/%[FT]/g, (short) => shorthands[short]!);
  const source = long.replace(/%(.)|[.*+?^${}()|[\]\\/]|\s+/g, (found, letter?: string) => {
    if (letter === undefined) return found.trim() === "" ? "\\s+" : `\\${found}`;
    if (letter === "%") return "%";
    const matched = Object.hasOwn(directives, letter) ? directives[letter] : undefined;
    if (matched === undefined)
      throw refuse(
        path,
        "unknownLetter",
        letter,
        Object.keys(directives)
          .map((each) => `%${each}`)
          .join(" "),
      );
    return `(?<${letter}>${matched})`;
  });
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^${source}$`, "u");
  } catch {
    throw refuse(path, "letterTwice");
  }
  return (cell) => {
    const parts = pattern.exec(cell)?.groups;
    return parts && readParts(parts);
  };
}

function readParts(parts: Readonly<Record<string, string | undefined>>): WrittenTime | undefined {
  const { Y, y = "70", m, d = "1", j, H, I, M = "0", S = "0", f = "0", p, z, Z } = parts;
  const name = parts.b ?? parts.B;
  const year = Y === undefined ? 1900 + Number(y) + (Number(y) < 69 ? 100 : 0) : Number(Y);
  const month = j !== undefined ? 1 : name === undefined ? Number(m ?? 1) : monthOf(name);
  const hour = I === undefined ? Number(H ?? 0) : (Number(I) % 12) + (p?.toLowerCase() === "pm" ? 12 : 0);
  if (month === undefined || Number(I ?? 1) < 1 || Number(I ?? 1) > 12) return undefined;
  const midnight = Date.UTC(year, month - 1, Number(j ?? d));
  const date = new Date(midnight);
  const isRolled = j === undefined && (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(d));
  if (isRolled || date.getUTCFullYear() !== year || Number(M) > 59 || Number(S) > 59) return undefined;
  const clock = hour * 3_600_000 + Number(M) * 60_000 + Number(S) * 1000 + Number(`0.${f}`) * 1000;
  // 24:00 is the end of a day.
  if (clock > DAY_MS) return undefined;
  const offset = z === undefined ? 0 : zoneSeconds(z) * 1000;
  return {
    ms: midnight + clock - offset,
    hasOffset: (z ?? Z) !== undefined,
    hasTime: (H ?? I) !== undefined,
  };
}

function zoneSeconds(zone: string): number {
  if (zone === "Z") return 0;
  const digits = zone.slice(1).replace(":", "");
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2)) * 60;
  return zone.startsWith("-") ? -seconds : seconds;
}
