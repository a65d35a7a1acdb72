// Deliveries of a hook as the API shows them: what was told, what waits, what was given up and why.
import { formatDate } from "../core/time.ts";
import type { DeliveryRow } from "../store/deliveries.ts";

/** Deliveries shown at most, the newest. */
export const MAX_DELIVERIES = 100;

export interface DeliveryView {
  /** The same in every attempt; receivers see it as the idempotency key. */
  readonly id: string;
  /** Present where the start is told again while the anomaly lasts: one entry for all the times, with the same id. */
  readonly resend?: true;
  readonly event: "anomaly_start" | "anomaly_end";
  /** Id of the anomaly. */
  readonly anomaly: string;
  /** Present where nothing has happened. */
  readonly test?: true;
  readonly type: string;
  readonly state: "waiting" | "sent" | "rejected" | "expired";
  readonly attempts: number;
  /** Of the last attempt. */
  readonly error?: string;
  readonly created_date: string;
  /** Seconds since the epoch. */
  readonly created_timestamp: number;
  /** Of one that waits. */
  readonly next_attempt_date?: string;
  readonly next_attempt_timestamp?: number;
  /** Of one that is over. */
  readonly end_date?: string;
  readonly end_timestamp?: number;
}

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
