// Models of the API: settings, versions, training, removal.
import { beforeEach, expect, test } from "bun:test";
import { createModel } from "../../../src/store/models.ts";
import { drain } from "../../jobs/fakes.ts";
import { codeOf, dump } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";
import { useWorld } from "../world.ts";

const world = useWorld();
const feature = { name: "f", metric: "avg", field: "x" };
const settings = (name: string, rest: object = {}) => ({ ...aModel({ name, features: [feature] }), ...rest });
beforeEach(async () => {
  world.clock.at = 86_400_000;
  await world.buckets.put({ name: "b", type: "local" });
  for (const name of ["m", "k"]) await world.models.create(settings(name));
});

async function train(name = "m"): Promise<string> {
  const id = await world.models.train(name, { from: "now-1h" });
  await world.finish(id);
  return id;
}
/** Of intervals of a minute, for half a false alarm a week. */
const confidence = "learning" as const;
const thresholds = { max: 66.7, min: 33.4, source: "automatic" } as const;
const view = async (name = "m") => (await world.models.get([name])).entries[0];

test("a new model shows its settings as they were written, and no training", async () => {
  expect(await view()).toEqual({ settings: settings("m"), state: { trained: false } });
  const rest = {
    features: { io: [feature] },
    routing: "a:b",
    default_datasource: "b",
    default_bucket: undefined,
  };
  await world.models.create(JSON.parse(JSON.stringify(settings("old", rest))));
  expect(await view("old")).toMatchObject({
    settings: { features: [{ ...feature, io: "io" }], routing: "a:b", default_datasource: "b" },
  });
});

test("lists by name, gets in the requested order", async () => {
  const names = (views: object) =>
    (views as { settings: { name: string } }[]).map(({ settings: { name } }) => name);
  expect(names((await world.models.list()).entries)).toEqual(["k", "m"]);
  expect(names((await world.models.list({ sort: "name:-1", per_page: 1 })).entries)).toEqual(["m"]);
  // What no view shows, none is sorted by: the order is that of the names.
  expect(names((await world.models.list({ sort: "row.name:-1", page: 0 })).entries)).toEqual(["k", "m"]);
  expect(names((await world.models.get(["m", "k", "m"])).entries)).toEqual(["m", "k", "m"]);
  expect((await world.models.get(["m"], { fields: "settings" })).entries).toEqual([
    { state: { trained: false } },
  ]);
  await expect(world.models.get(["m", "x", "y"])).rejects.toThrow("model x does not exist");
});

test("where detection stands is looked up of those that a list shows", async () => {
  for (let i = 0; i < 120; i++) await world.models.create(settings(`n${i}`));
  const { looks } = world.live;
  (await world.models.list({ page: 1, per_page: 2 })).entries;
  (await world.models.list({ page: 0, per_page: 1, sort: "state.trained:-1" })).entries;
  (await world.models.list({ page: 0, per_page: 1, sort: "live.lag:-1" })).entries;
  (await world.models.list()).entries;
  expect(looks.map(({ length }) => length)).toEqual([2, 1, 122, 122]);
  expect(looks[0]).toEqual(["n0", "n1"]);
});

test("create rejects a duplicate name, an unknown metric, and a body that is not an object", async () => {
  expect(await codeOf(world.models.create(settings("m")))).toBe("already_exists");
  const odd = { features: [feature, { name: "g", metric: "most", field: "x" }] };
  await expect(world.models.create(settings("n", odd))).rejects.toThrow("features.1.metric");
  expect(await codeOf(world.models.create(settings("n", { ...odd, default_bucket: "elsewhere" })))).toBe(
    "nothing thrown",
  );
  expect(await codeOf(world.models.create([]))).toBe("invalid");
});

test("patch merges a part, null removes, the name stays, and all or none are changed", async () => {
  await world.models.patch(["m", "k"], { span: 5, max_threshold: 90 });
  await world.models.patch(["m"], { ...settings("m"), max_threshold: null });
  expect(await view()).toMatchObject({ settings: { ...settings("m"), span: 5 } });
  expect(await view("k")).toMatchObject({ settings: { span: 5, max_threshold: 90 } });
  const before = await dump(world.store);
  await expect(world.models.patch(["m"], { name: "n" })).rejects.toThrow("name: cannot be changed");
  expect(await codeOf(world.models.patch(["m", "x"], { span: 6 }))).toBe("not_found");
  expect(await codeOf(world.models.patch(["m", "k"], { min_threshold: 95 }))).toBe("invalid");
  expect(await codeOf(world.models.patch(["m"], { bucket_interval: null }))).toBe("invalid");
  expect(await codeOf(world.models.patch(["m"], 5))).toBe("invalid");
  expect(await dump(world.store)).toBe(before);
});

test("a mute window that has ended is refused, unless it was there before or is of a file", async () => {
  const ended = { until: "1970-01-01T12:00:00Z" };
  const message = "mute.0.until: must be in the future; now it is 1970-01-02T00:00:00.000Z";
  await expect(world.models.create(settings("n", { mute: [ended] }))).rejects.toThrow(message);
  await expect(world.models.patch(["m"], { mute: [ended] })).rejects.toThrow(message);
  await world.models.create(settings("n", { mute: [ended] }), { endedMutes: true });
  const ahead = { until: "1970-01-03T00:00:00Z" };
  await world.models.patch(["n"], { mute: [ended, ahead] });
  expect(await view("n")).toMatchObject({ settings: { mute: [ended, ahead] } });
});

test("a silence that older servers took stays until it, or the interval, is changed", async () => {
  const short = settings("old", { silence: "1s" });
  await expect(world.models.create(short)).rejects.toThrow(
    "silence: must not be shorter than bucket_interval",
  );
  await createModel(world.store, { name: "old", settings: short as never }, 0);
  await world.models.patch(["old"], { max_threshold: 50 });
  await expect(world.models.patch(["old"], { bucket_interval: "2h" })).rejects.toThrow("silence: must not");
  await world.models.patch(["old"], { bucket_interval: "2h", silence: "2h" });
});

test("promise 11: training shows while it runs, then the version's state", async () => {
  const id = await world.models.train("m", { from: "now-1h" });
  const call = await world.call(id);
  call.context.onProgress({ eval: 2, max_evals: 10, fraction: 0.2 });
  expect(await view()).toMatchObject({
    state: { trained: false },
    training: { job_id: id, state: "running", progress: { eval: 2, max_evals: 10 } },
  });
  expect(await world.models.training("m")).toMatchObject({ id, state: "running" });
  await expect(world.models.train("m", { from: "now-1h" })).rejects.toMatchObject({
    code: "training_active",
    details: { job_id: id },
  });
  call.done();
  await drain();
  expect(await view()).toEqual({
    settings: settings("m"),
    state: { trained: true, loss: 0.1, bucket_interval: 60, thresholds, confidence },
    training: { job_id: id, state: "done" },
  });
  expect(await codeOf(world.models.training("k"))).toBe("not_found");
});

test("several trainings are submitted together or not at all", async () => {
  const ids = await world.models.trainAll(["m", "k"], { from: "now-1h" });
  expect(ids).toHaveLength(2);
  await world.jobs.cancel([ids[0]!]);
  expect(await codeOf(world.models.trainAll(["m", "k"], { from: "now-1h" }))).toBe("training_active");
  expect((await world.jobs.list()).entries).toHaveLength(2);
  await world.jobs.cancel([ids[1]!]);
});

test("a model named twice is trained once", async () => {
  const ids = await world.models.trainAll(["m", "k", "m"], { from: "now-1h" });
  expect(ids[2]).toBe(ids[0]!);
  expect((await world.jobs.list()).entries).toHaveLength(2);
  await world.jobs.cancel(ids.slice(0, 2));
});

test("state shows the thresholds in force and where they come from", async () => {
  await train();
  const shown = async (patch: object) => {
    await world.models.patch(["m"], patch);
    return ((await view()) as { state: { thresholds: object } }).state.thresholds;
  };
  expect(await shown({ max_threshold: 90, min_threshold: 40 })).toEqual({
    max: 90,
    min: 40,
    source: "settings",
  });
  expect(await shown({ min_threshold: null })).toMatchObject({ max: 90, source: "mixed" });
  expect(await shown({ max_threshold: null })).toEqual(thresholds);
  expect(await shown({ expected_false_alarms: 5 })).toMatchObject({ source: "automatic" });
  expect((await shown({})) as { max: number }).not.toEqual(thresholds);
});

test("versions: one per training, the active one marked, restored at will", async () => {
  await train();
  await train();
  const shown = (name: string, active: boolean) => ({
    settings: settings("m"),
    state: {
      ...{ trained: true, loss: 0.1, bucket_interval: 60, confidence },
      ...{
        max_threshold: thresholds.max,
        min_threshold: thresholds.min,
        threshold_source: thresholds.source,
      },
    },
    version: { name, active, created_timestamp: 86_400, from: 0, to: 60 },
  });
  expect((await world.models.versions("m")).entries).toEqual([shown("00", false), shown("01", true)]);
  expect((await world.models.versions("m", { sort: "name:-1", per_page: 1 })).entries).toEqual([
    shown("01", true),
  ]);
  await world.models.restore("m", "00");
  expect(await world.models.version("m", "00")).toEqual(shown("00", true));
  expect(await codeOf(world.models.version("m", "02"))).toBe("not_found");
  expect(await codeOf(world.models.restore("m", "02"))).toBe("not_found");
  expect(await codeOf(world.models.restore("m", undefined))).toBe("invalid");
  expect(await codeOf(world.models.versions("x"))).toBe("not_found");
});

test.each([
  "version",
  "restore",
] as const)("the error of %s repeats at most 64 characters of the name of a version", async (operation) => {
  const failure = world.models[operation]("m", "x".repeat(200));
  await expect(failure).rejects.toMatchObject({ code: "not_found" });
  await expect(failure).rejects.toThrow(/[^x]x{64}(?!x)/);
});

test("remove cancels the training, stops live, and leaves no trace for a new model of the name", async () => {
  await train();
  const id = await world.models.train("m", { from: "now-1h" });
  const call = await world.call(id);
  world.live.models.set("m", "b");
  expect(await codeOf(world.models.remove(["m", "x"]))).toBe("not_found");
  expect(world.live.stopped).toEqual([]);
  await world.models.remove(["m"]);
  expect(call.context.signal.aborted).toBe(true);
  expect(world.live.stopped).toEqual(["m"]);
  expect(await world.jobs.view(id)).toMatchObject({ state: "canceled" });
  await world.models.create(settings("m"));
  call.done();
  await drain();
  expect(await view()).toEqual({ settings: settings("m"), state: { trained: false } });
});

test("found by state and name, worst first, with the numbers of pages and states", async () => {
  await train("m");
  const names = (views: object) =>
    (views as { settings: { name: string } }[]).map(({ settings: { name } }) => name);
  const found = await world.models.list({ sort: "state:1", page: 0, per_page: 1 });
  expect(names(found.entries)).toEqual(["m"]);
  expect(found.total).toBe(2);
  expect([...found.states!]).toEqual([
    ["stopped", 1],
    ["untrained", 1],
  ]);
  const untrained = await world.models.list({
    state: "untrained;live",
    fields: "state",
    include_fields: true,
  });
  expect(untrained).toMatchObject({ entries: [{ state: { trained: false } }], total: 1 });
  expect(names((await world.models.list({ q: "K" })).entries)).toEqual(["k"]);
  expect((await world.models.list()).states).toBeUndefined();
  for (const [params, problem] of [
    [{ state: "odd" }, "state: must be some of anomaly;failing"],
    [{ q: "x".repeat(300) }, "q: must be a text"],
    [{ q: "m", sort: "live.lag:1" }, "sort: must be by name or state"],
  ] as const)
    await expect(world.models.list(params)).rejects.toThrow(problem);
});
