// Schema of durations in requests: `30s`, `5m`, `1h30m`, or a number of seconds.
import { FormatRegistry, Type } from "@sinclair/typebox";
import { DURATION_RULE, isDuration, MAX_DURATION_S } from "./time.ts";

/** Not `duration`: that is JSON Schema's format of ISO 8601 periods, which the HTTP framework registers. */
const DURATION_FORMAT = "duration-text";
FormatRegistry.Set(DURATION_FORMAT, (text) => isDuration(text));

/** Schema of a duration: `30s`, `5m`, `1h30m`, or a number of seconds. */
export function durationSchema(options: {
  description: string;
  default?: string | number;
  examples?: unknown[];
}) {
  return Type.Union(
    [Type.String({ format: DURATION_FORMAT }), Type.Number({ minimum: 0, maximum: MAX_DURATION_S })],
    {
      rule: DURATION_RULE,
      ...options,
    },
  );
}
