// The NAB score, standard profile: early detections earn, false positives and missed windows cost (Lavin and Ahmad 2015).
import { findSegments, rankPoints, type Scored, type Segment, sweepThresholds } from "./scored.ts";

/** What a false positive costs, against 1 for a missed window. */
const FALSE_POSITIVE_WEIGHT = 0.11;
/** Probation: the first 15 %, at most 750 points, are neither scored nor judged. */
const PROBATION_SHARE = 0.15;
const MAX_PROBATION = 750;

/** One file of the corpus. */
export interface NabFile extends Scored {
  /** Points at the start that are not judged. */
  readonly probation: number;
}

export interface NabResult {
  /** 0 = no detection at all, 100 = every window at its left edge and no false positive. */
  readonly score: number;
  /** A point at or above it is a detection; +infinity where not detecting anything is best. */
  readonly threshold: number;
  readonly windows: number;
  /** Windows with a detection at that threshold. */
  readonly found: number;
  readonly falsePositives: number;
}

/** Number of points of a file of `length` points that are not judged. */
export function probationOf(length: number): number {
  return Math.min(Math.floor(PROBATION_SHARE * length), MAX_PROBATION);
}

/** sigma(y) = 2 / (1 + e^(5y)) - 1: nearly 1 at y = -1 (left edge of a window), 0 at y = 0 (right edge), then down to -1. */
export function sigma(y: number): number {
  return 2 / (1 + Math.exp(5 * y)) - 1;
}

/** Score at the one threshold, for all files, that is best; undefined where no window is judged. */
export function nabScore(files: readonly NabFile[]): NabResult | undefined {
  const ledger = files.map(worthOf);
  const windows = ledger.reduce((sum, { windows }) => sum + windows, 0);
  if (windows === 0) return undefined;
  const points = concatenate(files, ledger);
  const rewards = new Float64Array(windows).fill(-1);
  let [total, found, falsePositives] = [-windows, 0, 0];
  let best = { total, found, falsePositives, threshold: Number.POSITIVE_INFINITY };
  const take = (i: number) => {
    const window = points.window[i]!;
    if (window < 0) {
      total += points.worth[i]!;
      falsePositives++;
    } else if (points.worth[i]! > rewards[window]!) {
      if (rewards[window] === -1) found++;
      total += points.worth[i]! - rewards[window]!;
      rewards[window] = points.worth[i]!;
    }
  };
  sweepThresholds(rankPoints(points.scores), take, (threshold) => {
    if (total > best.total) best = { total, found, falsePositives, threshold };
  });
  const score = (100 * (best.total + windows)) / (windows * (sigma(-1) + 1));
  return {
    score,
    windows,
    found: best.found,
    falsePositives: best.falsePositives,
    threshold: best.threshold,
  };
}

/** What one file contributes at a given threshold. */
export interface NabShare {
  readonly windows: number;
  readonly found: number;
  readonly falsePositives: number;
  /** Rewards less costs, a missed window -1. */
  readonly total: number;
}

/** One file at the corpus's threshold. */
export function nabShare(file: NabFile, threshold: number): NabShare {
  const { worth, window, windows } = worthOf(file);
  const rewards = new Float64Array(windows).fill(-1);
  let [cost, falsePositives] = [0, 0];
  for (const [i, own] of window.entries()) {
    if (!(file.scores[file.probation + i]! >= threshold)) continue;
    if (own >= 0) rewards[own] = Math.max(rewards[own]!, worth[i]!);
    else {
      cost += worth[i]!;
      falsePositives++;
    }
  }
  const total = rewards.reduce((sum, reward) => sum + reward, cost);
  return { windows, found: rewards.filter((reward) => reward > -1).length, falsePositives, total };
}

/** What a detection at each judged point is worth. */
interface Worth {
  readonly worth: Float64Array;
  /** Window of the file each point lies in, or -1. */
  readonly window: Int32Array;
  readonly windows: number;
}

function worthOf({ labels, probation }: NabFile): Worth {
  const judged = findSegments(labels).filter(({ to }) => to > probation);
  const window = new Int32Array(labels.length).fill(-1);
  for (const [k, { from, to }] of judged.entries()) window.fill(k, from, to);
  const worth = new Float64Array(labels.length);
  let last: Segment | undefined;
  for (let i = 0; i < worth.length; i++) {
    const inside = window[i]! >= 0;
    if (inside) last = judged[window[i]!];
    const y = last ? positionOf(i, last) : Number.POSITIVE_INFINITY;
    worth[i] = inside ? sigma(y) : FALSE_POSITIVE_WEIGHT * sigma(y);
  }
  return { worth: worth.subarray(probation), window: window.subarray(probation), windows: judged.length };
}

/** -1 at the left edge of the window, 0 at its last point, beyond 0 after it. */
function positionOf(i: number, { from, to }: Segment): number {
  return (i - (to - 1)) / Math.max(1, to - 1 - from);
}

/** All judged points of all files, with windows numbered through. */
function concatenate(files: readonly NabFile[], ledger: readonly Worth[]) {
  const length = ledger.reduce((sum, { worth }) => sum + worth.length, 0);
  const scores = new Float64Array(length);
  const worth = new Float64Array(length);
  const window = new Int32Array(length);
  let [at, firstWindow] = [0, 0];
  for (const [k, file] of files.entries()) {
    const entry = ledger[k]!;
    scores.set(file.scores.subarray(file.probation), at);
    worth.set(entry.worth, at);
    for (const [i, own] of entry.window.entries()) window[at + i] = own < 0 ? -1 : firstWindow + own;
    at += entry.worth.length;
    firstWindow += entry.windows;
  }
  return { scores, worth, window };
}
