// Deliveries of a hook as the API shows them: what was told, what waits, what was given up and why.
import type { DeliveryView } from "../../api/hook.ts";
import { formatDate } from "../../core/time/time.ts";
import type { DeliveryRow } from "../../store/anomalies/deliveries.ts";

/** Deliveries shown at most, the newest. */
export const MAX_DELIVERIES = 100;

/** The view of a row; what does not apply is absent. */
export function viewDelivery(row: DeliveryRow): DeliveryView {
  const { id, resend, kind, state, attempts, event, lastError, createdAt, nextAt, endedAt } = row;
  return {
    id,
    ...(resend && { resend: true as const }),
    event: event.kind,
    anomaly: event.episode,
    ...(event.test && { test: true as const }),
    type: kind,
    state,
    attempts,
    ...(lastError && { error: lastError }),
    created_date: formatDate(createdAt),
    created_timestamp: createdAt / 1000,
    ...(state === "waiting" && {
      next_attempt_date: formatDate(nextAt),
      next_attempt_timestamp: nextAt / 1000,
    }),
    ...(endedAt !== null && { end_date: formatDate(endedAt), end_timestamp: endedAt / 1000 }),
  };
}
