// Job `read`: the aggregates of a bucket over a range, of all points or by series.
import { alignRange, timestampsOf } from "../../core/series/grid.ts";
import { cannotGroup } from "../../core/series/grouped-grid.ts";
import type { Handler, HandlerDeps } from "../queue/handler.ts";
import { viewGridInSteps } from "./result.ts";

/** Makes the handler: one number or null per interval, timestamps in seconds. It throws TorusError `bucket_*`, `canceled`. */
export function readHandler({ openBucket }: HandlerDeps): Handler<"read"> {
  return async ({ input }, { signal }) => {
    const { intervalMs, features, groups } = input;
    const bucket = await openBucket(input.bucket);
    const query = { range: alignRange(input.range, intervalMs), intervalMs, features };
    if (!groups) return { result: await viewGridInSteps(await bucket.read(query, signal), signal) };
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
      },
    };
  };
}
