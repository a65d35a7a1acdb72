// Writes a prediction into a bucket, as points for dashboards.
import { invalid } from "../core/errors.ts";
import type { Feature } from "../core/model/feature.ts";
import type { SeriesTags } from "../core/model/fleet.ts";
import type { Grid } from "../core/series/grid.ts";
import type { Point } from "../core/series/query.ts";
import type { Prediction } from "../models/kind.ts";
import type { OpenBucket } from "./features.ts";

/** Where a prediction is written to. */
export interface SaveTarget {
  readonly bucket: string;
}

interface SaveInput {
  readonly model: string;
  readonly features: readonly Feature[];
  /** Of a fleet: tags of the series, which are those of the points, too. */
  readonly series?: SeriesTags | undefined;
  readonly prediction: Prediction;
  /** Observed values, as long as the prediction. */
  readonly observed: Pick<Grid, "columns">;
  /** One per interval; absent: without detection. */
  readonly stats?: readonly { readonly score: number; readonly anomaly: boolean }[] | undefined;
}

/** Writes points. @throws TorusError `not_found`, `invalid` for a read-only bucket, `bucket_*` */
export async function savePoints(
  open: OpenBucket,
  { points, target }: { readonly points: readonly Point[]; readonly target: SaveTarget },
  signal: AbortSignal,
): Promise<void> {
  const bucket = await open(target.bucket);
  if (!bucket.write)
    throw invalid("output_bucket", `bucket ${target.bucket} is read-only; choose another one`);
  await bucket.write(points, { isPrediction: true }, signal);
}

/** As `savePoints`, of a prediction. */
export function savePrediction(
  open: OpenBucket,
  { target, ...input }: SaveInput & { target: SaveTarget },
  signal: AbortSignal,
): Promise<void> {
  return savePoints(open, { points: toPoints(input), target }, signal);
}

/** Fields `<f>`, `lower_<f>`, `upper_<f>`, `@<f>` (observed) and `score`; tags `model`, `match_all`, `is_anomaly`. */
export function toPoints({ model, features, series, prediction, observed, stats }: SaveInput): Point[] {
  const { grid, predicted, lower, upper } = prediction;
  const matched = features.flatMap((feature) => feature.match_all ?? []);
  const shared = { ...Object.fromEntries(matched.map(({ tag, value }) => [tag, String(value)])), ...series };
  return Array.from({ length: grid.length }, (_, i) => {
    const fields: Record<string, number | null> = {};
    for (const name of Object.keys(predicted)) {
      fields[name] = predicted[name]![i]!;
      fields[`lower_${name}`] = lower[name]![i]!;
      fields[`upper_${name}`] = upper[name]![i]!;
    }
    for (const [name, column] of Object.entries(observed.columns))
      fields[`@${name}`] = Number.isFinite(column[i]) ? column[i]! : null;
    const stat = stats?.[i];
    if (stat) fields.score = stat.score;
    return {
      at: grid.startAt + i * grid.intervalMs,
      fields,
      tags: { ...shared, model, ...(stat && { is_anomaly: stat.anomaly ? "True" : "False" }) },
    };
  });
}
