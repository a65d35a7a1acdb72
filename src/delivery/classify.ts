// Classifies the outcome of an attempt: sent, retried later with a back-off, rejected, or expired; pure.
import type { DeliveryCode } from "../core/anomaly/delivery-code.ts";
import { DAY_MS } from "../core/time/time.ts";
import type { Outcome } from "../hooks/shared/outcome.ts";
import type { DeliveryError } from "../store/anomalies/delivery-outcomes.ts";
import type { OutboxRow } from "../store/db/schema.ts";

/** An event waits at most this long for its hook. */
export const MAX_AGE_MS = 3 * DAY_MS;
const MAX_REASON_LENGTH = 1000;

export type Verdict =
  | {
      readonly state: "sent";
      /** When to resend the start if the anomaly still lasts, ms since the epoch; undefined: never. */
      readonly resendAt: number | undefined;
    }
  | ({ readonly state: "retrying"; readonly nextAt: number } & DeliveryError)
  | ({ readonly state: "rejected" | "expired" } & DeliveryError);

interface ClassifyContext {
  /** ms since the epoch. */
  readonly at: number;
  /** From 0 to 1; spreads the attempts. */
  readonly jitter: number;
  /** How often the kind of the hook needs the start resent, ms; undefined: never. */
  readonly resendMs: number | undefined;
}

export function classifyOutcome(
  { attempts, createdAt }: Pick<OutboxRow, "attempts" | "createdAt">,
  outcome: Outcome,
  { at, jitter, resendMs }: ClassifyContext,
): Verdict {
  if (outcome === "sent")
    return { state: "sent", resendAt: resendMs === undefined ? undefined : at + resendMs };
  if ("reject" in outcome) return { state: "rejected", ...errorOf(outcome.reject, outcome.code) };
  const error = errorOf(outcome.retry, outcome.code);
  const nextAt = at + backoffMs(attempts + 1, jitter);
  if (nextAt - createdAt >= MAX_AGE_MS) return { state: "expired", ...error };
  return { state: "retrying", ...error, nextAt };
}

function errorOf(reason: string, code: DeliveryCode): DeliveryError {
  return { reason: reason.slice(0, MAX_REASON_LENGTH), code };
}

const FIRST_MS = 2000;
const MAX_MS = 300_000;

/**
 * Delay before the next attempt: a random value between half and all of a span that doubles with every attempt, so that
 * clients that failed together do not retry together.
 * @param attempts failed so far, at least 1
 * @param chance random number from 0 to 1
 * @returns ms, from 1 s to 5 min
 */
export function backoffMs(attempts: number, chance: number): number {
  // The exponent is capped, so that many attempts do not overflow.
  const span = Math.min(FIRST_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 8), MAX_MS);
  return Math.round(span / 2 + (span / 2) * chance);
}
