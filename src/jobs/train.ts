// Job `training`: reads the range, trains, hands the version over for the commit.
import { markTraining, type TrainingMarks } from "../core/feedback.ts";
import { completeRange, type Range } from "../core/grid.ts";
import { parseDuration } from "../core/time.ts";
import { listOwnEpisodes } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { loadVersion } from "../store/versions.ts";
import { readFeatures } from "./features.ts";
import type { Handler, HandlerDeps } from "./handler.ts";
import type { TrainJob } from "./input.ts";

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
    const marks = await loadMarks(store, input, range);
    const trained = await kinds[settings.type].train(
      { settings, grid, overrides: { ...overrides, ...(from && { from }) }, ...marks },
      { compute, signal, onProgress },
    );
    return { trained, range };
  };
}

/** What the anomalies found in the range, and what people said of them, mean for the training. */
async function loadMarks(store: Store, { model, settings }: TrainJob, range: Range): Promise<TrainingMarks> {
  const { offset, bucket_interval } = settings;
  // A window ends `offset` behind now: the first anomaly may have begun that long before there was the model.
  const leadMs = parseDuration(offset ?? 0, "offset") + parseDuration(bucket_interval, "bucket_interval");
  return markTraining(await listOwnEpisodes(store, { model, leadMs, ...range }), range);
}
