// Job `training`: reads the range, trains, hands the version over for the commit.
import { bucketIntervalOf } from "../core/bucket-interval.ts";
import { completeRange } from "../core/grid.ts";
import { loadVersion } from "../store/versions.ts";
import { readFeatures } from "./features.ts";
import { loadMarks } from "./feedback.ts";
import type { Handler, HandlerDeps } from "./handler.ts";
import { settleInterval } from "./interval.ts";

/**
 * Makes the handler; the end of the range is cut where its last interval is not over yet. It throws TorusError `no_data`,
 * `too_little_data` with the numbers found and needed, `bucket_*`, `worker_crashed`, `canceled`.
 */
export function trainHandler({ store, clock, kinds, compute, openBucket }: HandlerDeps): Handler<"training"> {
  return async ({ input }, { signal, onProgress }) => {
    const { bucket, model } = input;
    const settings = await settleInterval(openBucket, input, signal);
    const intervalMs = bucketIntervalOf(settings);
    const range = completeRange(input.range, intervalMs, clock.now());
    const grid = await readFeatures(
      openBucket,
      { features: settings.features, bucket, range, intervalMs },
      signal,
    );
    const { continueFrom, ...overrides } = input.overrides;
    const from = continueFrom === undefined ? undefined : await loadVersion(store, model, continueFrom);
    const marks = await loadMarks(store, { model, settings }, range);
    const trained = await kinds[settings.type].train(
      { settings, grid, overrides: { ...overrides, ...(from && { from }) }, ...marks },
      { compute, signal, onProgress },
    );
    return { trained, settings, range };
  };
}
