// Labels: ranges that somebody knows to be anomalous, and how episodes compare with them; pure.
import type { Range } from "../series/grid.ts";
import type { ScoredEpisode } from "./episode.ts";

/** Labels made ready for many comparisons. */
export interface Labels {
  /** As they were given, by start; they may overlap. */
  readonly list: readonly Range[];
  /** What they cover together: by start, no two touch. */
  readonly covered: readonly Range[];
  /** Known to be normal: nothing is said of what lies elsewhere. Absent: all that has no label is normal. */
  readonly normal?: Omit<Labels, "normal">;
}

/** @param list in any order, each with `fromAt` before `toAt` */
export function arrangeLabels(list: readonly Range[]): Labels {
  const sorted = [...list].sort((a, b) => a.fromAt - b.fromAt || a.toAt - b.toAt);
  const covered: Range[] = [];
  for (const label of sorted) {
    const last = covered.at(-1);
    if (last && label.fromAt <= last.toAt)
      covered[covered.length - 1] = { ...last, toAt: Math.max(last.toAt, label.toAt) };
    else covered.push(label);
  }
  return { list: sorted, covered };
}

/** Labels from a column of flags: each run of intervals whose value is there and not 0 is one. */
export function labelsOfFlags(
  isSet: (interval: number) => boolean,
  { startAt, intervalMs, length }: { startAt: number; intervalMs: number; length: number },
): Range[] {
  const labels: Range[] = [];
  for (let i = 0; i < length; i++) {
    if (!isSet(i)) continue;
    const fromAt = startAt + i * intervalMs;
    const open = i > 0 && isSet(i - 1) ? labels.pop() : undefined;
    labels.push({ fromAt: open?.fromAt ?? fromAt, toAt: fromAt + intervalMs });
  }
  return labels;
}

/** How well episodes fit labels. Absent: there was nothing to divide by. */
export interface Quality {
  /** True episodes among those that are true or false. */
  readonly precision?: number;
  /** Labels found among all. */
  readonly recall?: number;
  /** Harmonic mean of both. */
  readonly f1?: number;
}

export interface Comparison {
  /** One per episode: whether it overlaps a label; undefined where nothing is known. */
  readonly isTrue: readonly (boolean | undefined)[];
  /** One per label, by start: the first episode that overlaps it. */
  readonly finders: readonly (ScoredEpisode | undefined)[];
  /** Ranges known to be normal that an episode overlaps; absent where none are known. */
  readonly raised?: number;
  readonly quality: Quality;
}

/**
 * An episode is true where it overlaps a label, a label is found where an episode overlaps it; nothing is widened.
 * Where what is normal is known too, episodes that overlap neither are not counted.
 * @param episodes in order of time
 */
export function compareLabels(
  episodes: readonly ScoredEpisode[],
  { list, covered, normal }: Labels,
): Comparison {
  const isTrue = episodes.map((episode) => {
    if (overlapsAny(covered, episode)) return true;
    return normal && !overlapsAny(normal.covered, episode) ? undefined : false;
  });
  const finders = list.map((label) => findFirst(episodes, label));
  const hits = isTrue.filter(Boolean).length;
  const found = finders.filter((finder) => finder !== undefined).length;
  const judged = isTrue.filter((answer) => answer !== undefined).length;
  const quality = measureQuality({ hits, episodes: judged, found, labels: list.length });
  const raised = normal?.list.filter((range) => findFirst(episodes, range)).length;
  return { isTrue, finders, ...(raised !== undefined && { raised }), quality };
}

/** @param covered by start, no two touch */
function overlapsAny(covered: readonly Range[], episode: ScoredEpisode): boolean {
  const next = covered[firstIndex(covered, ({ toAt }) => toAt > episode.startAt)];
  return next !== undefined && next.fromAt < endOf(episode);
}

/** The first episode that overlaps the range. */
function findFirst(episodes: readonly ScoredEpisode[], { fromAt, toAt }: Range): ScoredEpisode | undefined {
  const next = episodes[firstIndex(episodes, (episode) => endOf(episode) > fromAt)];
  return next && next.startAt < toAt ? next : undefined;
}

interface Counts {
  readonly hits: number;
  /** Those that are true or false. */
  readonly episodes: number;
  readonly found: number;
  readonly labels: number;
}

function measureQuality({ hits, episodes, found, labels }: Counts): Quality {
  const precision = episodes > 0 ? hits / episodes : undefined;
  const recall = labels > 0 ? found / labels : undefined;
  const sum = (precision ?? 0) + (recall ?? 0);
  const f1 = sum > 0 ? (2 * (precision ?? 0) * (recall ?? 0)) / sum : 0;
  return {
    ...(precision !== undefined && { precision }),
    ...(recall !== undefined && { recall, f1 }),
  };
}

/**
 * Median time from the start of a label that was found to that of its first episode, 0 where that was there before.
 * @returns ms; undefined where no label was found
 */
export function medianDelay({ finders }: Comparison, { list }: Labels): number | undefined {
  const delays = finders
    .flatMap((finder, i) => (finder ? [Math.max(0, finder.startAt - list[i]!.fromAt)] : []))
    .sort((a, b) => a - b);
  const [low, high] = [delays[(delays.length - 1) >> 1], delays[delays.length >> 1]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** An episode that has not ended lasts beyond everything. */
function endOf({ endAt }: ScoredEpisode): number {
  return endAt ?? Number.POSITIVE_INFINITY;
}

/** Index of the first entry for which `holds` is true, given that it is for all after it; the length where for none. */
function firstIndex<T>(entries: readonly T[], holds: (entry: T) => boolean): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(entries[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
