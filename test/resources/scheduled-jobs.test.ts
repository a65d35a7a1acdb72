// Scheduled jobs of the API, and those of the configuration in step with the models.
import { afterEach, describe, expect, test } from "bun:test";
import { createScheduledJobs } from "../../src/resources/scheduled-jobs.ts";
import { claimSlot, finishRun } from "../../src/store/scheduled-runs.ts";
import { codeOf, dump } from "../store/temporary.ts";
import { makeWorld, type World, type WorldOptions } from "./world.ts";

let world: World;
const start = async (options?: WorldOptions) => {
  world = await makeWorld(options);
  world.clock.at = Date.parse("2026-06-01T00:00:00Z");
  return world;
};
afterEach(() => world.close());

const job = (name: string, rest: object = {}) => ({
  name,
  method: "post",
  relative_url: "/models/m/_train",
  every: { unit: "day", at: "03:00" },
  ...rest,
});
const names = async () => (await world.scheduledJobs.list()).map((view) => (view as { name: string }).name);
const next = (text: string) => Date.parse(text) / 1000;

test("a view is the definition and the next run, in the time zone of the server", async () => {
  const { scheduledJobs } = await start({ timezone: "Europe/Paris" });
  await scheduledJobs.put(job("b", { params: { from: "now-1d" } }));
  await scheduledJobs.put(job("a"));
  expect(await names()).toEqual(["a", "b"]);
  expect(await scheduledJobs.get(["b", "a"])).toEqual([
    { ...job("b", { params: { from: "now-1d" } }), next_run_timestamp: next("2026-06-01T01:00:00Z") },
    { ...job("a"), next_run_timestamp: next("2026-06-01T01:00:00Z") },
  ]);
  await expect(scheduledJobs.get(["a", "x"])).rejects.toThrow("scheduled job x does not exist");
});

test("after a run a view says how it went; a replaced job starts anew", async () => {
  const { scheduledJobs, store } = await start();
  await scheduledJobs.put(job("a"));
  const run = async (slotAt: number, status: number | null, error: string | null) => {
    await claimSlot(store, { job: "a", slotAt }, slotAt);
    await finishRun(store, { job: "a", slotAt }, { status, error });
    return (await scheduledJobs.get(["a"], { fields: "next_run_timestamp" }))[0];
  };
  expect(await run(1000, 200, null)).toEqual({
    ...job("a"),
    ok: true,
    status_code: 200,
    last_run_timestamp: 1,
  });
  const failed = { ok: false, status_code: 409, error: "runs already", last_run_timestamp: 2.5 };
  expect(await run(2500, 409, "runs already")).toEqual({ ...job("a"), ...failed });
  expect(await run(3000, null, "stopped")).toEqual({
    ...job("a"),
    ok: false,
    error: "stopped",
    last_run_timestamp: 3,
  });
  await scheduledJobs.put(job("a", { every: { cron: "0 4 * * *" } }));
  expect(await scheduledJobs.get(["a"])).toEqual([
    { ...job("a", { every: { cron: "0 4 * * *" } }), next_run_timestamp: next("2026-06-01T04:00:00Z") },
  ]);
});

test("patch merges a part, null removes, and all or none are changed", async () => {
  const { scheduledJobs, store } = await start();
  for (const name of ["a", "b"])
    await scheduledJobs.put(job(name, { params: { from: "now" }, json: { x: 1 } }));
  await scheduledJobs.patch(["a", "b"], { json: null, every: { unit: "hour" } });
  await scheduledJobs.patch(["a"], { name: "a", method: "get" });
  expect(await scheduledJobs.get(["a"], { fields: "next_run_timestamp" })).toEqual([
    job("a", { method: "get", params: { from: "now" }, every: { unit: "hour" } }),
  ]);
  const before = dump(store);
  expect(await codeOf(scheduledJobs.patch(["a", "x"], { method: "get" }))).toBe("not_found");
  expect(await codeOf(scheduledJobs.patch(["a"], { name: "c" }))).toBe("invalid");
  expect(await codeOf(scheduledJobs.patch(["a"], { name: null }))).toBe("invalid");
  expect(await codeOf(scheduledJobs.patch(["a"], { every: { at: "03:00" } }))).toBe("invalid");
  expect(await codeOf(scheduledJobs.patch(["a"], []))).toBe("invalid");
  expect(await codeOf(scheduledJobs.put(job("c", { relative_url: "/scheduled_jobs" })))).toBe("invalid");
  expect(dump(store)).toBe(before);
});

test("secrets of what is sent are not shown, and survive being sent back as shown", async () => {
  const { scheduledJobs, store } = await start();
  await scheduledJobs.put(job("a", { params: { token: "hunter2" }, json: { password: "hunter2", x: 1 } }));
  const [view] = (await scheduledJobs.get(["a"])) as [{ json: object; params: object }];
  expect(JSON.stringify([view, await scheduledJobs.list()])).not.toContain("hunter2");
  await scheduledJobs.patch(["a"], { json: view.json, params: view.params, method: "patch" });
  expect(dump(store).match(/hunter2/g)).toHaveLength(2);
});

test("deletes those that are there, and all", async () => {
  const { scheduledJobs } = await start();
  for (const name of ["a", "b", "c"]) await scheduledJobs.put(job(name));
  await scheduledJobs.remove(["a", "gone"]);
  expect(await names()).toEqual(["b", "c"]);
  await scheduledJobs.clear();
  expect(await names()).toEqual([]);
});

describe("of the configuration", () => {
  const perModel = job("train {{model_name}}", { relative_url: "/models/{{model_name}}/_train" });
  const definitions = [job("tidy", { method: "get", relative_url: "/jobs" }), perModel];
  const create = (name: string) =>
    world.models.create({
      name,
      type: "donut",
      bucket_interval: "1m",
      features: [{ name: "f", metric: "avg", field: "x" }],
    });

  test("are there from the start, and follow models that come and go", async () => {
    await start({ definitions });
    await create("a");
    await world.scheduledJobs.define();
    expect(await names()).toEqual(["tidy", "train a"]);
    await create("b");
    expect(await world.scheduledJobs.get(["train b"])).toMatchObject([{ relative_url: "/models/b/_train" }]);
    await world.models.remove(["a"]);
    expect(await names()).toEqual(["tidy", "train b"]);
  });

  test("leave alone what clients made, changed or deleted, until the next start", async () => {
    await start({ definitions });
    await create("a");
    await world.scheduledJobs.define();
    await world.scheduledJobs.put(job("train b", { method: "get" }));
    await world.scheduledJobs.put(job("mine"));
    await world.scheduledJobs.patch(["train a"], { method: "head" });
    await world.scheduledJobs.remove(["tidy"]);
    await create("b");
    expect(await names()).toEqual(["mine", "train a", "train b"]);
    expect(await world.scheduledJobs.get(["train a", "train b"])).toMatchObject([
      { method: "head" },
      { method: "get" },
    ]);
    await world.models.remove(["b"]);
    expect(await names()).toEqual(["mine", "train a", "train b"]);
    await world.scheduledJobs.define();
    expect(await names()).toEqual(["mine", "tidy", "train a", "train b"]);
    expect(await world.scheduledJobs.get(["train a"])).toMatchObject([{ method: "post" }]);
  });

  test("survive a restart with what is known of their runs, and go when the configuration drops them", async () => {
    const { store, clock } = await start({ definitions });
    await world.scheduledJobs.define();
    await claimSlot(store, { job: "tidy", slotAt: 1000 }, 1000);
    await finishRun(store, { job: "tidy", slotAt: 1000 }, { status: 200, error: null });
    const restart = (list: typeof definitions) =>
      createScheduledJobs({ store, clock, timezone: "UTC", definitions: list }).define();
    await restart(definitions);
    expect(await world.scheduledJobs.get(["tidy"])).toMatchObject([{ ok: true, last_run_timestamp: 1 }]);
    await restart([]);
    expect(await names()).toEqual([]);
  });

  test("models that come and go at the same time leave no job behind", async () => {
    await start({ definitions });
    const models = ["a", "b", "c", "d"];
    await Promise.all(models.map(create));
    await Promise.all([...models.map((name) => world.models.remove([name])), create("e")]);
    expect(await names()).toEqual(["train e"]);
  });
});
