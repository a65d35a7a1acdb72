// Window of related deviations: how long before and after the start of an anomaly others are looked for.
import type { Range } from "../series/grid.ts";
import { HOUR_MS } from "../time/time.ts";
import type { Mover } from "./chance.ts";
import { type Deviation, MAX_GAP } from "./deviation.ts";

/** Before the start: this long, or of slow series this number of intervals. After it: half of that. */
const BEFORE_MS = HOUR_MS;
const BEFORE_INTERVALS = 10;
/** Decades below the strongest deviation of a series within which others are about as strong. */
const AS_STRONG = 1;

/** @param at start of the anomaly, ms since the epoch */
export function windowAround(at: number, intervalMs: number): Range {
  const beforeMs = Math.max(BEFORE_MS, BEFORE_INTERVALS * intervalMs);
  return { fromAt: at - beforeMs, toAt: at + beforeMs / 2 };
}

/**
 * The strongest of the deviations that begin in the window; of those about as strong the nearest to the anomaly, since
 * another incident may lie in its window.
 * @param nearAt start of the anomaly, ms since the epoch; absent: of a range
 * @returns undefined where none begins in the window
 */
export function strongestIn<D extends Deviation>(
  deviations: readonly D[],
  { fromAt, toAt }: Range,
  nearAt?: number,
): D | undefined {
  const within = deviations.filter(({ startAt }) => startAt >= fromAt && startAt < toAt);
  const peak = Math.max(...within.map((one) => one.peak));
  if (nearAt === undefined) return within.find((one) => one.peak === peak);
  const distanceOf = ({ startAt }: D) => Math.abs(startAt - nearAt);
  return within
    .filter((one) => one.peak >= peak - AS_STRONG)
    .reduce<D | undefined>((a, b) => (a && distanceOf(a) <= distanceOf(b) ? a : b), undefined);
}

/** The deviation of its series that an anomaly is part of; undefined where there is none at its start. */
export function deviationAt<D extends Deviation>(deviations: readonly D[], at: number): D | undefined {
  return deviations.find(({ startAt, endAt, intervalMs }) => {
    const slackMs = (MAX_GAP + 1) * intervalMs;
    return at >= startAt - slackMs && at < endAt + slackMs;
  });
}

/** Deviations that began before the window, as `Mover.past` has them. @param sinceAt start of the history */
export function pastOf(
  deviations: readonly Deviation[],
  { fromAt, sinceAt }: { readonly fromAt: number; readonly sinceAt: number },
): Mover["past"] {
  const earlier = deviations.filter(({ startAt }) => startAt < fromAt && startAt >= sinceAt);
  return { peaks: earlier.map(({ peak }) => peak), spanMs: Math.max(1, fromAt - sinceAt) };
}

/** Of the earlier deviations of one series, those beside which another began one. */
export function countTogether(
  earlier: readonly Deviation[],
  others: readonly Deviation[],
  windowMs: number,
): NonNullable<Mover["together"]> {
  const isNear = ({ startAt }: Deviation) =>
    others.some((other) => Math.abs(other.startAt - startAt) <= windowMs / 2);
  return { times: earlier.filter(isNear).length, of: earlier.length };
}
