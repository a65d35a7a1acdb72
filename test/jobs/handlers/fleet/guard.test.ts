// Guarded trainings of fleets: a version that judges most series worse does not take over.
import { beforeEach, expect, test } from "bun:test";
import type { Bucket } from "../../../../src/buckets/kind.ts";
import { local } from "../../../../src/buckets/local/index.ts";
import { trainFleet } from "../../../../src/jobs/handlers/fleet/train.ts";
import type { HandlerDeps } from "../../../../src/jobs/queue/handler.ts";
import { createDonut } from "../../../../src/models/donut/index.ts";
import type { Compute } from "../../../../src/models/kind.ts";
import { claimJob, submitJobs } from "../../../../src/store/jobs/jobs.ts";
import { createModel } from "../../../../src/store/models.ts";
import { finishTraining } from "../../../../src/store/versions.ts";
import { createRandom } from "../../../../wasm/random.ts";
import { useStore } from "../../../store/temporary.ts";
import { aModel } from "../../../support/builders.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const MINUTE = 60_000;
const LENGTH = 400;
const HOSTS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const features = [{ name: "v", metric: "avg", field: "v" }];
const settings = aModel({ detector: "auto", group_by: ["host"], span: 350, features });
const { signal } = new AbortController();
const store = useStore();
let bucket: Bucket;

beforeEach(async () => {
  bucket = local.open("b", {}, { dataDir: temporaryFolder() });
  const random = createRandom(11);
  for (const host of HOSTS) await write(host, 0, (i) => 10 + Math.sin(i / 9) + 0.1 * random.normal());
  await createModel(store, { name: "m", settings }, 0);
});

/** The values of a host from minute 0 or 50 on, to the end of the first training or of all. */
async function write(host: string, from: number, valueAt: (i: number) => number, to = LENGTH): Promise<void> {
  const points = Array.from({ length: to - from }, (_, k) => {
    return { at: (from + k) * MINUTE, fields: { v: valueAt(from + k) }, tags: { host } };
  });
  await bucket.write!(points, {}, signal);
}

async function train(id: string, toAt: number, guard: boolean) {
  const deps = {
    store,
    clock: { now: () => LENGTH * MINUTE },
    kind: createDonut(),
    compute: { trainingLanes: 2 } as Compute,
    openBucket: async () => bucket,
  } as unknown as HandlerDeps;
  const input = { model: "m", settings, bucket: "b", range: { fromAt: 0, toAt }, overrides: { guard } };
  await submitJobs(store, [{ id, type: "training", model: "m", input }], { at: 0, maxWaiting: 9 });
  await claimJob(store, ["training"], { owner: "me", at: 0 });
  const version = await trainFleet(deps, input, { signal, onProgress: () => {} });
  await finishTraining(store, { id, owner: "me", at: 1 }, version);
  return version.refused;
}

/** Noise in the middle of a host's range: the last days are as before. */
function disturb(host: string, noise = 8): Promise<void> {
  const random = createRandom(5);
  return write(host, 50, (i) => 10 + Math.sin(i / 9) + noise * random.normal(), 300);
}

test("noise that most series have learned keeps the version in force", async () => {
  await train("1", 300 * MINUTE, true);
  for (const host of HOSTS.slice(0, 6)) await disturb(host);
  expect(await train("2", LENGTH * MINUTE, true)).toMatch(
    /^[678] of 8 series that were judged are worse, as in host=a: on the last 80 intervals .* as with version 00$/,
  );
});

test("one series that is judged worse does not hold back the fleet", async () => {
  await train("1", 300 * MINUTE, true);
  await disturb("h", 1);
  expect(await train("2", LENGTH * MINUTE, true)).toBeUndefined();
});

test("without the guard every training takes over", async () => {
  await train("1", 300 * MINUTE, false);
  for (const host of HOSTS) await disturb(host);
  expect(await train("2", LENGTH * MINUTE, false)).toBeUndefined();
});
