// Deviations: stretches of intervals with rare scores; how series that moved at one time find each other.

/** Rarity from which an interval deviates, decades: one normal interval in 300. */
const DEVIATION_DECADES = 2.5;
/** Usual intervals within a deviation: more of them end it. */
export const MAX_GAP = 3;

export interface Deviation {
  /** Start of its first interval, ms since the epoch. */
  readonly startAt: number;
  /** End of its last one, exclusive. */
  readonly endAt: number;
  readonly intervalMs: number;
  /** The greatest rarity, decades: -log10 of the share of normal intervals that are as rare. */
  readonly peak: number;
  /** Feature and direction of the interval of the peak. */
  readonly feature: string;
  readonly type: "low" | "high";
}

/** An interval with its rarest feature. */
export interface RarePoint {
  /** Its start, ms since the epoch. */
  readonly at: number;
  /** Decades. */
  readonly rarity: number;
  readonly feature: string;
  readonly type: "low" | "high";
}

/** @param points in the order of time; those below `DEVIATION_DECADES` may be left out */
export function findDeviations(points: readonly RarePoint[], intervalMs: number): Deviation[] {
  const found: Deviation[] = [];
  for (const { at, rarity, feature, type } of points) {
    if (!(rarity >= DEVIATION_DECADES)) continue;
    const own = { startAt: at, endAt: at + intervalMs, intervalMs, peak: rarity, feature, type };
    const last = found.at(-1);
    const joined = last && joinDeviations(last, own);
    if (joined) found[found.length - 1] = joined;
    else found.push(own);
  }
  return found;
}

/** @returns the two as one; undefined where more than `MAX_GAP` usual intervals lie between them, or `next` comes first */
export function joinDeviations(last: Deviation, next: Deviation): Deviation | undefined {
  const { intervalMs } = next;
  const isNext = next.startAt >= last.startAt && next.startAt <= last.endAt + MAX_GAP * intervalMs;
  if (!isNext || last.intervalMs !== intervalMs) return undefined;
  const peak = next.peak > last.peak ? next : last;
  return { ...peak, startAt: last.startAt, endAt: Math.max(last.endAt, next.endAt) };
}
