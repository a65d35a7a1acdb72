// Replay of thresholds over known scores: the state machine of live detection, run in the browser; pure.
import { findEpisodes, type ScoredEpisode } from "../../core/anomaly/episode.ts";
import type { AnomalyRules } from "../../core/anomaly/state.ts";
import type { Range } from "./range.ts";

const WEEK_S = 604_800;
/** Thresholds of the curve. */
const CURVE_STEP = 2.5;

/** Scores of consecutive intervals. */
export interface Scores {
  /** Start of the first interval, seconds since the epoch. */
  readonly from: number;
  /** Length of an interval, seconds. */
  readonly step: number;
  /** 0..100; NaN where there is none. */
  readonly values: Float64Array;
}

/** An episode beside those of other thresholds. */
export interface ComparedEpisode extends ScoredEpisode {
  readonly change: "kept" | "new" | "gone";
}

/** What people said about stretches, seconds since the epoch. */
export interface Truth {
  readonly anomalies: readonly Range[];
  readonly normal: readonly Range[];
}

export interface Quality {
  /** Share of judged episodes that are anomalies; absent where none is judged. */
  readonly precision?: number;
  /** Share of the anomalies that an episode overlaps; absent without anomalies. */
  readonly recall?: number;
  readonly missed: readonly Range[];
}

/** Anomalies that the rules find, oldest first. */
export function replay({ from, step, values }: Scores, rules: AnomalyRules): ScoredEpisode[] {
  return findEpisodes({ startAt: from * 1000, intervalMs: step * 1000, scores: values }, rules);
}

/** Episodes per week of scored time; NaN without scores. */
export function perWeek(count: number, { step, values }: Scores): number {
  const scored = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0);
  return count / ((scored * step) / WEEK_S);
}

/** Episodes per week by `max`, with a `min` of the same share of it as in the rules. */
export function curveOf(
  scores: Scores,
  rules: AnomalyRules,
): { readonly max: number; readonly alarms: number }[] {
  const share = rules.max > 0 ? rules.min / rules.max : 0;
  const maxes = Array.from({ length: Math.floor(100 / CURVE_STEP) }, (_, i) => (i + 1) * CURVE_STEP);
  return maxes.map((max) => ({
    max,
    alarms: perWeek(replay(scores, { ...rules, max, min: max * share }).length, scores),
  }));
}

/** Episodes of both, by time: those in `after` alone are new, those in `before` alone are gone. */
export function compare(
  before: readonly ScoredEpisode[],
  after: readonly ScoredEpisode[],
): ComparedEpisode[] {
  const isIn = (list: readonly ScoredEpisode[], one: ScoredEpisode) =>
    list.some((other) => overlap(toRange(other), toRange(one)));
  const kept = after.map((one) => ({ ...one, change: isIn(before, one) ? "kept" : "new" }) as const);
  const gone = before.filter((one) => !isIn(after, one)).map((one) => ({ ...one, change: "gone" }) as const);
  return [...kept, ...gone].sort((a, b) => a.startAt - b.startAt);
}

/** Quality of episodes by what people said; episodes without a judgement do not count. */
export function judgeEpisodes(episodes: readonly ScoredEpisode[], { anomalies, normal }: Truth): Quality {
  const ranges = episodes.map(toRange);
  const right = ranges.filter((range) => anomalies.some((other) => overlap(range, other)));
  const wrong = ranges.filter(
    (range) => !right.includes(range) && normal.some((other) => overlap(range, other)),
  );
  const missed = anomalies.filter((other) => !ranges.some((range) => overlap(range, other)));
  const judged = right.length + wrong.length;
  return {
    ...(judged > 0 && { precision: right.length / judged }),
    ...(anomalies.length > 0 && { recall: 1 - missed.length / anomalies.length }),
    missed,
  };
}

/** The range of an episode, seconds; one in progress has no end. */
export function toRange({ startAt, endAt }: Pick<ScoredEpisode, "startAt" | "endAt">): Range {
  return { from: startAt / 1000, to: endAt === null ? Number.POSITIVE_INFINITY : endAt / 1000 };
}

function overlap(a: Range, b: Range): boolean {
  return a.from < b.to && b.from < a.to;
}

/** The greatest of every `size` values, so that each fits a pixel; NaN where there is none. */
export function foldGreatest(values: Float64Array, size: number): number[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, cell) => {
    let greatest = Number.NaN;
    for (const value of values.subarray(cell * size, (cell + 1) * size))
      if (!(greatest >= value)) greatest = Number.isNaN(value) ? greatest : value;
    return greatest;
  });
}
