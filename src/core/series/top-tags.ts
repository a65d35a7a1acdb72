// Top tags of a deviation: values of tags whose series have more than their share of it; pure.
import type { SeriesTags } from "../model/fleet.ts";

/** Least share of the deviation, and least ratio to the share of the series. */
const MIN_SHARE = 0.2;
const MIN_LIFT = 1.5;
const MAX_TAGS = 3;

/** A value of a tag, with its share of a deviation. */
export interface TagShare {
  readonly tag: string;
  readonly value: string;
  /** Of the whole deviation, 0..1. */
  readonly share: number;
  /** Number of series with the value. */
  readonly series: number;
}

/** A series with the size of its deviation, in any unit that all have. */
interface WeightedSeries {
  readonly tags: SeriesTags;
  /** Not negative. */
  readonly weight: number;
}

/** The values that stand out, by their share; none where all series deviate alike. */
export function findTopTags(series: readonly WeightedSeries[]): readonly TagShare[] {
  const total = series.reduce((sum, { weight }) => sum + weight, 0);
  if (!(total > 0)) return [];
  const groups = new Map<string, { tag: string; value: string; weight: number; series: number }>();
  for (const { tags, weight } of series)
    for (const [tag, value] of Object.entries(tags)) {
      const key = JSON.stringify([tag, value]);
      const group = groups.get(key) ?? { tag, value, weight: 0, series: 0 };
      groups.set(key, { ...group, weight: group.weight + weight, series: group.series + 1 });
    }
  return [...groups.values()]
    .map(({ weight, ...group }) => ({ ...group, share: weight / total }))
    .filter(({ share, series: own }) => share >= MIN_SHARE && share >= MIN_LIFT * (own / series.length))
    .sort((a, b) => b.share - a.share || b.series - a.series)
    .slice(0, MAX_TAGS);
}
