// Schema of dates in requests: text, or seconds since the epoch.
import { Type } from "@sinclair/typebox";
import { DATE_RULE, dateBounds, UNIT_HINT } from "./time.ts";

/** Schema of a date: ISO 8601 or relative to now, or seconds since the epoch; parsed by `parseDate`. */
export function dateSchema({
  rule = DATE_RULE,
  ...options
}: {
  readonly description?: string;
  readonly rule?: string;
}) {
  return Type.Union([Type.String(), Type.Number(dateBounds)], {
    ...options,
    rule: `${rule}; a number is seconds since the epoch${UNIT_HINT}`,
  });
}
