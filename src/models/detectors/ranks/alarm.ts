// Points of an anomaly, withheld from the ranks as histograms of their surprises; pure.
import { type Alarm, type DetectorName, type PerDetector, perDetector } from "../types.ts";
import { addSurprise, type RankCounts } from "./rank.ts";

/** The anomaly with one point more. */
export function addPoint({ points, counts, ...rest }: Alarm, surprises: PerDetector<number>): Alarm {
  const names = Object.keys(surprises) as DetectorName[];
  return { ...rest, points: points + 1, counts: { ...counts, ...addBins(counts, surprises, names) } };
}

/** Histograms of some detectors with one surprise more each. */
export function addBins(
  counts: Readonly<PerDetector<RankCounts>>,
  surprises: PerDetector<number>,
  names: readonly DetectorName[],
): PerDetector<RankCounts> {
  return perDetector(names, (name) => addSurprise(counts[name] ?? [], surprises[name]!));
}
