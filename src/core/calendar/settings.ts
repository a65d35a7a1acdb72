// Settings of a calendar: the text of an iCalendar file, or an address that it is read from; checks and merges.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { isRecord, withoutKeys } from "../input/json.ts";
import { Name } from "../input/name.ts";
import { check } from "../input/schema.ts";
import { durationSchema } from "../time/duration-schema.ts";
import { HOUR_MS, MINUTE_MS, parseDuration, SECOND_MS, WEEK_MS } from "../time/time.ts";

export const MAX_TEXT = 1_048_576;
const DEFAULT_REFRESH_MS = HOUR_MS;
const MIN_REFRESH_MS = 5 * MINUTE_MS;
const MAX_REFRESH_MS = 4 * WEEK_MS;
/** Keys that views add to the settings; ignored, so that clients may send back a view. */
const viewOnly = [
  "events",
  "skipped",
  "skipped_events",
  "next_events",
  "refreshed_date",
  "refreshed_timestamp",
  "next_refresh_date",
  "next_refresh_timestamp",
  "last_error",
  "last_error_code",
];
const REFRESH_RULE = "must be a duration of at least 5m, and at most 4w";

export const calendarSettings = {
  name: Name,
  ical: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEXT,
      description: "Text of an iCalendar file, BEGIN:VCALENDAR to END:VCALENDAR",
      rule: "must be the text of an iCalendar file, at most 1 MB",
    }),
  ),
  url: Type.Optional(
    Type.String({
      maxLength: 2048,
      description:
        "Address that the text is read from, in place of `ical`; a secret of which answers show the host alone",
      examples: ["https://calendar.example.com/private-4711/basic.ics"],
      rule: "must be http(s)://host[:port][/path][?query]",
    }),
  ),
  refresh: Type.Optional(
    durationSchema({
      description:
        "How often the address is read, at least every 5m; after a failure sooner, at growing intervals",
      default: "1h",
      within: { minimum: MIN_REFRESH_MS / SECOND_MS, maximum: MAX_REFRESH_MS / SECOND_MS },
      rule: REFRESH_RULE,
    }),
  ),
  verify_ssl: Type.Optional(
    Type.Boolean({
      default: true,
      description: "Refuse a certificate of the address that does not verify",
      rule: "must be true or false",
    }),
  ),
};

export const CalendarSettings = Type.Object(calendarSettings, {
  additionalProperties: false,
  title: "calendar",
  $id: "CalendarSettings",
});
export type CalendarSettings = Static<typeof CalendarSettings>;

/** @throws TorusError `invalid` with the path and the rule */
export function checkCalendar(body: unknown): CalendarSettings {
  const settings = check(CalendarSettings, withoutKeys(body, viewOnly));
  const { ical, url, refresh, verify_ssl } = settings;
  if (ical !== undefined && url !== undefined)
    throw invalid("url", "must stand without ical: choose one of them");
  if (ical === undefined && url === undefined)
    throw invalid("", "must have ical, the text of an iCalendar file, or url, its address");
  if (url === undefined && refresh !== undefined)
    throw invalid("refresh", "needs url: a text is not read again");
  if (url === undefined && verify_ssl !== undefined) throw invalid("verify_ssl", "needs url");
  const ms = refreshMsOf(settings);
  if (ms < MIN_REFRESH_MS || ms > MAX_REFRESH_MS) throw invalid("refresh", REFRESH_RULE);
  return settings;
}

/**
 * Applies a PATCH: missing keys stay, null removes an optional one; an address as answers show it is the stored one.
 * @throws TorusError `invalid`
 */
export function mergeCalendar(old: CalendarSettings, patch: unknown): CalendarSettings {
  if (!isRecord(patch)) throw invalid("body", "must be a JSON object: the settings to change");
  if (patch.name !== undefined && patch.name !== old.name)
    throw invalid("name", "cannot be changed; create another calendar instead");
  if (
    patch.verify_ssl === false &&
    old.verify_ssl !== false &&
    old.url !== undefined &&
    !isFresh(old, patch.url)
  )
    throw invalid(
      "url",
      "must be given again with verify_ssl: false, as its secret would be sent unprotected",
    );
  const merged = new Map<string, unknown>(Object.entries(old));
  // One kind of source takes the place of the other.
  if (typeof patch.ical === "string") for (const key of ["url", "refresh", "verify_ssl"]) merged.delete(key);
  if (typeof patch.url === "string") merged.delete("ical");
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return checkCalendar(keepUrl(old, Object.fromEntries(merged)));
}

/** Whether a client has given an address, and not the one that answers show. */
function isFresh({ url }: CalendarSettings, given: unknown): boolean {
  return typeof given === "string" && url !== undefined && given !== hideUrl(url);
}

/** Replaces an address as answers show it by the stored one. */
export function keepUrl(old: CalendarSettings | undefined, next: unknown): unknown {
  if (!isRecord(next) || old?.url === undefined || next.url !== hideUrl(old.url)) return next;
  return { ...next, url: old.url };
}

/** Scheme and host: the rest may be a secret. */
export function hideUrl(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}/***`;
}

/** Settings as answers show them: without the secret of the address. */
export function showCalendar<S extends { readonly url?: string }>(settings: S): S {
  return settings.url === undefined ? settings : { ...settings, url: hideUrl(settings.url) };
}

/** How often the address is read, ms. */
export function refreshMsOf({ refresh }: Pick<CalendarSettings, "refresh">): number {
  return refresh === undefined ? DEFAULT_REFRESH_MS : parseDuration(refresh, "refresh");
}
