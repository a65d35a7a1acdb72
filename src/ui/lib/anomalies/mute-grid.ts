// Week of mute windows as 7 days of 24 hours in the shown zone, and windows in words; pure.
import type { MuteWindow } from "../../../core/model/mute.ts";
import { describeSeries } from "../../../core/model/series-text.ts";
import type { Tags } from "../fleet.ts";
import { createMoments } from "../format.ts";

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

/** Zones of mute windows, by IANA names. */
export interface MuteZones {
  /** Of windows without one: that of the model. */
  readonly own: string;
  /** In which times are shown. */
  readonly shown: string;
  /** The present, seconds since the epoch: offsets are those of now. */
  readonly at: number;
}

export interface MutePlan {
  readonly week: Week;
  /** Windows of whole hours in the shown zone, with the hours of the week that they cover. */
  readonly fitting: readonly { readonly window: MuteWindow; readonly hours: readonly number[] }[];
  /** Cron windows, minutes, some series. */
  readonly others: readonly MuteWindow[];
}

const wholeHour = /^([01]\d|2[0-4]):00$/;
const LENGTH = weekdays.length * HOURS;
const DAY = 24 * 60;

export function readMute(windows: readonly MuteWindow[], zones: MuteZones): MutePlan {
  const found = windows.map((window) => ({ window, hours: hoursOf(window, shiftOf(window, zones) / 60) }));
  const fitting = found.flatMap(({ window, hours }) => (hours ? [{ window, hours }] : []));
  const muted = new Set(fitting.flatMap(({ hours }) => hours));
  const week = Array.from({ length: LENGTH }, (_, hour) => muted.has(hour));
  return { week, fitting, others: found.flatMap(({ window, hours }) => (hours ? [] : [window])) };
}

/** Hours of the week that a window covers, later by `shift` hours; undefined where it has no whole ones. */
function hoursOf({ from = "", to = "", weekdays: days, cron, series }: MuteWindow, shift: number) {
  const [start, end] = [wholeHour.exec(from), wholeHour.exec(to)].map((found) => found && Number(found[1]));
  if (cron !== undefined || series !== undefined || typeof start !== "number" || typeof end !== "number")
    return undefined;
  if (!Number.isInteger(shift)) return undefined;
  const length = end > start ? end - start : end + HOURS - start;
  return (days ?? weekdays).flatMap((day) => {
    const first = weekdays.indexOf(day) * HOURS + start + shift + LENGTH;
    return Array.from({ length }, (_, i) => (first + i) % LENGTH);
  });
}

/** Minutes by which the shown zone is ahead of that of a window. */
function shiftOf({ timezone }: MuteWindow, { own, shown, at }: MuteZones): number {
  const offsetOf = (zone: string) => createMoments("en", zone).offset(at);
  return (offsetOf(shown) - offsetOf(timezone ?? own)) / 60;
}

interface MuteWords {
  readonly days: Readonly<Record<(typeof weekdays)[number], string>>;
  /** @param seconds since the epoch */
  readonly moment: (seconds: number) => string;
}

/** `Monday 02:00 – 04:00, host=db-*` in the shown zone; a cron text of another zone names it; of a calendar its name. */
export function describeWindow(window: MuteWindow, zones: MuteZones, words: MuteWords): string {
  const when = whenOf(window, zones, words);
  return window.series ? `${when}, ${describeSeries(window.series)}` : when;
}

function whenOf(window: MuteWindow, zones: MuteZones, { days, moment }: MuteWords): string {
  const { weekdays: own, from = "", to = "", cron, duration, calendar, until, timezone } = window;
  if (until !== undefined) return `→ ${moment(Date.parse(until) / 1000)}`;
  if (calendar !== undefined) return calendar;
  const shift = shiftOf(window, zones);
  if (cron !== undefined) return `${cron}, ${duration}${shift === 0 ? "" : ` ${timezone ?? zones.own}`}`;
  const turn = Math.floor((minutesOf(from) + shift) / DAY) + weekdays.length;
  const names = own?.map((day) => days[weekdays[(weekdays.indexOf(day) + turn) % weekdays.length]!]);
  return `${names?.join(", ") ?? ""} ${moved(from, shift)} – ${moved(to, shift)}`.trim();
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(":");
  return 60 * Number(hours) + Number(minutes);
}

function moved(time: string, shift: number): string {
  if (shift === 0) return time;
  const minutes = (minutesOf(time) + shift + DAY) % DAY;
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
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

/**
 * Windows of a week: those all of whose hours are still muted stay as they are, other hours become windows, of several
 * days at the same hours one.
 */
export function buildMute({ week, fitting, others }: MutePlan, { own, shown }: MuteZones) {
  const kept = fitting.filter(({ hours }) => hours.every((hour) => week[hour]));
  const covered = new Set(kept.flatMap(({ hours }) => hours));
  const rest = week.map((muted, hour) => muted && !covered.has(hour));
  return [
    ...kept.map(({ window }) => window),
    ...windowsOf(rest, own === shown ? {} : { timezone: shown }),
    ...others,
  ];
}

function windowsOf(week: Week, zone: Pick<MuteWindow, "timezone">): readonly MuteWindow[] {
  const byHours = new Map<string, (typeof weekdays)[number][]>();
  for (const [d, day] of weekdays.entries())
    for (const hours of rangesOf(week.slice(d * HOURS, (d + 1) * HOURS)))
      byHours.set(hours, [...(byHours.get(hours) ?? []), day]);
  return [...byHours].map(([hours, days]): MuteWindow => {
    const [from = "", to = ""] = hours.split("-");
    return { ...(days.length < weekdays.length && { weekdays: days }), from, to, ...zone };
  });
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
  return `${two(hour)}:00`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
