// Labels: ranges known to be anomalous; precision, recall and delay of episodes against them; pure.
import type { Range } from "../series/grid.ts";
import type { ScoredEpisode } from "./episode.ts";

/** Labels prepared for many comparisons. */
export interface Labels {
  /** The given labels by start; they may overlap. */
  readonly list: readonly Range[];
  /** Their union: by start, no two touch. */
  readonly covered: readonly Range[];
  /** Ranges known to be normal; the rest is unknown. Absent: everything without a label is normal. */
  readonly normal?: Omit<Labels, "normal">;
}

/** @param list in any order, each with `fromAt` before `toAt` */
export function prepareLabels(list: readonly Range[]): Labels {
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

/** Labels from a column of flags: consecutive intervals that are set form one label. */
export function labelsFromFlags(
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

/** Quality of episodes against labels. Absent: the divisor is 0. */
export interface Quality {
  /** Share of true episodes among those that are true or false. */
  readonly precision?: number;
  /** Share of labels found. */
  readonly recall?: number;
  /** Harmonic mean of both. */
  readonly f1?: number;
}

export interface Comparison {
  /** Per episode: whether it overlaps a label; undefined if unknown. */
  readonly isTrue: readonly (boolean | undefined)[];
  /** Per label, by start: the first episode that overlaps it. */
  readonly finders: readonly (ScoredEpisode | undefined)[];
  /** Number of normal ranges that an episode overlaps; absent if none are known. */
  readonly raised?: number;
  readonly quality: Quality;
}

/**
 * Compares episodes with labels: an episode is true if it overlaps a label, a label is found if an episode overlaps it,
 * without tolerance. If normal ranges are given, episodes that overlap neither are not counted.
 * @param episodes by time
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
  /** Number of episodes that are true or false. */
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
 * Median delay from the start of a found label to its first episode; 0 if the episode began before.
 * @returns ms; undefined if no label was found
 */
export function medianDelay({ finders }: Comparison, { list }: Labels): number | undefined {
  const delays = finders
    .flatMap((finder, i) => (finder ? [Math.max(0, finder.startAt - list[i]!.fromAt)] : []))
    .sort((a, b) => a - b);
  const [low, high] = [delays[(delays.length - 1) >> 1], delays[delays.length >> 1]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** An open episode ends at infinity. */
function endOf({ endAt }: ScoredEpisode): number {
  return endAt ?? Number.POSITIVE_INFINITY;
}

/** Binary search: index of the first entry for which `holds`, which must hold for all after it; else the length. */
function firstIndex<T>(entries: readonly T[], holds: (entry: T) => boolean): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(entries[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
