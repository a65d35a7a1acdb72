// SQL of scheduled runs: a slot is claimed once, an outcome counts for its definition only.
import { beforeEach, expect, test } from "bun:test";
import { loadScheduledJob, putScheduledJob, removeScheduledJobs } from "../../src/store/scheduled-jobs.ts";
import { claimSlot, finishRun } from "../../src/store/scheduled-runs.ts";
import { isPostgres, rows, useStore } from "./temporary.ts";

const store = useStore();
const put = (at = 1) => {
  const definition = { name: "j", method: "get", relative_url: "/jobs", every: { unit: "day" } } as const;
  return putScheduledJob(store, { definition, origin: "api", at });
};
const claim = (slotAt: number, job = "j") => claimSlot(store, { job, slotAt }, slotAt + 5);
const count = async () => (await rows(store, "select count(*) from scheduled_runs"))[0]![0];
beforeEach(async () => {
  await put();
});

test("promise 22: a slot is taken once, whatever order slots come in", async () => {
  expect([await claim(2000), await claim(1000), await claim(2000), await claim(1000)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(await claim(1000, "gone")).toBe(false);
});

test("the outcome stands on the job, with the time of the run", async () => {
  await claim(1000);
  await finishRun(store, { job: "j", slotAt: 1000 }, { status: 503, error: "no room", code: "overloaded" });
  expect(await loadScheduledJob(store, "j")).toMatchObject({
    lastRunAt: 1005,
    lastStatus: 503,
    lastError: "no room",
    lastErrorCode: "overloaded",
  });
});

test("an outcome of a job that was replaced, deleted or never ran is dropped", async () => {
  const untouched = { lastRunAt: null, lastStatus: null, lastError: null, lastErrorCode: null };
  await finishRun(store, { job: "j", slotAt: 1000 }, { status: 200, error: null, code: null });
  await claim(1000);
  await put(2);
  await finishRun(store, { job: "j", slotAt: 1000 }, { status: 200, error: null, code: null });
  expect(await loadScheduledJob(store, "j")).toMatchObject(untouched);
  await claim(2000);
  await removeScheduledJobs(store, ["j"]);
  await finishRun(store, { job: "j", slotAt: 2000 }, { status: 200, error: null, code: null });
  expect(await count()).toBe(0);
});

test("old runs are pruned by their order, not by their slots", async () => {
  // A thousand commits: none has to wait for the disk.
  if (!isPostgres) store.sqlite.run("PRAGMA synchronous = OFF");
  const farAhead = 1e14;
  for (let i = 0; i < 1010; i++) await claim(farAhead - i);
  expect(await count()).toBe(1000);
  expect([await claim(1000), await claim(1000), await claim(farAhead - 1009)]).toEqual([true, false, false]);
  expect(await count()).toBe(1000);
});
