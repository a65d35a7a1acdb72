// Plan of a backtest: rolling origins, and the leads that are compared, from the next interval to weeks ahead; pure.
import { DAY_MS } from "../../core/time/time.ts";
import { pickEvenly } from "../stats/indices.ts";

/** Bounds of the near horizon, which is a day, in intervals. */
const HORIZON = { min: 12, max: 1440 };
/** Most origins, and most leads per origin within the near horizon: more of them overlap. */
const MAX_ORIGINS = 24;
/** As many in a long series, of which each forecast compares many leads. */
const LONG = { points: 5000, origins: 16 };
const MAX_LEADS = 48;
/** Far leads, in near horizons, and the leads that are compared within each. */
const FAR = [2, 3, 5, 7, 10, 14, 21, 28, 42, 56];
const FAR_LEADS = 8;
/** Share of the held-out part that a lead may span: fewer than two forecasts without overlap say little. */
const MAX_REACH = 0.67;

export interface Plan {
  /** Length of the forecasts of the network, in intervals: the near horizon. */
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
 * @param asked length of the forecast that is wanted, in intervals; absent if any may be
 */
export function planBacktest({
  length,
  heldOutFrom,
  intervalMs,
  origins: most = length > LONG.points ? LONG.origins : MAX_ORIGINS,
  asked,
}: {
  readonly length: number;
  readonly heldOutFrom: number;
  readonly intervalMs: number;
  readonly origins?: number | undefined;
  readonly asked?: number | undefined;
}): Plan {
  const heldOut = length - heldOutFrom;
  const wanted = Math.min(HORIZON.max, Math.max(HORIZON.min, Math.round(DAY_MS / intervalMs)));
  const horizon = Math.max(1, Math.min(wanted, Math.ceil(heldOut / 2)));
  const last = Math.min(asked ?? Number.POSITIVE_INFINITY, Math.floor(MAX_REACH * heldOut));
  const near = pickEvenly(horizon, MAX_LEADS);
  const far = FAR.flatMap((times) =>
    pickEvenly(horizon, FAR_LEADS).map((k) => (times - 1) * horizon + k),
  ).filter((lead) => lead < last && lead >= horizon);
  // A forecast near the end is compared at its first leads alone.
  const origins = pickEvenly(heldOut - Math.ceil(horizon / 2) + 1, most).map((k) => heldOutFrom + k);
  return { horizon, leads: [...near, ...new Set(far)].toSorted((a, b) => a - b), origins };
}
