// Alarms at the thresholds of the model: labelled anomalies found, true episodes, false ones a week, delay.
import { findSegments, type Segment } from "./scored.ts";

const WEEK_SECONDS = 7 * 86_400;

/** Observed points, arrays equally long. */
export interface Flagged {
  /** 1 = part of an episode. */
  readonly flags: Uint8Array;
  /** 1 = inside a labelled anomaly. */
  readonly labels: Uint8Array;
}

export interface Alarms {
  readonly episodes: number;
  /** Episodes that touch a label. */
  readonly hits: number;
  /** Labelled anomalies, and those that an episode touches. */
  readonly labelled: number;
  readonly found: number;
  /** Points from the start of each found anomaly to its first episode; 0 if that began before. */
  readonly delays: readonly number[];
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
  const touches = ({ from, to }: Segment, other: Uint8Array) => other.subarray(from, to).includes(1);
  const segments = findSegments(labels);
  const found = segments.filter((segment) => touches(segment, flags));
  const toWeeks = (intervals: number) => (intervals * stepSeconds) / WEEK_SECONDS;
  return {
    episodes: episodes.length,
    hits: episodes.filter((episode) => touches(episode, labels)).length,
    labelled: segments.length,
    found: found.length,
    delays: found.map(({ from, to }) => flags.subarray(from, to).indexOf(1)),
    falseAlarms: episodes.filter(isFalse).length,
    weeks: toWeeks(labels.length),
    quietWeeks: toWeeks(quiet.reduce((sum, flag) => sum + flag, 0)),
  };
}

/** Sums over series. */
export function addAlarms(all: readonly Alarms[]): Alarms {
  const sum = (key: Exclude<keyof Alarms, "delays">) => all.reduce((total, alarms) => total + alarms[key], 0);
  return {
    episodes: sum("episodes"),
    hits: sum("hits"),
    labelled: sum("labelled"),
    found: sum("found"),
    delays: all.flatMap(({ delays }) => delays),
    falseAlarms: sum("falseAlarms"),
    weeks: sum("weeks"),
    quietWeeks: sum("quietWeeks"),
  };
}

/** Shares of the labelled anomalies found and of true episodes, and their harmonic mean; 0 without any. */
export function eventQuality({ found, labelled, hits, episodes }: Alarms) {
  const recall = labelled > 0 ? found / labelled : 0;
  const precision = episodes > 0 ? hits / episodes : 0;
  return {
    recall,
    precision,
    f1: recall + precision > 0 ? (2 * recall * precision) / (recall + precision) : 0,
  };
}
