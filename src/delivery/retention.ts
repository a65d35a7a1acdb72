// What the outbox no longer owes: events nobody took for days are given up, old records go; now and every hour.
import { DAY_MS, HOUR_MS } from "../core/time/time.ts";
import type { Clock } from "../runtime/clock.ts";
import { type DeliveryRow, expireDeliveries, sweepDeliveries } from "../store/anomalies/deliveries.ts";
import type { Store } from "../store/db/open.ts";

/** An event is kept this long for a hook that does not take it. */
export const KEPT_MS = 3 * DAY_MS;
/** Deliveries that are over are shown this long, and this many of all hooks. */
const SHOWN_MS = 30 * DAY_MS;
const SHOWN = 10_000;
const EVERY_MS = HOUR_MS;

export interface ForgetDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly onExpired: (row: DeliveryRow) => void;
  readonly onError: (error: unknown) => void;
}

/** Does so until the function it returns is called. */
export async function startForgetting(deps: ForgetDeps): Promise<() => void> {
  let clearTimer = () => {};
  const sweep = () => {
    clearTimer = deps.clock.setTimer(sweep, EVERY_MS);
    return forgetNow(deps).catch(deps.onError);
  };
  await sweep();
  return () => clearTimer();
}

async function forgetNow({ store, clock, onExpired }: ForgetDeps): Promise<void> {
  const at = clock.now();
  const reason = "not delivered within 3 days";
  const expired = await expireDeliveries(store, { before: at - KEPT_MS, at, reason });
  for (const row of expired) onExpired(row);
  await sweepDeliveries(store, { endedBefore: at - SHOWN_MS, keep: SHOWN });
}
