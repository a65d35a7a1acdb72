// The queue over a real store, with handlers that end when the test ends them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Submission } from "../../../src/jobs/queue/queue.ts";
import { removeModels } from "../../../src/store/bin/models.ts";
import { loadJob } from "../../../src/store/jobs/rows.ts";
import { createModel, loadModel } from "../../../src/store/models.ts";
import { loadVersion } from "../../../src/store/versions.ts";
import { breakAt, codeOf, fillDisk, openTemporary, type TemporaryStore } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";
import { drain, makeQueue, type QueueWorld, trained } from "../fakes.ts";

let store: TemporaryStore;
let world: QueueWorld;
beforeEach(async () => {
  store = openTemporary();
  for (const name of ["m", "n"]) await createModel(store, { name, settings: aModel({ name }) }, 1);
  world = makeQueue(store);
  await world.queue.start();
});
afterEach(async () => {
  const stopped = world.queue.stop();
  world.clock.advance(5000);
  await stopped;
  expect(world.clock.pending).toBe(0);
  await store.remove();
});

const settings: ModelSettings = { name: "m", type: "donut", features: [], bucket_interval: "1m" };
const range = { fromAt: 0, toAt: 60_000 };
const read: Submission = {
  type: "read",
  model: null,
  input: { bucket: "b", range, intervalMs: 1, features: [] },
};
const train = (model: string): Submission => ({
  type: "training",
  model,
  input: { model, settings, bucket: "b", range, overrides: {} },
});

async function submit(submission: Submission): Promise<string> {
  const [id] = await world.queue.submit(submission);
  return id!;
}
const stateOf = async (id: string) => (await loadJob(store, id)).state;

test("a job runs with its input and ends with its result", async () => {
  const id = await submit(read);
  const call = await world.fake.call(id);
  expect(call.job).toEqual({ id, type: "read", model: null, input: read.input, attempt: 1 });
  expect(await stateOf(id)).toBe("running");
  call.done({ result: [1, null] });
  await drain();
  expect(await loadJob(store, id)).toMatchObject({ state: "done", result: [1, null] });
});

test("promise 11: a training commits version and end together, with the settings of its submission", async () => {
  const id = await submit(train("m"));
  (await world.fake.call(id)).done();
  await drain();
  expect(await stateOf(id)).toBe("done");
  expect(await loadModel(store, "m")).toMatchObject({
    activeVersion: "00",
    version: { fromAt: 0, toAt: 60_000, settings },
  });
  expect(await loadVersion(store, "m", "00")).toMatchObject(trained);
});

test("lanes: nothing waits behind trainings, trainings wait for one another", async () => {
  const first = await submit(train("m"));
  const second = await submit(train("n"));
  const reads = [await submit(read), await submit(read), await submit(read)];
  await drain();
  expect(world.fake.calls.map(({ job }) => job.id)).toEqual([first, reads[0]!, reads[1]!]);
  (await world.fake.call(first)).done();
  (await world.fake.call(reads[0]!)).done();
  await drain();
  expect(world.fake.calls.map(({ job }) => job.id).sort()).toEqual([second, reads[1]!, reads[2]!].sort());
});

test("an error for the user ends the job with code and message; a bug is reported and keeps its text", async () => {
  const known = await submit(read);
  (await world.fake.call(known)).fail(new TorusError("no_data", "no data found for time range"));
  const bug = await submit(read);
  (await world.fake.call(bug)).fail(new Error("a secret"));
  await drain();
  expect(await loadJob(store, known)).toMatchObject({
    state: "failed",
    errorCode: "no_data",
    errorMessage: "no data found for time range",
  });
  expect((await loadJob(store, bug)).errorMessage).not.toContain("secret");
  expect(world.errors).toEqual([new Error("a secret")]);
});

test("a result that is no JSON fails the job", async () => {
  const id = await submit(read);
  (await world.fake.call(id)).done({ result: 1n });
  await drain();
  expect(await loadJob(store, id)).toMatchObject({ state: "failed", errorCode: "internal" });
});

test("promise 8: cancel is final at once in each state, frees the lane, and a deaf handler's result is dropped", async () => {
  const running = await submit(train("m"));
  const waiting = await submit(train("n"));
  const call = await world.fake.call(running);
  await world.queue.cancel([running]);
  expect(call.context.signal.aborted).toBe(true);
  expect(await stateOf(running)).toBe("canceled");
  await world.fake.call(waiting);
  call.done();
  await drain();
  expect(await stateOf(running)).toBe("canceled");
  expect((await loadModel(store, "m")).activeVersion).toBeNull();
  expect(await codeOf(world.queue.cancel([running]))).toBe("job_stopped");
  const third = await submit(train("m"));
  await world.queue.cancel([third]);
  expect(await stateOf(third)).toBe("canceled");
});

test("promise 11: deleting the model lets go of its training", async () => {
  const id = await submit(train("m"));
  const call = await world.fake.call(id);
  world.queue.release((await removeModels(store, ["m"], 5)).canceled);
  expect(call.context.signal.aborted).toBe(true);
  call.done();
  await drain();
  expect(await stateOf(id)).toBe("canceled");
});

test("progress is announced twice a second at most, the last one too, and none after the end", async () => {
  const seen: unknown[] = [];
  const unsubscribe = store.changes.subscribe((change) => seen.push(change));
  const id = await submit(train("m"));
  const call = await world.fake.call(id);
  for (let epoch = 1; epoch <= 9; epoch++) {
    call.context.onProgress({ epoch });
    world.clock.advance(100);
  }
  world.clock.advance(1000);
  call.context.onProgress({ epoch: 10 });
  call.context.onProgress({ epoch: 11 });
  call.done();
  await drain();
  unsubscribe();
  const job = { type: "job", id, job: "training", model: "m" };
  expect(seen).toMatchObject([
    { ...job, state: "waiting" },
    { ...job, state: "running" },
    ...[1, 5, 9, 10].map((epoch) => ({ ...job, state: "running", progress: { epoch } })),
    { ...job, state: "done" },
    { type: "model", step: "trained" },
  ]);
});

test("progress is kept while the job runs, with the time left", async () => {
  const id = await submit(read);
  const call = await world.fake.call(id);
  world.clock.advance(30_000);
  call.context.onProgress({ eval: 3, max_evals: 10 });
  expect(world.queue.progressOf(id)).toEqual({ progress: { eval: 3, max_evals: 10 }, remainingMs: 70_000 });
  call.done();
  await drain();
  expect(world.queue.progressOf(id)).toBeUndefined();
});

test("promise 4: an end that the full disk refuses is written when there is room", async () => {
  const id = await submit(read);
  const call = await world.fake.call(id);
  const makeRoom = fillDisk(store);
  call.done({ result: "x".repeat(100_000) });
  await drain();
  expect(await stateOf(id)).toBe("running");
  world.clock.advance(1000);
  await drain();
  expect(await stateOf(id)).toBe("running");
  makeRoom();
  world.clock.advance(1000);
  await drain();
  expect(await stateOf(id)).toBe("done");
  expect(world.errors).toEqual([]);
});

test("promise 6: jobs that could not be claimed are claimed later", async () => {
  const repair = await breakAt(store, "update on jobs");
  const id = await submit(read);
  await drain();
  expect(world.fake.calls).toEqual([]);
  expect(world.errors).toHaveLength(1);
  await repair();
  world.clock.advance(1000);
  (await world.fake.call(id)).done();
  await drain();
  expect(await stateOf(id)).toBe("done");
});

test("of claims that fail in a row one is reported, and again one after a claim that did not", async () => {
  for (const reported of [1, 2]) {
    const repair = await breakAt(store, "update on jobs");
    const id = await submit(read);
    for (let second = 0; second < 5; second++) {
      await drain();
      world.clock.advance(1000);
    }
    await drain();
    expect(world.errors).toHaveLength(reported);
    await repair();
    world.clock.advance(1000);
    (await world.fake.call(id)).done();
    await drain();
    expect(await stateOf(id)).toBe("done");
  }
});

test("promise 12: a full queue refuses jobs", async () => {
  await world.queue.stop();
  world = makeQueue(store, { maxWaiting: 1 });
  await submit(read);
  expect(await codeOf(submit(read))).toBe("overloaded");
});

test("promise 13: old jobs are swept at the start and every hour", async () => {
  const id = await submit(read);
  (await world.fake.call(id)).done();
  await drain();
  world.clock.advance(7 * 86_400_000);
  await drain();
  expect(await stateOf(id)).toBe("done");
  world.clock.advance(3600_000);
  await drain();
  expect(await codeOf(loadJob(store, id))).toBe("not_found");
});
