// Job `read`: the aggregates of a bucket over a range, of all points or by series.
import { alignRange, timestampsOf } from "../../core/series/grid.ts";
import { cannotGroup } from "../../core/series/grouped-grid.ts";
import type { OpenBucket } from "../../points/features.ts";
import { explainMissing } from "../../points/missing-fields.ts";
import type { Handler, HandlerDeps } from "../queue/handler.ts";
import type { ReadJob } from "../queue/input.ts";
import { viewGridInSteps } from "./result.ts";

/** Makes the handler: one number or null per interval, timestamps in seconds. It throws TorusError `bucket_*`, `canceled`. */
export function readHandler({ openBucket }: HandlerDeps): Handler<"read"> {
  return async ({ input }, { signal }) => {
    const { intervalMs, features, groups } = input;
    const bucket = await openBucket(input.bucket);
    const query = { range: alignRange(input.range, intervalMs), intervalMs, features };
    if (!groups) {
      const grid = await bucket.read(query, signal);
      const empty = features.filter(({ name }) => isEmpty(grid.columns[name]!));
      const warnings = await warnOfEmpty(openBucket, { ...input, features: empty }, signal);
      return { result: { ...(await viewGridInSteps(grid, signal)), ...warnings } };
    }
    if (!bucket.readGrouped) throw cannotGroup(input.bucket);
    const { series, truncated } = await bucket.readGrouped({ ...query, ...groups }, signal);
    const views: object[] = [];
    for (const { tags, grid } of series) {
      const { observed } = await viewGridInSteps(grid, signal);
      views.push({ tags, observed });
    }
    const { fromAt, toAt } = query.range;
    const length = (toAt - fromAt) / intervalMs;
    return {
      result: {
        timestamps: timestampsOf({ startAt: fromAt, intervalMs, length, columns: {} }),
        series: views,
        truncated,
        ...(series.length === 0 && (await warnOfEmpty(openBucket, input, signal))),
      },
    };
  };
}

/** Without values: a count of nothing is 0. */
function isEmpty(column: Float64Array): boolean {
  return column.every((value) => Number.isNaN(value) || value === 0);
}

/** Why columns are empty, where the bucket can tell. @throws TorusError `canceled` */
async function warnOfEmpty(
  open: OpenBucket,
  { bucket, features }: Pick<ReadJob, "bucket" | "features">,
  signal: AbortSignal,
): Promise<{ readonly warnings?: readonly string[] }> {
  const sources = features.map((feature) => ({ ...feature, bucket }));
  const warnings = await explainMissing(open, sources, signal);
  return warnings.length > 0 ? { warnings } : {};
}
