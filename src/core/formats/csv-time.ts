// Timestamps in CSV cells: epoch numbers in any unit, ISO 8601, or a pattern such as %d/%m/%Y %H:%M.
import { parseDate } from "../time/time.ts";
import { readDate, readSheetDay, toTime, type WrittenTime } from "./csv/cell-date.ts";
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

const isoText = /^\d{4}(-|\d{4}T)/;

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
  if (format === "iso") return (cell) => (isoText.test(cell) ? readDate(cell, "ymd") : undefined);
  if (format === "excel") return readSheetDay;
  const perSecond = units[format];
  if (perSecond !== undefined)
    return (cell) =>
      epochText.test(cell)
        ? { ms: (readEpoch(cell) / perSecond) * 1000, hasOffset: true, hasTime: true }
        : undefined;
  if (format.includes("%")) return createPatternReader(format, path);
  throw refuse(path, "timeFormat", TIME_FORMATS);
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

/** Regular expressions of the pattern letters, with the names of their parts. */
const directives: Readonly<Record<string, string>> = {
  Y: "(?<y>\\d{4})",
  y: "(?<y2>\\d{2})",
  m: "(?<m>\\d{1,2})",
  d: "(?<d>\\d{1,2})",
  j: "(?<doy>\\d{1,3})",
  b: "(?<name>\\p{L}{3,12}\\.?)",
  B: "(?<name>\\p{L}{3,12})",
  a: "\\p{L}{2,12}\\.?",
  A: "\\p{L}{2,12}",
  H: "(?<H>\\d{1,2})",
  I: "(?<H>\\d{1,2})",
  M: "(?<M>\\d{1,2})",
  S: "(?<S>\\d{1,2})",
  f: "(?<f>\\d{1,9})",
  p: "(?<p>[AaPp])[Mm]",
  z: "(?<z>Z|[+-]\\d{2}:?\\d{2})",
  Z: "(?<z>UTC|GMT|Z)",
};

function createPatternReader(format: string, path: string): (cell: string) => WrittenTime | undefined {
  const long = format.replaceAll("%F", "%Y-%m-%d").replaceAll("%T", "%H:%M:%S");
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
    return matched;
  });
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^${source}$`, "u");
  } catch {
    throw refuse(path, "letterTwice");
  }
  return (cell) => {
    const parts = pattern.exec(cell)?.groups;
    return parts && toTime(parts, "ymd");
  };
}
