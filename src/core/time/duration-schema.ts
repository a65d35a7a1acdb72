// Schema of durations in requests: `30s`, `5m`, `1h30m`, or a number of seconds.
import { FormatRegistry, Type } from "@sinclair/typebox";
import {
  DURATION_RULE,
  INTERVAL_RULE,
  isDuration,
  MAX_DURATION_S,
  parseDuration,
  SECOND_MS,
} from "./time.ts";

/** Not `duration`: that is JSON Schema's format of ISO 8601 periods, which the HTTP framework registers. */
const DURATION_FORMAT = "duration-text";
FormatRegistry.Set(DURATION_FORMAT, (text) => isDuration(text));
const INTERVAL_FORMAT = "duration-above-0";
FormatRegistry.Set(INTERVAL_FORMAT, (text) => isDuration(text) && parseDuration(text) > 0);

interface DurationOptions {
  readonly description: string;
  readonly default?: string | number;
  readonly examples?: unknown[];
  readonly rule?: string;
  /** Of a setting: whether a reload applies it. */
  readonly reload?: boolean;
  /** Of a text. */
  readonly format?: string;
  /** Bounds of a number of seconds; code holds those of a text. */
  readonly within?: { readonly minimum?: number; readonly maximum?: number };
}

/** Schema of a duration: `30s`, `5m`, `1h30m`, or a number of seconds. */
export function durationSchema({ within, format = DURATION_FORMAT, ...options }: DurationOptions) {
  const seconds = Type.Number({ minimum: 0, maximum: MAX_DURATION_S, ...within });
  return Type.Union([Type.String({ format }), seconds], { rule: DURATION_RULE, ...options });
}

/** Schema of a duration longer than 0. */
export function intervalSchema(options: DurationOptions) {
  const within = { minimum: 1 / SECOND_MS };
  return durationSchema({ rule: INTERVAL_RULE, ...options, format: INTERVAL_FORMAT, within });
}
