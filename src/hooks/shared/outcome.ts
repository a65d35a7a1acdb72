// From what went wrong in an attempt to whether another one is worth it.
import { type ErrorCode, TorusError } from "../../core/errors.ts";
import type { Outcome } from "../kind.ts";

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
