// Scheduled jobs of the API, and those of the configuration and of models.
import { afterEach, describe, expect, test } from "bun:test";
import { invalid, TorusError } from "../../src/core/errors.ts";
import { ScheduledJobs } from "../../src/resources/scheduled-jobs.ts";
import { claimSlot, finishRun } from "../../src/store/scheduled-runs.ts";
import { codeOf, dump } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";
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
const model = (name: string, rest: object = {}) => aModel({ name, ...rest });
const names = async () =>
  ((await world.scheduledJobs.list()).entries as { name: string }[]).map(({ name }) => name);
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

test("a preview has the next five runs, in the time zone of the server", async () => {
  const { scheduledJobs } = await start({ timezone: "Europe/Paris" });
  const { timezone, runs } = scheduledJobs.preview({ every: { unit: "day", at: "03:00" } });
  expect(timezone).toBe("Europe/Paris");
  const tokyo = scheduledJobs.preview({ every: { unit: "day", at: "03:00", timezone: "Asia/Tokyo" } });
  expect([tokyo.timezone, tokyo.runs[0]! % 86_400]).toEqual(["Asia/Tokyo", 18 * 3600]);
  expect(runs).toHaveLength(5);
  expect(runs.slice(0, 2)).toEqual([next("2026-06-01T01:00:00Z"), next("2026-06-02T01:00:00Z")]);
  expect(() => scheduledJobs.preview(null)).toThrow("every");
  expect(() => scheduledJobs.preview({ every: { cron: "x" } })).toThrow("every.cron");
});

test("run now starts each known job once; an unknown one starts none", async () => {
  const { scheduledJobs } = await start();
  await scheduledJobs.put(job("a"));
  await scheduledJobs.put(job("b"));
  const started: string[] = [];
  scheduledJobs.runWith(async (name) => void started.push(name));
  await expect(scheduledJobs.run(["a", "x"])).rejects.toThrow("scheduled job x does not exist");
  await scheduledJobs.run(["a", "b", "a"]);
  expect(started).toEqual(["a", "b"]);
});

test("a request that no route has is refused; a job that has one is paused all the same", async () => {
  const { scheduledJobs } = await start();
  await scheduledJobs.put(job("old"));
  const requireRoute = (method: string) => {
    if (method === "get") throw new TorusError("method_not_allowed", "supported: POST");
    throw new TorusError("not_found", "did you mean /models/m/_train?");
  };
  scheduledJobs.routeWith({ requireRoute, requireCall: () => {} });
  expect(await codeOf(scheduledJobs.put(job("a")))).toBe("invalid");
  await expect(scheduledJobs.put(job("a"))).rejects.toThrow("relative_url: did you mean /models/m/_train?");
  await expect(scheduledJobs.put(job("a", { method: "get" }))).rejects.toThrow("method: supported: POST");
  await expect(scheduledJobs.patch(["old"], { relative_url: "/x" })).rejects.toThrow("relative_url: did");
  await scheduledJobs.patch(["old"], { enabled: false });
  expect(await names()).toEqual(["old"]);
});

test("a request that lacks what its route requires is refused, but not its pause", async () => {
  const { scheduledJobs } = await start();
  await scheduledJobs.put(job("old"));
  const requireCall = ({ params }: { params?: object }) => {
    if (!params) throw invalid("params.from", "is required");
  };
  scheduledJobs.routeWith({ requireRoute: () => {}, requireCall });
  await expect(scheduledJobs.put(job("a"))).rejects.toThrow("params.from: is required");
  await scheduledJobs.patch(["old"], { enabled: false });
  await scheduledJobs.put(job("b", { params: { from: "now-1d" } }));
  await expect(scheduledJobs.patch(["b"], { params: null })).rejects.toThrow("params.from: is required");
  expect(await names()).toEqual(["b", "old"]);
});

test("after a run a view shows its outcome; replacing a job resets it", async () => {
  const { scheduledJobs, store } = await start();
  await scheduledJobs.put(job("a"));
  const run = async (slotAt: number, status: number | null, error: string | null) => {
    const code = error && status ? ("not_trained" as const) : null;
    await claimSlot(store, { job: "a", slotAt }, slotAt);
    await finishRun(store, { job: "a", slotAt }, { status, error, code });
    return (await scheduledJobs.get(["a"], { fields: "next_run_timestamp" }))[0];
  };
  expect(await run(1000, 200, null)).toEqual({
    ...job("a"),
    ok: true,
    status_code: 200,
    last_run_timestamp: 1,
  });
  const failed = {
    ok: false,
    status_code: 409,
    error: "runs already",
    code: "not_trained",
    last_run_timestamp: 2.5,
  };
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
  const before = await dump(store);
  expect(await codeOf(scheduledJobs.patch(["a", "x"], { method: "get" }))).toBe("not_found");
  expect(await codeOf(scheduledJobs.patch(["a"], { name: "c" }))).toBe("invalid");
  expect(await codeOf(scheduledJobs.patch(["a"], { name: null }))).toBe("invalid");
  expect(await codeOf(scheduledJobs.patch(["a"], { every: { at: "03:00" } }))).toBe("invalid");
  expect(await codeOf(scheduledJobs.patch(["a"], []))).toBe("invalid");
  expect(await codeOf(scheduledJobs.put(job("c", { relative_url: "/scheduled_jobs" })))).toBe("invalid");
  expect(await dump(store)).toBe(before);
});

test("secrets in a request are not shown, and survive being sent back as shown", async () => {
  const { scheduledJobs, store } = await start();
  await scheduledJobs.put(job("a", { params: { token: "hunter2" }, json: { password: "hunter2", x: 1 } }));
  const [view] = (await scheduledJobs.get(["a"])) as [{ json: object; params: object }];
  expect(JSON.stringify([view, (await scheduledJobs.list()).entries])).not.toContain("hunter2");
  await scheduledJobs.patch(["a"], { json: view.json, params: view.params, method: "patch" });
  expect((await dump(store)).match(/hunter2/g)).toHaveLength(2);
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
  const create = (name: string) => world.models.create(model(name));

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

  test("do not touch jobs that clients created, changed or deleted, until the next start", async () => {
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

  test("survive a restart with their last run, and are deleted when the configuration drops them", async () => {
    const { store, clock } = await start({ definitions });
    await world.scheduledJobs.define();
    await claimSlot(store, { job: "tidy", slotAt: 1000 }, 1000);
    await finishRun(store, { job: "tidy", slotAt: 1000 }, { status: 200, error: null, code: null });
    const restart = (list: typeof definitions) =>
      new ScheduledJobs({ store, clock, timezone: "UTC", definitions: () => list }).define();
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

/** Counts the rows that statements return from now on. */
function countRows(world: World): () => number {
  const { sqlite } = world.store;
  const prepare = sqlite.prepare.bind(sqlite);
  let rows = 0;
  sqlite.prepare = ((sql: string) => {
    const statement = prepare(sql);
    for (const way of ["all", "values"] as const) {
      const run = statement[way].bind(statement) as (...args: never[]) => unknown[];
      statement[way] = ((...args: never[]) => {
        const found = run(...args);
        rows += found.length;
        return found;
      }) as never;
    }
    return statement;
  }) as typeof sqlite.prepare;
  return () => rows;
}

test("to create, change and delete a model reads no other models, however many there are", async () => {
  const perModel = job("train {{model_name}}", { relative_url: "/models/{{model_name}}/_train" });
  const counts: number[] = [];
  for (const others of [10, 300]) {
    const { models, store } = await start({ definitions: [perModel] });
    const retrain = { every: { unit: "day", at: "03:00" }, range: "30d" } as const;
    for (let i = 0; i < others; i++) await models.create(model(`other${i}`, i % 2 ? { retrain } : {}));
    const count = countRows(world);
    await models.create(model("m", { retrain }));
    await models.patch(["m"], { retrain: { ...retrain, range: "60d" } });
    await models.remove(["m"]);
    counts.push(count());
    const left = store.sqlite.query("select count(*) as n from scheduled_jobs").get();
    expect(left).toEqual({ n: others + others / 2 });
    await world.close();
  }
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts[1]).toBe(counts[0]!);
  await start();
});

describe("the setting retrain of a model", () => {
  const every = { unit: "day", at: "03:00" };
  const shown = async (name = "retrain m") =>
    (await world.scheduledJobs.get([name], { fields: "next_run_timestamp" }))[0] as Record<string, unknown>;
  const messageOf = async (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (error: Error) => error.message,
    );

  test("is a scheduled job, made, changed and removed with it", async () => {
    const { models } = await start();
    await models.create(model("m", { retrain: { every, range: "30d" } }));
    await models.create(model("k"));
    expect(await names()).toEqual(["retrain m"]);
    const definition = { name: "retrain m", method: "post", relative_url: "/models/m/_train" };
    expect(await shown()).toEqual({ ...definition, params: { from: "now-30d", guard: true }, every });
    const cron = { cron: "0 4 * * 0" };
    await models.patch(["m", "k"], { retrain: { every: cron, range: 86400, max_evals: 1, continue: true } });
    expect(await names()).toEqual(["retrain k", "retrain m"]);
    expect(await shown()).toEqual({
      ...definition,
      params: { from: "now-86400s", max_evals: 1, continue: true, guard: true },
      every: cron,
    });
    await models.patch(["k"], { retrain: null });
    await models.remove(["m"]);
    expect(await names()).toEqual([]);
  });

  test("keeps its last run while it does not change, and is restored at a start", async () => {
    const { models, scheduledJobs, store } = await start();
    await models.create(model("m", { retrain: { every, range: "30d" } }));
    await claimSlot(store, { job: "retrain m", slotAt: 1000 }, 1000);
    await finishRun(store, { job: "retrain m", slotAt: 1000 }, { status: 200, error: null, code: null });
    await models.patch(["m"], { max_threshold: 80 });
    await scheduledJobs.define();
    expect(await shown()).toMatchObject({ ok: true, status_code: 200 });
    await models.patch(["m"], { retrain: { every, range: "60d" } });
    expect(await shown()).not.toHaveProperty("ok");
  });

  test("cannot be changed as a scheduled job; the error advises where", async () => {
    const { models, scheduledJobs, store } = await start();
    await models.create(model("m", { retrain: { every, range: "30d" } }));
    await scheduledJobs.put(job("mine"));
    const before = await dump(store);
    for (const attempt of [
      scheduledJobs.put(job("retrain m")),
      scheduledJobs.patch(["mine", "retrain m"], { method: "get" }),
      scheduledJobs.remove(["mine", "retrain m"]),
    ])
      expect(await messageOf(attempt)).toContain("belongs to a model: change `retrain`");
    expect(await dump(store)).toBe(before);
    await scheduledJobs.clear();
    expect(await names()).toEqual(["retrain m"]);
  });

  test("does not take the place of another's job", async () => {
    const { models, scheduledJobs } = await start();
    await scheduledJobs.put(job("retrain m"));
    await models.create(model("k"));
    const retrain = { every, range: "30d" };
    expect(await messageOf(models.create(model("m", { retrain })))).toContain("delete it first");
    await models.create(model("m"));
    expect(await messageOf(models.patch(["m"], { retrain }))).toContain("delete it first");
    expect(await shown()).toEqual(job("retrain m"));
    await scheduledJobs.remove(["retrain m"]);
    await models.patch(["m"], { retrain });
    expect(await shown()).toMatchObject({ params: { from: "now-30d" } });
  });

  test.each([
    ["no timetable", { range: "30d" }, "retrain.every"],
    ["no range", { every }, "retrain.range"],
    ["a range from before there are dates", { every, range: "500y" }, "retrain.range"],
    ["a range no longer than an interval", { every, range: "1m" }, "retrain.range"],
    [
      "a time that does not fit",
      { every: { unit: "hour", at: "03:00:00" }, range: "30d" },
      "retrain.every.at",
    ],
    ["a cron text that never comes", { every: { cron: "0 0 30 2 *" }, range: "30d" }, "retrain.every.cron"],
    ["an unknown key", { every, range: "30d", ranges: "1d" }, "retrain.ranges"],
    ["no object", "daily", "retrain"],
  ])("%s is refused", async (_, retrain, path) => {
    const { models } = await start();
    const message = await messageOf(models.create(model("m", { retrain })));
    expect(message).toStartWith(path);
    expect(await names()).toEqual([]);
  });

  test("a name too long for its job is refused", async () => {
    const { models } = await start();
    const retrain = { every, range: "30d" };
    await models.create(model("n".repeat(248), { retrain }));
    expect(await messageOf(models.create(model("n".repeat(249), { retrain })))).toStartWith("retrain");
  });
});
