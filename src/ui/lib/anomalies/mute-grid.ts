// Week of mute windows as 7 days of 24 hours; those of some series, or of no whole hours, are kept beside it; pure.
import type { MuteWindow } from "../../../core/model/mute.ts";
import { describeSeries } from "../../../core/model/series-text.ts";
import type { Tags } from "../fleet.ts";

export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export const HOURS = 24;

/** Whether hooks are muted, by hour of the week from Monday 00:00. */
export type Week = readonly boolean[];

export interface MutePlan {
  readonly week: Week;
  /** Cron windows, minutes, other zones, some series. */
  readonly others: readonly MuteWindow[];
}

const wholeHour = /^([01]\d|2[0-4]):00$/;
const LENGTH = weekdays.length * HOURS;

/** @param timezone of the model; windows of another one do not fit the grid */
export function readMute(windows: readonly MuteWindow[], timezone: string): MutePlan {
  const week = Array.from({ length: LENGTH }, () => false);
  const others: MuteWindow[] = [];
  for (const window of windows) {
    const hours = hoursOf(window, timezone);
    if (!hours) others.push(window);
    for (const hour of hours ?? []) week[hour] = true;
  }
  return { week, others };
}

/** Hours of the week that a window covers; undefined where it has no whole ones. */
function hoursOf(window: MuteWindow, own: string) {
  const { from = "", to = "", weekdays: days, cron, timezone, series } = window;
  const [start, end] = [wholeHour.exec(from), wholeHour.exec(to)].map((found) => found && Number(found[1]));
  if (cron !== undefined || series !== undefined || typeof start !== "number" || typeof end !== "number")
    return undefined;
  if (timezone !== undefined && timezone !== own) return undefined;
  const length = end > start ? end - start : end + HOURS - start;
  return (days ?? weekdays).flatMap((day) => {
    const first = weekdays.indexOf(day) * HOURS + start;
    return Array.from({ length }, (_, i) => (first + i) % LENGTH);
  });
}

/** `monday 02:00 – 04:00 Europe/Berlin, host=db-*`; of a calendar its name. */
export function describeWindow(window: MuteWindow): string {
  const { timezone, series } = window;
  const whole = `${whenOf(window)} ${timezone ?? ""}`.trim();
  return series ? `${whole}, ${describeSeries(series)}` : whole;
}

function whenOf({ weekdays: days, from, to, cron, duration, calendar, until }: MuteWindow): string {
  if (until !== undefined) return `→ ${until.replace("T", " ").replace(":00Z", "Z")}`;
  if (calendar !== undefined) return calendar;
  return cron === undefined ? `${days?.join(", ") ?? ""} ${from} – ${to}` : `${cron}, ${duration}`;
}

/** The windows of one series alone. @param mute the setting of its model */
export function mutesOfSeries(mute: unknown, tags: Tags): readonly MuteWindow[] {
  const names = Object.entries(tags);
  return ((mute as readonly MuteWindow[] | undefined) ?? []).filter(
    ({ series }) =>
      series &&
      Object.keys(series).length === names.length &&
      names.every(([tag, value]) => series[tag] === value),
  );
}

/** Windows of whole hours: those of several days at the same hours are one. */
export function buildMute({ week, others }: MutePlan): readonly MuteWindow[] {
  const byHours = new Map<string, (typeof weekdays)[number][]>();
  for (const [d, day] of weekdays.entries())
    for (const hours of rangesOf(week.slice(d * HOURS, (d + 1) * HOURS)))
      byHours.set(hours, [...(byHours.get(hours) ?? []), day]);
  const windows = [...byHours].map(([hours, days]): MuteWindow => {
    const [from = "", to = ""] = hours.split("-");
    return { ...(days.length < weekdays.length && { weekdays: days }), from, to };
  });
  return [...windows, ...others];
}

/** `08:00-12:00` for each stretch of muted hours of a day. */
function rangesOf(day: Week): readonly string[] {
  const ranges: string[] = [];
  for (let hour = 0; hour < HOURS; hour++) {
    if (!day[hour]) continue;
    const start = hour;
    while (hour < HOURS && day[hour]) hour++;
    ranges.push(`${clock(start)}-${clock(hour)}`);
  }
  return ranges;
}

export function clock(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}
