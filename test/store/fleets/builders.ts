// Builders of fleets for tests of the store: a trained version, fits of its series.
import type { Store } from "../../../src/store/db/open.ts";
import type { NewSeriesFit } from "../../../src/store/fleets/fit-sets.ts";
import { claimJob, submitJobs } from "../../../src/store/jobs/jobs.ts";
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
