// Alarm rates: episodes a week, and those a week in unlabelled stretches.
import { findSegments } from "./scored.ts";

const WEEK_SECONDS = 7 * 86_400;

/** Evenly spaced intervals, arrays equally long. */
export interface Flagged {
  /** 1 = part of an episode. */
  readonly flags: Uint8Array;
  /** 1 = inside a labelled anomaly. */
  readonly labels: Uint8Array;
}

export interface Alarms {
  readonly episodes: number;
  /** Episodes that start in a quiet stretch and touch no label. */
  readonly falseAlarms: number;
  readonly weeks: number;
  /** Length of the quiet stretches: everything that lies further than a margin from any label. */
  readonly quietWeeks: number;
}

/** @param margin intervals on each side of a label that count neither as anomaly nor as quiet */
export function countAlarms(
  { flags, labels }: Flagged,
  { margin, stepSeconds }: { margin: number; stepSeconds: number },
): Alarms {
  const quiet = new Uint8Array(labels.length).fill(1);
  for (const { from, to } of findSegments(labels)) quiet.fill(0, Math.max(0, from - margin), to + margin);
  const episodes = findSegments(flags);
  const isFalse = ({ from, to }: { from: number; to: number }) =>
    quiet[from] === 1 && labels.subarray(from, to).every((label) => label === 0);
  const toWeeks = (intervals: number) => (intervals * stepSeconds) / WEEK_SECONDS;
  return {
    episodes: episodes.length,
    falseAlarms: episodes.filter(isFalse).length,
    weeks: toWeeks(labels.length),
    quietWeeks: toWeeks(quiet.reduce((sum, flag) => sum + flag, 0)),
  };
}

/** Sums over series. */
export function addAlarms(all: readonly Alarms[]): Alarms {
  const sum = (key: keyof Alarms) => all.reduce((total, alarms) => total + alarms[key], 0);
  return {
    episodes: sum("episodes"),
    falseAlarms: sum("falseAlarms"),
    weeks: sum("weeks"),
    quietWeeks: sum("quietWeeks"),
  };
}
