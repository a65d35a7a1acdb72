// Builders of fleets for tests of the store: a trained version, fits of its series.
import type { Store } from "../../../src/store/db/open.ts";
import type { NewSeriesFit } from "../../../src/store/fleets/fit-sets.ts";
import type { SeriesUpdate } from "../../../src/store/fleets/live-series.ts";
import { claimJob, submitJobs } from "../../../src/store/jobs/jobs.ts";
import { startLive } from "../../../src/store/live.ts";
import { finishTraining, type NewVersion } from "../../../src/store/versions.ts";
import { aModel } from "../../support/builders.ts";

/** The fit of the series of one host. */
export function aFit(host: string, own: Partial<NewSeriesFit> = {}): NewSeriesFit {
  return {
    key: JSON.stringify([host]),
    tags: { host },
    points: 60,
    parameters: { mean: host.length },
    ...own,
  };
}

export function aVersion(own: Partial<NewVersion> = {}): NewVersion {
  return {
    model: "m",
    fromAt: 100,
    toAt: 200,
    summary: {},
    settings: aModel(),
    parameters: {},
    weights: new Float32Array([1]),
    ...own,
  };
}

/** Trains the model of a version as the job `id`, at 7 ms. @returns name of the version */
export async function train(
  store: Store,
  id: string,
  version: Parameters<typeof finishTraining>[2],
): Promise<string | undefined> {
  const { model } = version;
  await submitJobs(store, [{ id, type: "training", model, input: {} }], { at: 5, maxWaiting: 10 });
  await claimJob(store, ["training"], { owner: "me", at: 6 });
  return finishTraining(store, { id, owner: "me", at: 7 }, version);
}

/** The series of one host after an evaluation at 60 s. */
export function aSeries(host: string, own: Partial<SeriesUpdate> = {}): SeriesUpdate {
  const times = { firstSeenAt: 1000, newestAt: 60_000, windowAt: 60_000 };
  return {
    key: JSON.stringify([host]),
    tags: { host },
    status: "watched",
    score: 10,
    last: null,
    ...times,
    ...own,
  };
}

/** Starts a model, which need not be trained. */
export function start(store: Store, model: string, { detect = true } = {}): Promise<void> {
  const ending = { reason: "stopped", describe: () => undefined };
  const starts = [{ model, options: { detect }, untrained: true, state: { run: "r" } }];
  return startLive(store, starts, { at: 2, ending });
}
