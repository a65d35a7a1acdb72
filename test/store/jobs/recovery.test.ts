// Recovery after a crash and retention.
import { expect, test } from "bun:test";
import { claimJob, failJob, finishJob, submitJobs } from "../../../src/store/jobs/jobs.ts";
import { recoverJobs, sweepJobs } from "../../../src/store/jobs/recovery.ts";
import { listJobs, loadJob } from "../../../src/store/jobs/rows.ts";
import { resultText } from "../../support/result-text.ts";
import { expectUndone, useStore } from "../temporary.ts";

const store = useStore();

const submit = (...ids: string[]) =>
  submitJobs(
    store,
    ids.map((id) => ({ id, type: "forecast", model: null, input: { id } })),
    { at: 1, maxWaiting: 100 },
  );
const claim = (at = 2) => claimJob(store, ["forecast"], { owner: `owner-${at}`, at });

test("promise 7: a job runs again once; a second crash ends it with the reason", async () => {
  await submit("a", "b");
  await claim();
  expect(await recoverJobs(store, 10)).toEqual({ waiting: 1, failed: 0, canceled: 0 });
  expect(await loadJob(store, "a")).toMatchObject({ state: "waiting", attempts: 1, owner: null });
  expect(await claim()).toMatchObject({ id: "a", attempts: 2, input: { id: "a" } });
  expect(await recoverJobs(store, 20)).toEqual({ waiting: 0, failed: 1, canceled: 0 });
  expect(await loadJob(store, "a")).toMatchObject({
    state: "failed",
    errorCode: "interrupted",
    errorMessage: "interrupted: server stopped twice while forecasting",
    endedAt: 20,
  });
  expect(await loadJob(store, "b")).toMatchObject({ state: "waiting", attempts: 0 });
});

test("promise 3: a recovery or a sweep that fails in the middle changes nothing", async () => {
  await submit("a", "b", "c");
  for (const at of [2, 3]) await claim(at);
  await finishJob(store, { id: "a", owner: "owner-2", at: 5 }, null);
  await claim(4);
  await expectUndone(store, ["update on jobs", "old.id = 'c'"], () => recoverJobs(store, 10));
  expect(await finishJob(store, { id: "b", owner: "owner-3", at: 90 }, null)).toBe(true);
  await expectUndone(store, ["delete on jobs", "old.id = 'b'"], () =>
    sweepJobs(store, { endedBefore: 50, keep: 0 }),
  );
});

test("promise 13: retention by age and count never removes an active job", async () => {
  await submit("old", "failed", "new", "newest", "running", "waiting");
  for (const [index, id] of ["old", "failed", "new", "newest"].entries()) {
    const job = { id, owner: `owner-${index}`, at: 100 + index };
    await claim(index);
    if (id === "failed") await failJob(store, job, { code: "no_data", message: "none" });
    else await finishJob(store, job, resultText({ id }));
  }
  await claim(9);
  const ids = async () => (await listJobs(store)).map(({ id }) => id);
  expect(await sweepJobs(store, { endedBefore: 101, keep: 100 })).toBe(1);
  expect(await ids()).toEqual(["failed", "new", "newest", "running", "waiting"]);
  expect(await sweepJobs(store, { endedBefore: 0, keep: 1 })).toBe(2);
  expect(await ids()).toEqual(["newest", "running", "waiting"]);
  expect(await sweepJobs(store, { endedBefore: 1e15, keep: 0 })).toBe(1);
  expect(await ids()).toEqual(["running", "waiting"]);
});
