// Model setting `offset`: a duration, or `auto`, which adapts to late points; pure.
import { Type } from "@sinclair/typebox";
import { type Arrival, neededOffset } from "../series/arrival.ts";
import { durationSchema } from "../time/duration-schema.ts";
import { DURATION_RULE, HOUR_MS, parseDuration } from "../time/time.ts";

const AUTO = "auto";
/** Largest offset of `auto`. */
export const MAX_AUTO_OFFSET_MS = HOUR_MS;

export const Offset = Type.Union([...durationSchema({ description: "" }).anyOf, Type.Literal(AUTO)], {
  description:
    "How far behind now a live window ends, for points that arrive late; `auto` grows to what they need, up to an hour, and " +
    "begins anew with each start: `live.offset` shows it",
  default: 0,
  examples: ["70s", AUTO],
  rule: `${DURATION_RULE}; or auto`,
});

interface WithOffset {
  readonly offset?: string | number | undefined;
}

/** The effective offset, ms. @param known offset that `auto` has found so far, ms */
export function offsetOf({ offset = 0 }: WithOffset, known = 0): number {
  return offset === AUTO ? known : parseDuration(offset, "offset");
}

/** The largest offset that may have been effective, ms. */
export function longestOffset(settings: WithOffset): number {
  return offsetOf(settings, MAX_AUTO_OFFSET_MS);
}

/** The next offset of `auto`, ms; it never shrinks, so that no interval is evaluated twice. */
export function nextAutoOffset(known: number, arrival: Arrival | undefined): number {
  return Math.max(known, Math.min(neededOffset(arrival) ?? 0, MAX_AUTO_OFFSET_MS));
}
