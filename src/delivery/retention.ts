// Outbox retention: expires undelivered events after 3 days, prunes old deliveries hourly.
import { DAY_MS } from "../core/time/time.ts";
import type { Clock } from "../runtime/clock.ts";
import { startSweeper } from "../runtime/sweeper.ts";
import { type DeliveryRow, expireDeliveries, sweepDeliveries } from "../store/anomalies/deliveries.ts";
import type { Store } from "../store/db/open.ts";
import { MAX_AGE_MS } from "./classify.ts";

/** Ended deliveries are listed this long, and this many of all hooks. */
const ENDED_RETENTION_MS = 30 * DAY_MS;
const MAX_ENDED = 10_000;

interface RetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly onExpired: (row: DeliveryRow) => void;
  readonly onError: (error: unknown) => void;
}

/** Sweeps now and every hour. @returns a function that stops it, after the first sweep */
export async function startRetention(deps: RetentionDeps): Promise<() => void> {
  const { promise: swept, resolve } = Promise.withResolvers<void>();
  const stop = startSweeper({ ...deps, most: 1, removeSlice: () => sweep(deps).finally(resolve) });
  await swept;
  return stop;
}

/** All at once. @returns 0: there is no further slice */
async function sweep({ store, clock, onExpired }: RetentionDeps): Promise<number> {
  const at = clock.now();
  const reason = "not delivered within 3 days";
  const expired = await expireDeliveries(store, { before: at - MAX_AGE_MS, at, reason });
  for (const row of expired) onExpired(row);
  await sweepDeliveries(store, { endedBefore: at - ENDED_RETENTION_MS, keep: MAX_ENDED });
  return 0;
}
