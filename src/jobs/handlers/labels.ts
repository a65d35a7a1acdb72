// Labels of a backtest: ranges of the request, or intervals in which a field is not 0.
import { type Labels, labelsFromFlags, prepareLabels } from "../../core/anomaly/label.ts";
import { TorusError } from "../../core/errors.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import { countPresent, type Range } from "../../core/series/grid.ts";
import { formatDate } from "../../core/time/time.ts";
import { type OpenBucket, readFeatures } from "../../points/features.ts";
import type { BacktestJob, LabelSource } from "../queue/input.ts";

interface Extent {
  /** Aligned on `intervalMs`. */
  readonly range: Range;
  readonly intervalMs: number;
  /** Of a fleet: the series whose points hold the field. */
  readonly series?: SeriesTags | undefined;
}

interface LabelRead extends Extent {
  readonly labels: BacktestJob["labels"] | undefined;
}

/** Loads the labels. @returns undefined if the request has none. @throws TorusError `not_found`, `no_data`, `bucket_*` */
export async function loadLabels(
  open: OpenBucket,
  { labels, ...extent }: LabelRead,
  signal: AbortSignal,
): Promise<Labels | undefined> {
  if (labels === undefined) return undefined;
  return prepareLabels(
    "field" in labels ? await readLabels(open, { source: labels, ...extent }, signal) : labels,
  );
}

async function readLabels(
  open: OpenBucket,
  { source, ...extent }: Extent & { source: LabelSource },
  signal: AbortSignal,
): Promise<Range[]> {
  const { bucket, field, measurement } = source;
  // A value other than 0 shows in the minimum or the maximum.
  const features = ["min", "max"].map((metric) => ({
    name: metric,
    metric,
    field,
    ...(measurement !== undefined && { measurement }),
  }));
  const grid = await readFeatures(open, { features, bucket, ...extent }, signal);
  const [min, max] = [grid.columns.min!, grid.columns.max!];
  if (countPresent(max) === 0) throw noLabels(source, extent.range);
  return labelsFromFlags((i) => max[i]! > 0 || min[i]! < 0, grid);
}

function noLabels({ bucket, field }: LabelSource, { fromAt, toAt }: Range): TorusError {
  const range = `${formatDate(fromAt)} to ${formatDate(toAt)}`;
  const way = "check label_bucket, label_field and label_measurement; the field must hold numbers";
  return new TorusError(
    "no_data",
    `no data found for time range ${range} in field ${field} of bucket ${bucket}: ${way}`,
  );
}
