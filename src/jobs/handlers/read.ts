// Job `read`: the aggregates of a bucket over a range.
import { alignRange } from "../../core/series/grid.ts";
import type { Handler, HandlerDeps } from "../queue/handler.ts";
import { viewGridInSteps } from "./result.ts";

/** Makes the handler: one number or null per interval, timestamps in seconds. It throws TorusError `bucket_*`, `canceled`. */
export function readHandler({ openBucket }: HandlerDeps): Handler<"read"> {
  return async ({ input }, { signal }) => {
    const { intervalMs, features } = input;
    const bucket = await openBucket(input.bucket);
    const grid = await bucket.read(
      { range: alignRange(input.range, intervalMs), intervalMs, features },
      signal,
    );
    return { result: await viewGridInSteps(grid, signal) };
  };
}
