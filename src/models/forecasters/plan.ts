// Which forecasts of the past a training compares: rolling origins over the part that was held out; pure.
import { DAY_MS } from "../detectors/timeline.ts";
import { pickEvenly } from "../stats/indices.ts";

/** Forecasts are compared over a day, which is what people ask for: in intervals, at least and at most so many. */
const HORIZON = { min: 12, max: 1440 };
/** Origins, and intervals of each forecast that are looked at: overlapping ones tell little more. */
const MAX_ORIGINS = 24;
const MAX_LEADS = 48;

export interface Plan {
  /** Intervals each forecast reaches. */
  readonly horizon: number;
  /** Of the forecast's intervals, those that are compared; ascending, 0 = the first. */
  readonly leads: readonly number[];
  /** Index of the first interval of each forecast; ascending. */
  readonly origins: readonly number[];
}

/**
 * @param length of the training part
 * @param heldOutFrom index of the first interval that no network was fitted to; below `length`
 */
export function planBacktest({
  length,
  heldOutFrom,
  intervalMs,
}: {
  readonly length: number;
  readonly heldOutFrom: number;
  readonly intervalMs: number;
}): Plan {
  const room = length - heldOutFrom;
  const wanted = Math.min(HORIZON.max, Math.max(HORIZON.min, Math.round(DAY_MS / intervalMs)));
  const horizon = Math.max(1, Math.min(wanted, Math.ceil(room / 2)));
  const origins = pickEvenly(room - horizon + 1, MAX_ORIGINS).map((k) => heldOutFrom + k);
  return { horizon, leads: pickEvenly(horizon, MAX_LEADS), origins };
}
