// Timestamps in CSV cells: epoch numbers in any unit, ISO 8601, or a pattern such as %d/%m/%Y %H:%M.
import { invalid } from "../errors.ts";
import { parseDate } from "../time/time.ts";

/** Parses a cell. @returns seconds since the epoch; undefined if it is no timestamp */
export type TimeReader = (cell: string) => number | undefined;

/** Per second. */
const units: Readonly<Record<string, number>> = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 };
/** A number above this must be in the next finer unit. */
const UNIT_LIMIT = 1e11;
const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(10_000, 0, 1);

const numberText = /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;

/** Default path in error messages. */
const FLAG = "--time-format";

/**
 * @param format `auto`, `iso`, `s`, `ms`, `us`, `ns`, or a pattern of %Y %y %m %d %b %H %M %S %f %z %p %I
 * @param path of the option in error messages
 * @throws TorusError `invalid` for a format that is none of these
 */
export function createTimeReader(format = "auto", path = FLAG): TimeReader {
  if (format === "auto") return (cell) => (numberText.test(cell) ? readNumber(cell) : readIso(cell));
  if (format === "iso") return readIso;
  const perSecond = units[format];
  if (perSecond !== undefined)
    return (cell) => (numberText.test(cell) ? within(Number(cell) / perSecond) : undefined);
  if (format.includes("%")) return createPatternReader(format, path);
  throw invalid(path, "must be auto, iso, s, ms, us, ns or a pattern such as '%d/%m/%Y %H:%M'");
}

/** Detects the unit by magnitude: seconds today have ten digits. */
function readNumber(cell: string): number | undefined {
  let seconds = Number(cell);
  for (let step = 0; step < 3 && Math.abs(seconds) >= UNIT_LIMIT; step++) seconds /= 1000;
  return within(seconds);
}

function readIso(cell: string): number | undefined {
  if (numberText.test(cell) || cell.startsWith("now")) return undefined;
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

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Regular expressions of the pattern letters. */
const directives: Readonly<Record<string, string>> = {
  Y: "\\d{4}",
  y: "\\d{2}",
  m: "\\d{1,2}",
  d: "\\d{1,2}",
  b: "[A-Za-z]{3}",
  H: "\\d{1,2}",
  I: "\\d{1,2}",
  M: "\\d{1,2}",
  S: "\\d{1,2}",
  f: "\\d{1,9}",
  p: "[AaPp][Mm]",
  z: "Z|[+-]\\d{2}:?\\d{2}",
};

function createPatternReader(format: string, path: string): TimeReader {
  const source = format.replace(/%(.)|[.*+?^${}()|[\]\\]|\s+/g, (found, letter?: string) => {
    if (letter === undefined) return found.trim() === "" ? "\\s+" : `\\${found}`;
    if (letter === "%") return "%";
    const matched = Object.hasOwn(directives, letter) ? directives[letter] : undefined;
    if (matched === undefined)
      throw invalid(path, `%${letter} is unknown; known: %${Object.keys(directives).join(" %")}`);
    return `(?<${letter}>${matched})`;
  });
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^${source}$`);
  } catch {
    throw invalid(path, "must not hold the same letter twice");
  }
  return (cell) => {
    const parts = pattern.exec(cell)?.groups;
    return parts && readParts(parts);
  };
}

function readParts(parts: Readonly<Record<string, string | undefined>>): number | undefined {
  const { Y, y = "70", m, d = "1", b, H, I, M = "0", S = "0", f = "0", p, z = "Z" } = parts;
  const year = Y === undefined ? 1900 + Number(y) + (Number(y) < 69 ? 100 : 0) : Number(Y);
  const month = b === undefined ? Number(m ?? 1) - 1 : months.indexOf(b.toLowerCase());
  const hour = I === undefined ? Number(H ?? 0) : (Number(I) % 12) + (p?.toLowerCase() === "pm" ? 12 : 0);
  const at = Date.UTC(year, month, Number(d), hour, Number(M), Number(S));
  const date = new Date(at);
  const rolled =
    date.getUTCMonth() !== month || date.getUTCDate() !== Number(d) || date.getUTCHours() !== hour;
  if (rolled || Number(M) > 59 || Number(S) > 59) return undefined;
  return within(at / 1000 + Number(`0.${f}`) - zoneSeconds(z));
}

function zoneSeconds(zone: string): number {
  if (zone === "Z") return 0;
  const digits = zone.slice(1).replace(":", "");
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2)) * 60;
  return zone.startsWith("-") ? -seconds : seconds;
}
