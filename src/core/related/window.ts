// Window of related deviations: how long before and after the start of an anomaly others are looked for.
import type { Range } from "../series/grid.ts";
import { HOUR_MS } from "../time/time.ts";
import type { Mover } from "./chance.ts";
import type { Deviation } from "./deviation.ts";

/** Before the start: this long, or of slow series this number of intervals. After it: half of that. */
const BEFORE_MS = HOUR_MS;
const BEFORE_INTERVALS = 10;

/** @param at start of the anomaly, ms since the epoch */
export function windowAround(at: number, intervalMs: number): Range {
  const beforeMs = Math.max(BEFORE_MS, BEFORE_INTERVALS * intervalMs);
  return { fromAt: at - beforeMs, toAt: at + beforeMs / 2 };
}

/** The strongest of the deviations that begin in the window; undefined where none does. */
export function strongestIn<D extends Deviation>(
  deviations: readonly D[],
  { fromAt, toAt }: Range,
): D | undefined {
  let strongest: D | undefined;
  for (const deviation of deviations) {
    if (deviation.startAt < fromAt || deviation.startAt >= toAt) continue;
    if (!strongest || deviation.peak > strongest.peak) strongest = deviation;
  }
  return strongest;
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
