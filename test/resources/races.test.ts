// Promise 11: concurrent requests to a model leave nothing half done.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { TorusError } from "../../src/core/errors.ts";
import { isFinal } from "../../src/core/job.ts";
import { listJobs } from "../../src/store/jobs/rows.ts";
import { listModels } from "../../src/store/models.ts";
import { drain } from "../jobs/fakes.ts";
import { roundsOf } from "../support/rounds.ts";
import { makeWorld, plainModel, type World } from "./world.ts";

const settings = plainModel;
const acts: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  train: ({ models }) => models.train("m", { from: "now-1h" }),
  forecast: ({ models }) => models.forecast("m", { to: "now+5m" }),
  evaluate: ({ models }) => models.evaluate("m", { from: "now-1h" }),
  patch: ({ models }) => models.patch(["m"], { span: 4 }),
  restore: ({ models }) => models.restore("m", "00"),
  remove: ({ models }) => models.remove(["m"]),
  create: ({ models }) => models.create(settings),
  cancel: async ({ jobs, store }) => jobs.cancel((await listJobs(store)).map(({ id }) => id).slice(-1)),
  finish: async ({ fake }) => fake.calls[0]?.done(),
  putBucket: ({ buckets }) => buckets.put({ name: "b", type: "local" }),
  removeBucket: ({ buckets }) => buckets.remove(["b"], { force: false }),
};

/** Errors that tell a client of the race; anything else is a bug. */
const expected = ["not_found", "already_exists", "not_trained", "training_active", "job_stopped"];

async function race(world: World, names: readonly string[]): Promise<void> {
  const results = await Promise.allSettled(names.map((name) => acts[name]!(world)));
  for (const result of results)
    if (
      result.status === "rejected" &&
      !(result.reason instanceof TorusError && expected.includes(result.reason.code))
    )
      throw result.reason;
  await drain();
}

async function settle({ fake }: World): Promise<void> {
  for (; fake.calls.length > 0; await drain()) fake.calls[0]!.done();
}

async function checkState({ store, models }: World): Promise<void> {
  const jobs = await listJobs(store);
  expect(jobs.filter(({ state }) => !isFinal(state))).toEqual([]);
  expect(jobs.filter(({ errorCode }) => errorCode === "internal")).toEqual([]);
  const orphans = store.sqlite
    .query("select 1 from versions where model not in (select name from models)")
    .all();
  expect(orphans).toEqual([]);
  for (const row of await listModels(store)) {
    const versions = (await models.versions(row.name)).entries;
    expect(row.version?.name ?? null).toBe(row.activeVersion);
    expect(versions.length > 0).toBe(row.activeVersion !== null);
  }
}

test("promise 11: races of every kind end in a state that makes sense", async () => {
  const names = fc.constantFrom(...Object.keys(acts));
  const rounds = fc.array(fc.array(names, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rounds, async (list) => {
      const world = await makeWorld();
      try {
        world.clock.at = 86_400_000;
        await world.buckets.put({ name: "b", type: "local" });
        await world.models.create(settings);
        for (const round of list) await race(world, round);
        await settle(world);
        await checkState(world);
      } finally {
        await world.close();
      }
    }),
    { numRuns: roundsOf(50) },
  );
}, 180_000);
