// Writes a prediction into a bucket, as points for dashboards.
import type { PredictionView } from "../../api/prediction.ts";
import { invalid } from "../../core/errors.ts";
import type { Feature } from "../../core/model/feature.ts";
import type { Point } from "../../core/series/query.ts";
import type { SaveTarget } from "../queue/input.ts";
import type { OpenBucket } from "./features.ts";

export interface SaveInput {
  readonly model: string;
  readonly features: readonly Feature[];
  readonly view: PredictionView;
}

/** Writes the prediction. @throws TorusError `not_found`, `invalid` for a read-only bucket, `bucket_*` */
export async function savePrediction(
  open: OpenBucket,
  { target, ...input }: SaveInput & { target: SaveTarget },
  signal: AbortSignal,
): Promise<void> {
  const bucket = await open(target.bucket);
  if (!bucket.write)
    throw invalid("output_bucket", `bucket ${target.bucket} is read-only; choose another one`);
  await bucket.write(toPoints(input), { isPrediction: true }, signal);
}

/** Fields `<f>`, `lower_<f>`, `upper_<f>`, `@<f>` (observed) and `score`; tags `model`, `match_all`, `is_anomaly`. */
export function toPoints({ model, features, view }: SaveInput): readonly Point[] {
  const matched = features.flatMap((feature) => feature.match_all ?? []);
  const shared = Object.fromEntries(matched.map(({ tag, value }) => [tag, String(value)]));
  return view.timestamps.map((seconds, i) => {
    const predicted = Object.entries(view.predicted).map(([name, values]) => [name, values[i]!] as const);
    const observed = Object.entries(view.observed).map(
      ([name, values]) => [`@${name}`, values[i] ?? null] as const,
    );
    const stat = view.stats?.[i];
    return {
      at: seconds * 1000,
      fields: {
        ...Object.fromEntries(predicted),
        ...Object.fromEntries(observed),
        ...(stat && { score: stat.score }),
      },
      tags: { ...shared, model, ...(stat && { is_anomaly: stat.anomaly ? "True" : "False" }) },
    };
  });
}
