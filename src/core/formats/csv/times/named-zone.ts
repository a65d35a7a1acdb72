// The time zone that the name of a column says, as `Time (UTC)` and `Date Time, GMT+02:00` do.
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
  const found = [...name.matchAll(zone)];
  const words = [...new Set(found.map(([, word]) => word!.toUpperCase()))].sort();
  if (words.length !== 1) return pairs[words.join(" ")];
  const [, , hours = "0", minutes = "00"] = found[0]!;
  const whole = zoneHours[words[0]!]! + Number(hours);
  if (whole === 0 && minutes === "00") return "UTC";
  const sign = hours.startsWith("-") ? "-" : "+";
  const offset = `${sign}${String(Math.abs(whole)).padStart(2, "0")}:${minutes}`;
  return isTimezone(offset) ? offset : undefined;
}
