// Job `training`: reads the range, trains, hands the version over for the commit.
import { TorusError } from "../../core/errors.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import { completeRange, type Range } from "../../core/series/grid.ts";
import { formatDate } from "../../core/time/time.ts";
import { trimToExtent } from "../../models/stats/extent.ts";
import { loadVersion } from "../../store/versions.ts";
import type { Handler, HandlerDeps } from "../queue/handler.ts";
import { readFeatures } from "./features.ts";
import { loadMarks } from "./feedback.ts";
import { settleInterval } from "./interval.ts";
import { adviseOnShortage } from "./shortage.ts";

/**
 * Makes the handler. The range is trimmed to its first and last point; an interval that is not over yet is left out. It throws TorusError `no_data`,
 * `too_little_data` with the numbers found and needed, `bucket_*`, `worker_crashed`, `canceled`.
 */
export function trainHandler({ store, clock, kinds, compute, openBucket }: HandlerDeps): Handler<"training"> {
  return async ({ input }, { signal, onProgress }) => {
    const { bucket, model } = input;
    const settings = await settleInterval(openBucket, input, signal);
    const intervalMs = bucketIntervalOf(settings);
    const { features } = settings;
    const asked = completeRange(input.range, intervalMs, clock.now());
    const read = await readFeatures(openBucket, { features, bucket, range: asked, intervalMs }, signal);
    const grid = trimToExtent(read, features);
    if (!grid) throw noData(asked);
    const range = { fromAt: grid.startAt, toAt: grid.startAt + grid.length * intervalMs };
    const { continueFrom, ...overrides } = input.overrides;
    const from = continueFrom === undefined ? undefined : await loadVersion(store, model, continueFrom);
    const marks = await loadMarks(store, { model, settings }, range);
    try {
      const trained = await kinds[settings.type].train(
        { settings, grid, overrides: { ...overrides, ...(from && { from }) }, ...marks },
        { compute, signal, onProgress },
      );
      return { trained, settings, range };
    } catch (error) {
      throw adviseOnShortage(error, { range: asked, grid, nowAt: clock.now() });
    }
  };
}

function noData({ fromAt, toAt }: Range): TorusError {
  const range = `${formatDate(fromAt)} to ${formatDate(toAt)}`;
  const way = "check the bucket, the field, the measurement and the dates";
  return new TorusError("no_data", `no data found for time range ${range}: ${way}`, { found: 0 });
}
