// Model setting `bucket_interval`: a duration, or `auto`, which each training resolves; pure.
import { Type } from "@sinclair/typebox";
import { invalid, TorusError } from "../errors.ts";
import { intervalSchema } from "../time/duration-schema.ts";
import { INTERVAL_RULE, parseDuration } from "../time/time.ts";

const AUTO = "auto";

export const BucketInterval = Type.Union([...intervalSchema({ description: "" }).anyOf, Type.Literal(AUTO)], {
  description:
    "Length of one interval; `auto` is chosen at each training, by how far apart the points lie, and shown as `state.bucket_interval`",
  examples: ["5m", 60, AUTO],
  rule: `${INTERVAL_RULE}; or auto`,
});

interface WithInterval {
  readonly name: string;
  readonly bucket_interval: string | number;
}

/** Whether the interval is not resolved yet; settings of a trained version always have a duration. */
export function isAutoInterval({ bucket_interval }: Pick<WithInterval, "bucket_interval">): boolean {
  return bucket_interval === AUTO;
}

/**
 * The effective interval. Settings of a trained version always have one.
 * @returns ms
 * @throws TorusError `not_trained` if it is not resolved yet
 */
export function bucketIntervalOf(settings: WithInterval): number {
  if (!isAutoInterval(settings)) return parseDuration(settings.bucket_interval, "bucket_interval");
  const remedy = "train it first, or set a duration such as 5m";
  const reason = "its bucket_interval is auto and is chosen at training";
  throw new TorusError("not_trained", `model ${settings.name} is not trained, and ${reason}: ${remedy}`);
}

/**
 * Checks the rules of the interval that the schema cannot express.
 * @returns ms; 0 if it is not resolved yet
 * @throws TorusError `invalid`
 */
export function checkBucketInterval(
  settings: WithInterval & {
    readonly features: readonly { readonly query?: string | null | undefined; readonly budget?: unknown }[];
  },
): number {
  if (!isAutoInterval(settings)) {
    const intervalMs = bucketIntervalOf(settings);
    if (intervalMs <= 0) throw invalid("bucket_interval", "must be longer than 0");
    return intervalMs;
  }
  if (settings.features.every(({ query, budget }) => query || budget))
    throw invalid(
      "bucket_interval",
      "must be a duration where all features are queries: auto counts points, which a query does not show",
    );
  return 0;
}
