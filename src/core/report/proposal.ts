// Proposals against noise: a higher threshold or a mute window, tried on the alarms of a range; pure.
import type { AnomalyRules } from "../anomaly/state.ts";
import type { ModelSettings } from "../model/model.ts";
import { type MuteWindow, mutedUntil, weekdays } from "../model/mute.ts";
import { DAY_MS, HOUR_MS } from "../time/time.ts";
import { offsetsOf } from "../time/timezone.ts";
import { type Alarm, isConfirmed, sumNoise } from "./noise.ts";

/** Share of the noise that a proposal must take away. */
const LEAST_SHARE = 0.5;
/** Alarms that are not confirmed, and dismissed ones of an hour, that are no coincidence. */
export const LEAST_ALARMS = 3;
/** Days on which an hour must have dismissed alarms: those of one day may be one event, as of all series of a fleet. */
const LEAST_DATES = 2;
/** No score exceeds 100, so 99 is the highest threshold that finds anything. */
const HIGHEST = 99;
const MAX_WINDOWS = 64;
/** The epoch began on a Thursday. */
const EPOCH_WEEKDAY = 3;

/** What a proposal is tried on. */
export interface Evidence {
  /** Of the range. */
  readonly alarms: readonly Alarm[];
  /** Confirmed alarms of the range, and of a longer time before it; none may be lost. */
  readonly confirmed: readonly Alarm[];
  readonly settings: Pick<ModelSettings, "mute" | "timezone">;
  readonly rules: Pick<AnomalyRules, "max" | "minDuration" | "notifyAfter" | "guards">;
  /** From the start of the interval of an alarm to its notification, ms. */
  readonly delayMs: number;
}

/** Why there is no proposal: codes of the API. */
export const noProposalCodes = [
  "model_deleted",
  "spared_by_settings",
  "too_few_alarms",
  "none_spares_half",
] as const;
export type NoProposalCode = (typeof noProposalCodes)[number];

/** A change of settings. */
export interface Proposal {
  readonly change: { readonly max_threshold: number } | { readonly mute: readonly MuteWindow[] };
  /** The window that `change` adds. */
  readonly window?: MuteWindow;
  /** Alarms of the range that it would have spared. */
  readonly silenced: readonly Alarm[];
}

/**
 * The change that spares most noise and no confirmed alarm.
 * @returns undefined where none spares half of the noise, or alarms are too few
 */
export function propose(evidence: Evidence): Proposal | undefined {
  const { alarms } = evidence;
  if (alarms.length - alarms.filter(isConfirmed).length < LEAST_ALARMS) return undefined;
  const noise = sumNoise(alarms);
  const found = [proposeThreshold(evidence), proposeMute(evidence)].flatMap((proposal) => proposal ?? []);
  return found
    .filter(({ silenced }) => silenced.length > 0 && sumNoise(silenced) >= LEAST_SHARE * noise)
    .sort((a, b) => sumNoise(b.silenced) - sumNoise(a.silenced))[0];
}

/**
 * Whether the settings in force would have spared an alarm: they may have been changed since. Windows by a calendar, or of
 * some series, do not count.
 */
export function isSparedNow(
  alarm: Alarm,
  { settings: { mute = [], timezone }, rules, delayMs }: Pick<Evidence, "settings" | "rules" | "delayMs">,
): boolean {
  if (alarm.scope === null && alarm.peakScore <= rules.max) return true;
  const plain = mute.filter(({ calendar, series }) => !calendar && !series);
  const notifiedAt = alarm.startAt + delayMs;
  const until = mutedUntil(plain, notifiedAt, timezone);
  return until !== undefined && alarm.endAt !== null && alarm.endAt + delayMs <= until;
}

/** The lowest whole threshold that spares half of the noise. */
function proposeThreshold({ alarms, confirmed, rules }: Evidence): Proposal | undefined {
  if (confirmed.length > 0 && !startsByPeak(confirmed, rules)) return undefined;
  const enough = LEAST_SHARE * sumNoise(alarms);
  const lowest = Math.floor(rules.max) + 1;
  const highest = Math.min(HIGHEST, ...confirmed.map(({ peakScore }) => Math.ceil(peakScore) - 1));
  for (let max = lowest; max <= highest; max++) {
    const silenced = alarms.filter(({ peakScore, scope }) => peakScore <= max && scope === null);
    if (sumNoise(silenced) >= enough) return { change: { max_threshold: max }, silenced };
  }
  return undefined;
}

/** Whether a peak above the threshold is sure to start each of the alarms. */
function startsByPeak(
  alarms: readonly Alarm[],
  { minDuration, notifyAfter, guards }: Evidence["rules"],
): boolean {
  const isPlain = minDuration <= 1 && !notifyAfter && !guards;
  return isPlain && alarms.every(({ scope }) => scope === null);
}

/** The hour of the day, or of one weekday, of most dismissed alarms. */
function proposeMute({ alarms, confirmed, settings, delayMs }: Evidence): Proposal | undefined {
  const { mute = [], timezone } = settings;
  if (mute.length >= MAX_WINDOWS) return undefined;
  const offset = offsetsOf(timezone) ?? (() => 0);
  const timeOf = ({ startAt }: Alarm) => localTime(startAt + delayMs + offset(startAt + delayMs));
  const dismissed = alarms.filter(({ feedback }) => feedback?.anomaly === false).map(timeOf);
  const byHour = [...Map.groupBy(dismissed, ({ hour }) => hour)].sort(
    ([, a], [, b]) => b.length - a.length,
  )[0];
  if (!byHour || byHour[1].length < LEAST_ALARMS) return undefined;
  const [hour, times] = byHour;
  if (new Set(times.map(({ date }) => date)).size < LEAST_DATES) return undefined;
  const days = new Set(times.map(({ day }) => day));
  const [day] = days.size === 1 ? days : [];
  const isWithin = (alarm: Alarm) => {
    const time = timeOf(alarm);
    return time.hour === hour && (day === undefined || time.day === day);
  };
  if (confirmed.some(isWithin)) return undefined;
  // One that lasts beyond the window is notified at its end.
  const isOver = (alarm: Alarm) =>
    alarm.endAt !== null && alarm.endAt - alarm.startAt <= HOUR_MS - timeOf(alarm).intoHour;
  const silenced = alarms.filter((alarm) => isWithin(alarm) && isOver(alarm) && !isConfirmed(alarm));
  const window = { ...windowOf(hour, day), ...(timezone !== undefined && { timezone }) };
  return { change: { mute: [...mute, window] }, window, silenced };
}

interface LocalTime {
  /** Days since the epoch. */
  readonly date: number;
  /** From Monday, 0. */
  readonly day: number;
  readonly hour: number;
  /** Time since the hour began, ms. */
  readonly intoHour: number;
}

/** @param at local time, ms */
function localTime(at: number): LocalTime {
  const days = Math.floor(at / DAY_MS);
  const day = (((days + EPOCH_WEEKDAY) % weekdays.length) + weekdays.length) % weekdays.length;
  const rest = at - days * DAY_MS;
  return { date: days, day, hour: Math.floor(rest / HOUR_MS), intoHour: rest % HOUR_MS };
}

function windowOf(hour: number, day: number | undefined): MuteWindow {
  const clock = (h: number) => `${String(h).padStart(2, "0")}:00`;
  return {
    ...(day !== undefined && { weekdays: [weekdays[day]!] }),
    from: clock(hour),
    to: clock(hour + 1),
  };
}
