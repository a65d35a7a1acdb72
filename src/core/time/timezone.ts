// Time zones: validity of a name, and offsets of local time, cached per quarter of an hour.
import { invalid } from "../errors.ts";

/** No zone changes its offset except at a quarter of an hour. */
const QUARTER_MS = 900_000;
/** Quarters of a year, roughly. */
const MAX_CACHED = 40_000;

/** @throws TorusError `invalid` for an unknown zone */
export function checkTimezone(timezone: string, path: string): void {
  if (!isTimezone(timezone)) throw invalid(path, "must be an IANA time zone, as in Europe/Paris");
}

/** Whether a text is the name of an IANA time zone. */
export function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
    return true;
  } catch {
    return false;
  }
}

/** Offsets by quarter of an hour and zone: each evaluation of a model asks for those of its window again. */
const zones = new Map<string, Map<number, number>>();

/**
 * @param timezone a valid IANA name
 * @returns a function from an instant (ms since the epoch) to the offset of local time, ms; undefined for UTC
 */
export function offsetsOf(timezone: string | undefined): ((at: number) => number) | undefined {
  // There are some hundred names, in many spellings.
  const name = timezone?.toLowerCase();
  if (!name || /^(etc\/)?utc$/.test(name)) return undefined;
  const known = zones.get(name) ?? new Map<number, number>();
  zones.set(name, known);
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    if (known.size >= MAX_CACHED) known.clear();
    format ??= new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" });
    const offset = readOffset(format.format(quarter * QUARTER_MS));
    known.set(quarter, offset);
    return offset;
  };
}

/** Offset of a text as `1/1/2026, GMT+01:00`, ms. */
function readOffset(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(text) ?? [];
  return (sign === "-" ? -1000 : 1000) * (3600 * Number(hours) + 60 * Number(minutes) + Number(seconds));
}
