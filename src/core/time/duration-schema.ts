// Schema of durations in requests: `30s`, `5m`, `1d`, or a number of seconds.
import { FormatRegistry, Type } from "@sinclair/typebox";
import { isDuration, MAX_DURATION_S } from "./time.ts";

/** Not `duration`: that is JSON Schema's format of ISO 8601 periods, which the HTTP framework registers. */
const DURATION_FORMAT = "duration-text";
FormatRegistry.Set(DURATION_FORMAT, (text) => isDuration(text));

/** Schema of a duration: `30s`, `5m`, `1d`, or a number of seconds. */
export function durationSchema(options: {
  description: string;
  default?: string | number;
  examples?: unknown[];
}) {
  return Type.Union(
    [Type.String({ format: DURATION_FORMAT }), Type.Number({ minimum: 0, maximum: MAX_DURATION_S })],
    {
      rule: "must be a duration: a number and a unit (s m h d w M y), as in 30s, 5m or 1d",
      ...options,
    },
  );
}
