// Outbox retention: expires undelivered events after 3 days, prunes old deliveries hourly.
import { DAY_MS, HOUR_MS } from "../core/time/time.ts";
import type { Clock } from "../runtime/clock.ts";
import { type DeliveryRow, expireDeliveries, sweepDeliveries } from "../store/anomalies/deliveries.ts";
import type { Store } from "../store/db/open.ts";
import { MAX_AGE_MS } from "./classify.ts";

/** Ended deliveries are listed this long, and this many of all hooks. */
const ENDED_RETENTION_MS = 30 * DAY_MS;
const MAX_ENDED = 10_000;
const SWEEP_INTERVAL_MS = HOUR_MS;

interface RetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly onExpired: (row: DeliveryRow) => void;
  readonly onError: (error: unknown) => void;
}

/** Sweeps now and every hour. @returns a function that stops it */
export async function startRetention(deps: RetentionDeps): Promise<() => void> {
  let clearTimer = () => {};
  const repeat = () => {
    clearTimer = deps.clock.setTimer(repeat, SWEEP_INTERVAL_MS);
    return sweep(deps).catch(deps.onError);
  };
  await repeat();
  return () => clearTimer();
}

async function sweep({ store, clock, onExpired }: RetentionDeps): Promise<void> {
  const at = clock.now();
  const reason = "not delivered within 3 days";
  const expired = await expireDeliveries(store, { before: at - MAX_AGE_MS, at, reason });
  for (const row of expired) onExpired(row);
  await sweepDeliveries(store, { endedBefore: at - ENDED_RETENTION_MS, keep: MAX_ENDED });
}
