// The time zone that the name of a column says, as `Time (UTC)` and `Date Time, GMT+02:00` do.
import { MINUTE_MS } from "../../../time/time.ts";
import { isTimezone } from "../../../time/timezone.ts";
import { zoneHours } from "../cell-date.ts";

const region = /[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_]+)+(?:[+-]\d+)?/;
const zone =
  /(?<![\p{L}\d])(UTC|GMT|utc|gmt|WES?T|CES?T|MES?Z|EES?T)(?: ?([+-]\d{1,2})(?::?([0-5]\d))?)?(?![\p{L}\d])/gu;
/** Winter and summer by their names. */
const pairs: Readonly<Record<string, string>> = {
  "CEST CET": "Europe/Berlin",
  "MESZ MEZ": "Europe/Berlin",
  "EEST EET": "Europe/Athens",
  "WEST WET": "Europe/Lisbon",
};

/** @returns an IANA name or an offset, as in `+02:00`; undefined where the name says none, or several */
export function zoneOfName(name: string): string | undefined {
  const named = region.exec(name)?.[0];
  if (named !== undefined && isTimezone(named)) return named;
  // Of Windows' performance monitor, in minutes to the west.
  const bias = /^\(PDH-CSV .*\((-?\d+)\)$/.exec(name)?.[1];
  if (bias !== undefined) return offsetOf(-Number(bias));
  const found = [...name.matchAll(zone)];
  const words = [...new Set(found.map(([, word]) => word!.toUpperCase()))].sort();
  if (words.length !== 1) return pairs[words.join(" ")];
  const [, , hours = "0", minutes = "0"] = found[0]!;
  const sign = hours.startsWith("-") ? -1 : 1;
  return offsetOf(60 * (zoneHours[words[0]!]! + Number(hours)) + sign * Number(minutes));
}

/** @param minutes to the east */
function offsetOf(minutes: number): string | undefined {
  const size = Math.abs(minutes);
  if (minutes === 0 || size >= 1440) return size === 0 ? "UTC" : undefined;
  return `${minutes < 0 ? "-" : "+"}${new Date(size * MINUTE_MS).toISOString().slice(11, 16)}`;
}
