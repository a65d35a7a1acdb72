// Job `training`: reads the range, trains, hands the version over for the commit.
import { completeRange } from "../core/grid.ts";
import { parseDuration } from "../core/time.ts";
import { loadVersion } from "../store/versions.ts";
import { readFeatures } from "./features.ts";
import type { Handler, HandlerDeps } from "./handler.ts";

export function trainHandler({ store, clock, kinds, compute, openBucket }: HandlerDeps): Handler<"training"> {
  return async ({ input }, { signal, onProgress }) => {
    const { settings, bucket, model } = input;
    const intervalMs = parseDuration(settings.bucket_interval, "bucket_interval");
    const range = completeRange(input.range, intervalMs, clock.now());
    const grid = await readFeatures(
      openBucket,
      { features: settings.features, bucket, range, intervalMs },
      signal,
    );
    const { continueFrom, ...overrides } = input.overrides;
    const from = continueFrom === undefined ? undefined : await loadVersion(store, model, continueFrom);
    const trained = await kinds[settings.type].train(
      { settings, grid, overrides: { ...overrides, ...(from && { from }) } },
      { compute, signal, onProgress },
    );
    return { trained, range };
  };
}
