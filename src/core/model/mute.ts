// Mute windows of hooks: until an instant, weekly hours, cron slots with a duration, or events of a calendar; pure.
import { type Static, Type } from "@sinclair/typebox";
import { type Calendars, noCalendars } from "../calendar/calendar.ts";
import type { KnownEvents } from "../calendar/known-events.ts";
import { invalid } from "../errors.ts";
import { Name } from "../input/name.ts";
import { matchesGlob } from "../input/name-pattern.ts";
import { optional } from "../input/optional.ts";
import { oneOfWords } from "../input/words.ts";
import { checkCron, nextCron } from "../time/cron.ts";
import { durationSchema } from "../time/duration-schema.ts";
import { DAY_MS, parseDuration } from "../time/time.ts";
import { checkTimezone } from "../time/timezone.ts";
import type { SeriesTags } from "./fleet.ts";

/** In the order of ISO weekdays. */
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
const MAX_DURATION_MS = 31 * DAY_MS;
/** Adjacent windows count as one; at most this many are followed. */
const MAX_CHAIN = 100;
const instantRule = "must be an instant with its offset, as in 2026-11-26T18:00:00Z";
const timeText = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

export const MuteWindow = Type.Object(
  {
    weekdays: Type.Optional(
      Type.Array(oneOfWords(weekdays, { rule: `must be one of ${weekdays.join(", ")}` }), {
        minItems: 1,
        maxItems: 7,
        description: "Days on which the window begins; absent: every day",
      }),
    ),
    from: optional.text("Local start time, `HH:MM`"),
    to: optional.text("Local end time, `HH:MM` or 24:00; if not after `from`, on the next day"),
    cron: optional.text("Start as a cron expression; instead of from and to"),
    duration: Type.Optional(durationSchema({ description: "Duration of a window of `cron`" })),
    calendar: Type.Optional({
      ...Name,
      description: "Name of a calendar: its events are the windows; instead of from and to",
    }),
    until: Type.Optional(
      Type.String({
        description: "Once, from now until this instant in ISO 8601; instead of from and to",
        examples: ["2026-11-26T18:00:00Z"],
        rule: instantRule,
      }),
    ),
    timezone: optional.text("IANA time zone; absent: the model's, and without one UTC"),
    series: Type.Optional(
      Type.Record(
        Type.String(),
        Type.String({ minLength: 1, maxLength: 1024, rule: "must be a text, as in db-*" }),
        {
          minProperties: 1,
          maxProperties: 8,
          description:
            "Of a model with `group_by`, the series that are muted: values of tags, all of which must match; `*` stands for any text. Absent: all series",
          examples: [{ host: "db-*" }],
          rule: "must be texts by tag of group_by, in which * stands for any text, as in {host: db-*}",
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type MuteWindow = Static<typeof MuteWindow>;

/** A window of a hook, which serves models of any zone, series and calendars. */
export const HookMuteWindow = Type.Object(
  {
    ...Type.Omit(MuteWindow, ["calendar", "series"]).properties,
    timezone: optional.text("IANA time zone; absent: UTC"),
  },
  { additionalProperties: false },
);

/**
 * Checks the rules that the schema cannot express.
 * @param groupBy tags of the model's series
 * @throws TorusError `invalid` with path, rule and remedy
 */
export function checkMute(windows: readonly MuteWindow[], groupBy: readonly string[] = []): void {
  for (const [index, window] of windows.entries()) {
    const place = `mute.${index}`;
    if (window.until !== undefined) checkUntil(window, place);
    else if (window.calendar !== undefined) checkEvents(window, place);
    else if (window.cron === undefined) checkHours(window, place);
    else checkSlots(window, place);
    if (window.timezone !== undefined) checkTimezone(window.timezone, `${place}.timezone`);
    const foreign = Object.keys(window.series ?? {}).find((tag) => !groupBy.includes(tag));
    if (foreign === undefined) continue;
    const known = groupBy.length > 0 ? `must name tags of group_by: ${groupBy.join(", ")}` : "needs group_by";
    throw invalid(`${place}.series.${foreign}`, known);
  }
}

/** What a file of settings may hold, since it was right when it was written. */
export interface Leniency {
  /** Whether to take mute windows that have ended. */
  readonly endedMutes?: boolean;
}

/** What else a change of mute windows depends on. */
interface Ahead {
  /** Windows that may stay: a request sends them back as they are. */
  readonly before: readonly MuteWindow[] | undefined;
  /** ms since the epoch. */
  readonly nowAt: number;
}

/** Refuses windows that have ended already. @throws TorusError `invalid` */
export function checkAhead(windows: readonly MuteWindow[] = [], { before = [], nowAt }: Ahead): void {
  for (const [index, window] of windows.entries()) {
    const endAt = window.until === undefined ? undefined : untilOf(window.until);
    if (endAt === undefined || endAt > nowAt || before.some((old) => Bun.deepEquals(old, window))) continue;
    throw invalid(`mute.${index}.until`, `must be in the future; now it is ${new Date(nowAt).toISOString()}`);
  }
}

function checkUntil({ until, series: _, ...others }: MuteWindow, path: string): void {
  if (Object.values(others).some((value) => value !== undefined))
    throw invalid(`${path}.until`, "must stand alone, or beside series");
  if (untilOf(until!) === undefined) throw invalid(`${path}.until`, instantRule);
}

/** ms since the epoch; undefined where it is no instant. */
function untilOf(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}

function checkEvents({ from, to, weekdays: days, cron, duration }: MuteWindow, path: string): void {
  if ([from, to, days, cron, duration].some((value) => value !== undefined))
    throw invalid(`${path}.calendar`, "must stand without weekdays, from, to, cron and duration");
}

function checkHours({ from, to, duration }: MuteWindow, path: string): void {
  if (from === undefined || !timeText.test(from)) throw invalid(`${path}.from`, "must be HH:MM, as in 22:00");
  if (to === undefined || !(timeText.test(to) || to === "24:00"))
    throw invalid(`${path}.to`, "must be HH:MM, as in 06:00, or 24:00");
  if (from === to) throw invalid(`${path}.to`, "must differ from from; a whole day is 00:00 to 24:00");
  if (duration !== undefined)
    throw invalid(`${path}.duration`, "requires cron; from and to already define the duration");
}

function checkSlots({ cron, duration, from, to, weekdays: days }: MuteWindow, path: string): void {
  if (from !== undefined || to !== undefined || days !== undefined)
    throw invalid(`${path}.cron`, "must stand alone with duration, without weekdays, from and to");
  checkCron(cron!, `${path}.cron`);
  const ms = parseDuration(duration, `${path}.duration`);
  if (ms <= 0 || ms > MAX_DURATION_MS)
    throw invalid(`${path}.duration`, "must be more than 0 and at most 31d");
}

/**
 * End of the mute windows that contain an instant, including those that follow without a gap.
 * @param at ms since the epoch
 * @param timezone of windows without one
 * @param series tags of the series of a fleet; windows of other series do not count. Absent: nor do those of any series
 * @param calendars of windows that name one; one that is missing mutes nothing
 * @returns ms since the epoch; undefined if hooks are not muted
 */
export function mutedUntil(
  windows: readonly MuteWindow[],
  at: number,
  timezone = "UTC",
  { series, calendars = noCalendars }: MuteScope = {},
): number | undefined {
  const own = windows.filter((window) => concerns(window, series));
  let endAt = at;
  for (let i = 0; i < MAX_CHAIN; i++) {
    const ends = own.map((window) => endOfWindow(window, endAt, { timezone, calendars }));
    const latest = Math.max(endAt, ...ends.map((end) => end ?? endAt));
    if (latest === endAt) break;
    endAt = latest;
  }
  return endAt > at ? endAt : undefined;
}

interface MuteScope {
  readonly series?: SeriesTags | undefined;
  readonly calendars?: Calendars;
}

interface QuietSettings {
  readonly mute?: readonly MuteWindow[];
  readonly known_events?: KnownEvents;
  readonly timezone?: string;
}

/** As `mutedUntil`, of a model: known events mute, too. */
export function quietUntil(
  { mute = [], known_events: known, timezone }: QuietSettings,
  at: number,
  scope: MuteScope = {},
): number | undefined {
  const windows = known ? [...mute, { calendar: known.calendar }] : mute;
  return mutedUntil(windows, at, timezone, scope);
}

/** Whether a window mutes a series; one without `series` mutes all. */
export function concerns({ series: globs }: MuteWindow, series: SeriesTags | undefined): boolean {
  if (!globs) return true;
  return Object.entries(globs).every(
    ([tag, glob]) => series?.[tag] !== undefined && matchesGlob([...glob], [...series[tag]]),
  );
}

/** End of the window if it contains `at`. */
function endOfWindow(
  window: MuteWindow,
  at: number,
  { timezone: fallback, calendars }: { readonly timezone: string; readonly calendars: Calendars },
): number | undefined {
  if (window.until !== undefined) {
    const endAt = untilOf(window.until) ?? at;
    return endAt > at ? endAt : undefined;
  }
  const timezone = window.timezone ?? fallback;
  if (window.calendar !== undefined) return calendars.get(window.calendar)?.endAt(at, timezone);
  return window.cron === undefined ? endOfHours(window, at, timezone) : endOfSlot(window, at, timezone);
}

/** Today's window, or yesterday's that lasts past midnight. */
function endOfHours(
  { weekdays: days, from, to }: MuteWindow,
  at: number,
  timezone: string,
): number | undefined {
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDate();
  for (const date of [today, today.subtract({ days: 1 })]) {
    if (days && !days.includes(weekdays[date.dayOfWeek - 1]!)) continue;
    const startAt = instantOf(date, from!, timezone);
    const endAt = instantOf(to! > from! ? date : date.add({ days: 1 }), to!, timezone);
    if (startAt <= at && at < endAt) return endAt;
  }
  return undefined;
}

/** A local time skipped by a DST switch moves forward by the shift; a repeated one counts the first time. */
function instantOf(date: Temporal.PlainDate, time: string, timezone: string): number {
  const [day, plainTime] = time === "24:00" ? [date.add({ days: 1 }), "00:00"] : [date, time];
  return day.toZonedDateTime({ timeZone: timezone, plainTime }).epochMilliseconds;
}

function endOfSlot({ cron, duration }: MuteWindow, at: number, timezone: string): number | undefined {
  const durationMs = parseDuration(duration);
  // Cron counts whole seconds: a slot at `at` itself must be found regardless of milliseconds.
  const slotAt = nextCron(cron!, at - durationMs, timezone);
  return slotAt <= at ? slotAt + durationMs : undefined;
}
