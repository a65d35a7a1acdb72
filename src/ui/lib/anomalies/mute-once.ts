// Mute windows made from an anomaly: for some hours from now, or at its hour of every day; pure.
import type { MuteWindow } from "../../../core/model/mute.ts";
import type { Tags } from "../fleet.ts";

const HOUR = 3600;

export type MuteChoice = "hours" | "daily";

interface MuteOptions {
  /** Hours from now. */
  readonly hours: number;
  /** Seconds since the epoch. */
  readonly now: number;
  /** Start of the anomaly, seconds since the epoch. */
  readonly start: number;
  /** IANA zone of the hour of every day. */
  readonly timezone: string;
  /** Of a fleet: the series; absent: all. */
  readonly series?: Tags | undefined;
}

/** For some hours from now, in seconds since the epoch, to the full minute. */
export function muteOnce(hours: number, now: number): { readonly until: string } {
  const until = new Date(Math.ceil((now + hours * HOUR) / 60) * 60_000);
  return { until: until.toISOString().replace(".000", "") };
}

export function muteWindow(
  choice: MuteChoice,
  { hours, now, start, timezone, series }: MuteOptions,
): MuteWindow {
  const of = series && { series };
  if (choice === "hours") {
    return { ...muteOnce(hours, now), ...of };
  }
  const hour = hourOf(start, timezone);
  const two = (value: number) => `${String(value).padStart(2, "0")}:00`;
  return { from: two(hour), to: two(hour + 1), timezone, ...of };
}

/** Hour of the day in a zone, 0 to 23. */
function hourOf(seconds: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", { timeZone, hour: "2-digit", hourCycle: "h23" });
  return Number(format.format(seconds * 1000));
}

/** The windows that are not over yet. */
export function withoutPast(windows: readonly MuteWindow[], now: number): readonly MuteWindow[] {
  return windows.filter(({ until }) => until === undefined || Date.parse(until) > now * 1000);
}
