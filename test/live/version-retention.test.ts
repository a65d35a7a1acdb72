// A version removed while a live model is about to use it: the evaluation uses it, or the next one.
import { beforeEach, expect, test } from "bun:test";
import type { ModelSettings } from "../../src/core/model/model.ts";
import { phaseOf } from "../../src/core/time/tick.ts";
import { versionsIn } from "../../src/jobs/queue/input.ts";
import { claimJob, submitJobs } from "../../src/store/jobs/jobs.ts";
import { loadModel } from "../../src/store/models.ts";
import { finishTraining, listVersions } from "../../src/store/versions.ts";
import { drain } from "../jobs/fakes.ts";
import { MINUTE, NOON, useLiveWorld } from "./world.ts";

/** More than an evaluation takes from its timer to its record. */
const TURNS = 60;
const world = useLiveWorld();
beforeEach(() => world.begin());

/** A training that has only to be committed. */
async function prepareTraining(): Promise<() => Promise<string | undefined>> {
  const id = crypto.randomUUID();
  await submitJobs(world.store, [{ id, type: "training", model: "m", input: {} }], { at: 1, maxWaiting: 9 });
  await claimJob(world.store, ["training"], { owner: "me", at: 1 });
  const settings = (await loadModel(world.store, "m")).settings as ModelSettings;
  const learnt = { summary: {}, parameters: {}, weights: new Float32Array([1]) };
  const trained = { model: "m", settings, fromAt: 0, toAt: 1, ...learnt };
  const claim = { id, owner: "me", at: world.clock.now() };
  return () => finishTraining(world.store, claim, { ...trained, retention: { keep: 1, versionsIn } });
}

/** To the next evaluation, ms. */
function untilDue(): number {
  return MINUTE - ((world.clock.now() - phaseOf("m", MINUTE)) % MINUTE);
}

test("promise 11: the version goes at any moment of an evaluation, and no evaluation fails", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  for (let turn = 0; turn < TURNS; turn++) {
    const commit = await prepareTraining();
    // Nothing is in memory: the evaluation has to load it all.
    await world.restart();
    await world.pass(untilDue() - 1);
    world.clock.pass(1);
    for (let i = 0; i < turn; i++) await Promise.resolve();
    await commit();
    await drain();
    const [last] = await world.evaluations();
    expect(last).toMatchObject({ windowAt: NOON + (turn + 1) * MINUTE, outcome: "ok", error: null });
  }
  expect(await world.row()).toMatchObject({ failures: 0, missed: 0, lastErrorCode: null });
  expect((await listVersions(world.store, "m")).map(({ name }) => name)).toEqual([String(TURNS)]);
  expect(world.errors).toEqual([]);
});

test("a version that stays missing is a failed evaluation", async () => {
  await world.makeModel("m", { default_bucket: "gone" });
  await world.start(["m"]);
  await world.pass(MINUTE);
  expect(await world.row()).toMatchObject({ lastErrorCode: "not_found" });
  world.store.sqlite.run("delete from versions");
  world.buckets.set("gone", world.bucket);
  await world.restart();
  await world.pass(10 * MINUTE);
  expect((await world.row()).failures).toBeGreaterThan(1);
});
