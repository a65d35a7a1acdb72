// From what went wrong in an attempt to whether another one is worth it.
import { type ErrorCode, TorusError } from "../../core/errors.ts";

/** What came of one attempt; the reasons are shown and logged, so they hold no secrets. */
export type Outcome = "sent" | { readonly retry: string } | { readonly reject: string };

/** These are gone when somebody or something has been repaired. */
const passing: ReadonlySet<ErrorCode> = new Set([
  "bucket_unavailable",
  "deadline",
  "overloaded",
  "storage_full",
  "canceled",
]);

/** The outcome of an error of ours. @throws what is none: that is a bug and its text is not to be shown */
export function toOutcome(error: unknown): Outcome {
  if (!(error instanceof TorusError)) throw error;
  return passing.has(error.code) ? { retry: error.message } : { reject: error.message };
}
