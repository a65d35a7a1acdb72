// Scored points, and the sweep over all thresholds that the measures are made of.

/** Points in time order, arrays equally long. */
export interface Scored {
  /** 1 = inside a labelled anomaly, 0 = normal. */
  readonly labels: Uint8Array;
  /** Higher = more anomalous; any unit, no NaN. */
  readonly scores: Float64Array;
}

/** A run of labelled or flagged points; indices, `to` exclusive. */
export interface Segment {
  readonly from: number;
  readonly to: number;
}

/** Runs of non-zero flags. */
export function findSegments(flags: ArrayLike<number>): Segment[] {
  const segments: Segment[] = [];
  for (let i = 0; i < flags.length; i++) {
    if (flags[i] === 0) continue;
    const from = i;
    while (i < flags.length && flags[i] !== 0) i++;
    segments.push({ from, to: i });
  }
  return segments;
}

export function countOnes(flags: Uint8Array): number {
  return flags.reduce((sum, flag) => sum + (flag === 0 ? 0 : 1), 0);
}

/** Points by falling score. */
export interface Ranking {
  readonly scores: Float64Array;
  /** Indices, highest score first. */
  readonly order: Uint32Array;
}

export function rankPoints(scores: Float64Array): Ranking {
  return { scores, order: Uint32Array.from(scores.keys()).sort((a, b) => compare(scores[b]!, scores[a]!)) };
}

/**
 * Lowers a threshold from above the highest score to the lowest. Equal scores cross it together, so `onThreshold` is
 * called once per distinct score, after `onPoint` was called for every point that has it.
 */
export function sweepThresholds(
  { scores, order }: Ranking,
  onPoint: (index: number) => void,
  onThreshold: (threshold: number) => void,
): void {
  for (let k = 0; k < order.length; k++) {
    const threshold = scores[order[k]!]!;
    onPoint(order[k]!);
    if (k + 1 === order.length || scores[order[k + 1]!] !== threshold) onThreshold(threshold);
  }
}

/** One score out of two: ordered by `first`, and by `second` where `first` is equal. The result holds ranks from 0. */
export function orderBy(first: Float64Array, second: Float64Array): Float64Array {
  const order = Uint32Array.from(first.keys()).sort(
    (a, b) => compare(first[a]!, first[b]!) || compare(second[a]!, second[b]!),
  );
  const ranks = new Float64Array(first.length);
  for (let k = 1; k < order.length; k++) {
    const [before, here] = [order[k - 1]!, order[k]!];
    const isTie = first[before] === first[here] && compare(second[before]!, second[here]!) === 0;
    ranks[here] = ranks[before]! + (isTie ? 0 : 1);
  }
  return ranks;
}

/** As a difference, but infinities are equal to themselves. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
