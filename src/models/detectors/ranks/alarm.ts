// Points of an anomaly, withheld from the ranks as histograms of their surprises; pure.
import type { Stretch } from "../combine.ts";
import { placeOf, type Timeline } from "../timeline.ts";
import { type Alarm, type DetectorName, type PerDetector, perDetector } from "../types.ts";
import { endingAfter, freshEnding } from "./ending.ts";
import { addSurprise, type RankCounts } from "./rank.ts";

/** An anomaly without points, which begins at an instant (ms). @param last the one before */
export function beginAlarm(at: number, last: Alarm | undefined, intervalMs: number): Alarm {
  const { toAt, ending = freshEnding } = last ?? {};
  if (toAt === undefined) return { points: 0, counts: {} };
  const since = Math.round((at - toAt) / intervalMs) - 1;
  return { points: 0, counts: {}, ending: endingAfter(ending, since, intervalMs) };
}

/** The anomaly with one point more. */
export function addPoint({ points, counts, ...rest }: Alarm, surprises: PerDetector<number>): Alarm {
  const names = Object.keys(surprises) as DetectorName[];
  return { ...rest, points: points + 1, counts: { ...counts, ...addBins(counts, surprises, names) } };
}

/** Intervals of anomalies; of memories of older releases they are not known. */
export function stretchesOf(alarms: readonly Alarm[], timeline: Timeline): Stretch[] {
  const indexOf = (at: number) => Math.round(placeOf(timeline, at));
  return alarms.flatMap(({ fromAt, toAt }) =>
    fromAt === undefined || toAt === undefined ? [] : [{ from: indexOf(fromAt), to: indexOf(toAt) + 1 }],
  );
}

/** Histograms of some detectors with one surprise more each. */
export function addBins(
  counts: Readonly<PerDetector<RankCounts>>,
  surprises: PerDetector<number>,
  names: readonly DetectorName[],
): PerDetector<RankCounts> {
  return perDetector(names, (name) => addSurprise(counts[name] ?? [], surprises[name]!));
}
