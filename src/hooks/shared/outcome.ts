// Outcome of a delivery attempt: sent, retry, or rejected.
import { type DeliveryCode, deliveryCodeOf } from "../../core/anomaly/delivery-code.ts";
import { type ErrorCode, TorusError } from "../../core/errors.ts";

/** Reasons are shown and logged: they must not hold secrets. */
export type Outcome =
  | "sent"
  | { readonly retry: string; readonly code: DeliveryCode }
  | { readonly reject: string; readonly code: DeliveryCode };

/** Codes of temporary errors. */
const temporary: ReadonlySet<ErrorCode> = new Set([
  "bucket_unavailable",
  "deadline",
  "overloaded",
  "storage_full",
  "storage_unavailable",
  "canceled",
]);

/** The outcome of a TorusError. @throws any other error: a bug, whose text must not be shown */
export function toOutcome(error: unknown): Outcome {
  if (!(error instanceof TorusError)) throw error;
  const code = deliveryCodeOf(error.code);
  return temporary.has(error.code) ? { retry: error.message, code } : { reject: error.message, code };
}
