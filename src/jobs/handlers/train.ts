// Job `training`: reads the range, trains, and commits the version with the end of the job.
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import { completeRange } from "../../core/series/grid.ts";
import { trimToExtent } from "../../models/stats/extent.ts";
import { noData, readFeatures, readUnits, SOURCE_ADVICE } from "../../points/features.ts";
import { resolveInterval } from "../../points/interval.ts";
import { explainNoData, fieldSourcesOf } from "../../points/missing-fields.ts";
import { finishTraining, loadVersion, type NewVersion } from "../../store/versions.ts";
import type { CommitOutcome, Handler, HandlerContext, HandlerDeps } from "../queue/handler.ts";
import { type TrainJob, versionsIn } from "../queue/input.ts";
import { loadMarks } from "./feedback.ts";
import { trainFleet } from "./fleet/train.ts";
import { refuseRegression } from "./retrain-guard.ts";
import { adviseOnShortage } from "./shortage.ts";

/**
 * Makes the handler: the new version and the job's end are committed together. It throws TorusError `no_data`,
 * `too_little_data` with the numbers found and needed, `bucket_*`, `worker_crashed`, `canceled`.
 */
export function trainHandler(deps: HandlerDeps): Handler<"training", CommitOutcome> {
  const { store } = deps;
  return async ({ input }, context) => {
    const train = input.settings.group_by ? trainFleet : trainVersion;
    const { refused, ...version }: TrainedVersion = await train(deps, input, context).catch(async (error) => {
      const sources = fieldSourcesOf(input.settings, input.bucket);
      throw await explainNoData(error, { open: deps.openBucket, sources, signal: context.signal });
    });
    const source = { features: version.settings.features, bucket: input.bucket };
    const units = await readUnits(deps.openBucket, source, context.signal);
    const summary = { ...version.summary, ...(Object.keys(units).length > 0 && { source_units: units }) };
    return {
      commit: async (claim) => {
        const retention = { keep: deps.versionsKept, versionsIn };
        return (
          (await finishTraining(store, claim, { ...version, summary, refused, retention })) !== undefined
        );
      },
    };
  };
}

/** A version, and why it must not take over, if it must not. */
interface TrainedVersion extends NewVersion {
  readonly refused?: string;
}

/** Trains on whole intervals, from the first to the last point of the range. */
export async function trainVersion(
  { store, clock, kind, compute, openBucket }: HandlerDeps,
  input: TrainJob,
  { signal, onProgress }: HandlerContext,
): Promise<TrainedVersion> {
  const { bucket, model } = input;
  const settings = await resolveInterval(openBucket, input, signal);
  const intervalMs = bucketIntervalOf(settings);
  const { features } = settings;
  const requested = completeRange(input.range, intervalMs, clock.now());
  const read = await readFeatures(openBucket, { features, bucket, range: requested, intervalMs }, signal);
  const grid = trimToExtent(read, features);
  if (!grid) throw noData(requested, SOURCE_ADVICE);
  const range = { fromAt: grid.startAt, toAt: grid.startAt + grid.length * intervalMs };
  const { continueFrom, guard, ...overrides } = input.overrides;
  const from = continueFrom === undefined ? undefined : await loadVersion(store, model, continueFrom);
  const marks = await loadMarks(store, { model, settings }, range);
  const context = { compute, signal, onProgress };
  try {
    const trained = await kind.train(
      { settings, grid, overrides: { ...overrides, ...(from && { from }) }, ...marks },
      context,
    );
    const candidate = { model, settings, grid, trained, excluded: marks.excluded };
    const refused = guard ? await refuseRegression({ store, kind, context }, candidate) : undefined;
    const { weights, parameters, summary } = trained;
    return { model, settings, ...range, weights, parameters, summary, ...(refused && { refused }) };
  } catch (error) {
    const { excluded } = marks;
    throw adviseOnShortage(error, { range: requested, grid, excluded, nowAt: clock.now() });
  }
}
