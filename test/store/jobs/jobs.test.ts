// SQL of jobs: guarded transitions, claims in order, one training per model.
import { expect, test } from "bun:test";
import {
  cancelJobs,
  claimJob,
  failJob,
  finishJob,
  giveBackJob,
  type NewJob,
  submitJobs,
} from "../../../src/store/jobs/jobs.ts";
import { loadJob, loadResults } from "../../../src/store/jobs/rows.ts";
import { createModel, loadModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { resultText } from "../../support/result-text.ts";
import { codeOf, dump, execute, expectUndone, rows, useStore } from "../temporary.ts";

const store = useStore();

const job = (id: string, rest: Partial<NewJob> = {}): NewJob => ({
  id,
  type: "read",
  model: null,
  input: { of: id },
  ...rest,
});
const submit = (...list: NewJob[]) => submitJobs(store, list, { at: 1, maxWaiting: 5 });
const claim = (owner = "me") => claimJob(store, ["read", "training"], { owner, at: 2 });
const mine = (id: string) => ({ id, owner: "me", at: 3 });

test("jobs are claimed in the order of submission, with their input", async () => {
  await submit(job("z"), job("a"), job("m", { type: "write" }));
  expect(await claim()).toMatchObject({
    id: "z",
    state: "running",
    owner: "me",
    attempts: 1,
    startedAt: 2,
    input: { of: "z" },
  });
  expect((await claim())?.id).toBe("a");
  expect(await claim()).toBeUndefined();
});

test("the end clears input and owner and keeps the result", async () => {
  await submit(job("a"));
  await claim();
  expect(await finishJob(store, mine("a"), resultText({ n: [1, null] }))).toBe(true);
  expect(await loadJob(store, "a")).toEqual({
    seq: 1,
    id: "a",
    type: "read",
    state: "done",
    model: null,
    attempts: 1,
    owner: null,
    errorCode: null,
    errorMessage: null,
    createdAt: 1,
    startedAt: 2,
    endedAt: 3,
    foreground: false,
    resultBytes: 14,
    result: { n: [1, null] },
  });
  expect(await rows(store, "select input from jobs")).toEqual([[null]]);
  expect(await loadResults(store, ["a", "x"])).toEqual(
    new Map<string, unknown>([
      ["a", { n: [1, null] }],
      ["x", null],
    ]),
  );
});

test("promise 6: every move is guarded by state and owner", async () => {
  await submit(job("a"));
  expect(await finishJob(store, mine("a"), resultText(1))).toBe(false);
  await claim("other");
  expect(await finishJob(store, mine("a"), resultText(1))).toBe(false);
  expect(await failJob(store, mine("a"), { code: "internal", message: "x" })).toBe(false);
  expect(await giveBackJob(store, mine("a"))).toBe(false);
  await cancelJobs(store, ["a"], 4);
  expect(await finishJob(store, { id: "a", owner: "other", at: 5 }, resultText(1))).toBe(false);
  expect(await loadJob(store, "a")).toMatchObject({ state: "canceled", result: null });
});

test("a failure always has a message", async () => {
  await submit(job("a"));
  await claim();
  expect(await failJob(store, mine("a"), { code: "no_data", message: "" })).toBe(true);
  expect(await loadJob(store, "a")).toMatchObject({
    state: "failed",
    errorCode: "no_data",
    errorMessage: "no_data",
  });
});

test("promise 7: a job given back has used no attempt and comes first again", async () => {
  await submit(job("a"), job("b"));
  await claim();
  expect(await giveBackJob(store, mine("a"))).toBe(true);
  expect(await loadJob(store, "a")).toMatchObject({
    state: "waiting",
    attempts: 0,
    owner: null,
    startedAt: null,
  });
  expect((await claim())?.id).toBe("a");
});

test("cancel is all or nothing: unknown and stopped jobs are refused", async () => {
  await submit(job("a"), job("b"));
  await claim();
  await finishJob(store, mine("a"), null);
  const before = await dump(store);
  await expect(cancelJobs(store, ["b", "a"], 9)).rejects.toThrow("job is already stopped (state = done)");
  expect(await codeOf(cancelJobs(store, ["b", "a"], 9))).toBe("job_stopped");
  expect(await codeOf(cancelJobs(store, ["b", "x"], 9))).toBe("not_found");
  expect(await dump(store)).toBe(before);
  await cancelJobs(store, ["b", "b"], 9);
  expect(await loadJob(store, "b")).toMatchObject({ state: "canceled", endedAt: 9 });
});

test("promise 12: no more jobs wait than may", async () => {
  await submit(job("1"), job("2"), job("3"), job("4"));
  expect(await codeOf(submit(job("5"), job("6")))).toBe("overloaded");
  await submit(job("5"));
  expect(await codeOf(submit(job("6")))).toBe("overloaded");
  await claim();
  await submit(job("6"));
});

test("promise 11: one active training per model, 409 with its id", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  await submit(job("t1", { type: "training", model: "m" }));
  const second = submit(job("t2", { type: "training", model: "m" }));
  await expect(second).rejects.toMatchObject({ code: "training_active", details: { job_id: "t1" } });
  await claim();
  expect(await codeOf(submit(job("t3", { type: "training", model: "m" })))).toBe("training_active");
  await finishJob(store, mine("t1"), null);
  await submit(job("t4", { type: "training", model: "m" }));
  expect((await loadModel(store, "m")).lastTraining).toBe("t4");
  const raw =
    "insert into jobs (id, type, state, model, created_at) values ('t5', 'training', 'running', 'm', 1)";
  const error: Error = await execute(store, raw).then(
    () => new Error("nothing thrown"),
    (reason) => reason,
  );
  expect(String(error.cause ?? error)).toMatch(/unique/i);
});

test("a job of a deleted model is refused", async () => {
  expect(await codeOf(submit(job("f", { type: "forecast", model: "gone" })))).toBe("not_found");
});

test("promise 3: submission, claim and cancel that fail in the middle change nothing", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  await submit(job("a"), job("b"));
  await expectUndone(store, ["insert on jobs", "new.id = 't'"], () =>
    submit(job("c"), job("t", { type: "training", model: "m" })),
  );
  await expectUndone(store, ["update on jobs", "old.id = 'b'"], () => cancelJobs(store, ["a", "b"], 9));
  await expectUndone(store, ["update on jobs"], () => claim());
});
