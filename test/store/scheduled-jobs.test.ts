// SQL of scheduled jobs: replaced in place, patched and planned all or nothing.
import { beforeEach, expect, test } from "bun:test";
import type { ScheduledJob } from "../../src/core/time/scheduled-job.ts";
import { createModel } from "../../src/store/models.ts";
import { applyJobPlan } from "../../src/store/scheduled-job-plans.ts";
import {
  clearScheduledJobs,
  listScheduledJobs,
  loadScheduledJob,
  patchScheduledJobs,
  putScheduledJob,
  removeScheduledJobs,
} from "../../src/store/scheduled-jobs.ts";
import { claimSlot, finishRun } from "../../src/store/scheduled-runs.ts";
import { aModel } from "../support/builders.ts";
import { breakAt, codeOf, dump, useStore } from "./temporary.ts";

const store = useStore();
const job = (name: string, rest: object = {}): ScheduledJob => ({
  name,
  method: "get",
  relative_url: "/jobs",
  every: { unit: "day" },
  ...rest,
});
const put = (name: string, at = 1) => putScheduledJob(store, { definition: job(name), origin: "api", at });
const namesOf = async () => (await listScheduledJobs(store)).map(({ name }) => name);
beforeEach(async () => {
  for (const name of ["b", "a"]) await put(name);
});

test("put creates, then replaces: the outcome of the old one is deleted, its slots stay claimed", async () => {
  const slot = { job: "a", slotAt: 60_000 };
  await claimSlot(store, slot, 60_001);
  await finishRun(store, slot, { status: 200, error: null, code: null });
  expect(await loadScheduledJob(store, "a")).toMatchObject({
    lastRunAt: 60_001,
    lastStatus: 200,
    generation: 1,
  });
  await put("a", 2);
  expect(await loadScheduledJob(store, "a")).toEqual({
    name: "a",
    origin: "api",
    generation: 2,
    createdAt: 1,
    updatedAt: 2,
    lastRunAt: null,
    lastStatus: null,
    lastError: null,
    lastErrorCode: null,
    creator: null,
    definition: job("a"),
  });
  expect(await claimSlot(store, slot, 60_002)).toBe(false);
});

test("lists by name; an unknown one is not found, but may be deleted", async () => {
  expect(await namesOf()).toEqual(["a", "b"]);
  expect(await codeOf(loadScheduledJob(store, "x"))).toBe("not_found");
  await removeScheduledJobs(store, ["a", "x", "a"]);
  expect(await namesOf()).toEqual(["b"]);
  await clearScheduledJobs(store);
  expect(await namesOf()).toEqual([]);
});

test("more names than a statement takes", async () => {
  const many = Array.from({ length: 2000 }, (_, i) => `n${i}`);
  await removeScheduledJobs(store, [...many, "a"]);
  expect(await namesOf()).toEqual(["b"]);
});

test("patch keeps the last run", async () => {
  const slot = { job: "a", slotAt: 60_000 };
  await claimSlot(store, slot, 60_001);
  await finishRun(store, slot, { status: 500, error: "no", code: "internal" });
  await patchScheduledJobs(store, ["a"], { at: 3, change: (old) => ({ ...old, method: "head" }) });
  expect(await loadScheduledJob(store, "a")).toMatchObject({
    generation: 2,
    lastError: "no",
    definition: { method: "head" },
  });
});

test("a plan sees models and jobs, and is applied as the configuration's", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  const seen: unknown[] = [];
  const plan = (...given: unknown[]) => {
    seen.push(...given);
    return { put: [job("c"), job("b")], remove: ["a", "x"] };
  };
  await applyJobPlan(store, plan, { at: 5 });
  expect(seen[0]).toEqual(["m"]);
  expect(seen[1]).toEqual(["b", "a"].map((name) => ({ name, origin: "api", definition: job(name) })));
  const rows = await listScheduledJobs(store);
  expect(rows.map(({ name, origin }) => [name, origin])).toEqual([
    ["b", "config"],
    ["c", "config"],
  ]);
});

test("promise 3: a failure in the middle of patch and plan changes nothing", async () => {
  const before = await dump(store);
  const change = (old: ScheduledJob) => ({ ...old, params: { x: 1 } });
  await expect(patchScheduledJobs(store, ["a", "x"], { at: 2, change })).rejects.toThrow(
    "scheduled job x does not exist",
  );
  const repair = await breakAt(store, "update on scheduled_jobs", "old.name = 'b'");
  await expect(patchScheduledJobs(store, ["a", "b"], { at: 2, change })).rejects.toThrow("broken on purpose");
  const plan = () => ({ put: [job("c"), job("b")], remove: ["a"] });
  await expect(applyJobPlan(store, plan, { at: 2 })).rejects.toThrow("broken on purpose");
  await repair();
  expect(await dump(store)).toBe(before);
});
