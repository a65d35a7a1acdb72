// Plan of a backtest: rolling origins over the held-out part; pure.
import { DAY_MS } from "../../core/time/time.ts";
import { pickEvenly } from "../stats/indices.ts";

/** Bounds of the horizon, which is a day, in intervals. */
const HORIZON = { min: 12, max: 1440 };
/** Most origins, and most leads per origin: more of them overlap. */
const MAX_ORIGINS = 24;
const MAX_LEADS = 48;

export interface Plan {
  /** Length of each forecast, in intervals. */
  readonly horizon: number;
  /** Compared leads; ascending, 0 = the first interval of a forecast. */
  readonly leads: readonly number[];
  /** Index of the first interval of each forecast; ascending. */
  readonly origins: readonly number[];
}

/**
 * Plans the backtest of a training.
 * @param length of the training part
 * @param heldOutFrom index of the first interval that the network was not fitted to; below `length`
 * @param origins at most
 */
export function planBacktest({
  length,
  heldOutFrom,
  intervalMs,
  origins: most = MAX_ORIGINS,
}: {
  readonly length: number;
  readonly heldOutFrom: number;
  readonly intervalMs: number;
  readonly origins?: number | undefined;
}): Plan {
  const heldOut = length - heldOutFrom;
  const wanted = Math.min(HORIZON.max, Math.max(HORIZON.min, Math.round(DAY_MS / intervalMs)));
  const horizon = Math.max(1, Math.min(wanted, Math.ceil(heldOut / 2)));
  const origins = pickEvenly(heldOut - horizon + 1, most).map((k) => heldOutFrom + k);
  return { horizon, leads: pickEvenly(horizon, MAX_LEADS), origins };
}
