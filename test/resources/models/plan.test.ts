// Plans of trainings, forecasts and evaluations, and requests that are refused before a job exists.
import { beforeEach, describe, expect, test } from "bun:test";
import { codeOf } from "../../store/temporary.ts";
import { plainModel, useWorld } from "../world.ts";

const NOW = 1_000_000 * 60_000;
const MINUTE = 60_000;
const world = useWorld();
const settings = { ...plainModel, span: 10 };
beforeEach(async () => {
  world.clock.at = NOW;
  for (const name of ["b", "other"]) await world.buckets.put({ name, type: "local" });
  await world.models.create(settings);
});

async function inputOf(id: string): Promise<unknown> {
  const { job } = await world.call(id);
  await world.finish(id);
  return job.input;
}
const train = async (params: object) => inputOf(await world.models.train("m", { ...params }));
const forecast = async (params: object = {}) =>
  inputOf((await world.models.forecast("m", { ...params })).jobId);
const evaluate = async (params: object) => inputOf((await world.models.evaluate("m", { ...params })).jobId);

test("a training: dates resolved at submission, to is now, a snapshot of the settings", async () => {
  const input = {
    model: "m",
    settings,
    bucket: "b",
    range: { fromAt: NOW - 60 * MINUTE, toAt: NOW },
    overrides: {},
  };
  expect(await train({ from: "now-1h" })).toEqual(input);
  const params = {
    from: "now-1h",
    max_evals: "3",
    epochs: 7,
    seed: 0,
    continue: "True",
    guard: "yes",
    input: "other",
    extra: 1,
  };
  const overrides = { maxEvals: 3, epochs: 7, seed: 0, continueFrom: "00", guard: true };
  expect(await train(params)).toEqual({ ...input, bucket: "other", overrides });
});

test.each([
  ["from: is required", {}],
  ["from: must not be after to", { from: "now", to: "now-1h" }],
  ["the range has 1001 intervals, at most 1000 are allowed", { from: "now-1001m" }],
  ["the range has 9 intervals, the span needs at least 10", { from: "now-9m" }],
  ["max_evals: must be at least 1", { from: "now-1h", max_evals: 0 }],
  ["seed: must be a whole number", { from: "now-1h", seed: "x" }],
  ["continue: must be a boolean", { from: "now-1h", continue: "perhaps" }],
  ["guard: must be a boolean", { from: "now-1h", guard: "perhaps" }],
  ["model m is not trained", { from: "now-1h", continue: true }],
  ["series: must be left out: a training is of all series of a model", { from: "now-1h", series: "host:a" }],
  ["bucket nowhere does not exist", { from: "now-1h", input_bucket: "nowhere" }],
  ["input_bucket: must be a name", { from: "now-1h", input_bucket: 5 }],
])("a training is refused: %s", async (message, params) => {
  await expect(world.models.train("m", params)).rejects.toThrow(message);
  expect((await world.jobs.list()).entries).toEqual([]);
});

test("without a span, min_span counts; without a bucket, one must be named", async () => {
  await world.models.patch(["m"], { span: "auto", min_span: 5, default_bucket: null });
  expect(await codeOf(world.models.train("m", { from: "now-4m", input_bucket: "b" }))).toBe(
    "too_little_data",
  );
  await expect(world.models.train("m", { from: "now-5m" })).rejects.toThrow("input_bucket: is required");
  expect(await train({ from: "now-5m", input_bucket: "b" })).toMatchObject({ bucket: "b" });
});

test("a feature with a bucket of its own is read from there, and that one must exist", async () => {
  const features = [{ name: "f", metric: "avg", field: "x", bucket: "other" }];
  await world.models.patch(["m"], { default_bucket: null, features });
  expect(await train({ from: "now-1h" })).toMatchObject({ bucket: "other" });
  await world.buckets.remove(["other"], { force: false });
  expect(await codeOf(world.models.train("m", { from: "now-1h" }))).toBe("not_found");
});

test("an untrained model neither forecasts nor evaluates", async () => {
  expect(await codeOf(world.models.forecast("m", {}))).toBe("not_trained");
  expect(await codeOf(world.models.evaluate("m", { from: "now-1h" }))).toBe("not_trained");
  expect(await codeOf(world.models.forecast("x", {}))).toBe("not_found");
});

test("a forecast goes from now for the model's horizon, or for a day", async () => {
  await train({ from: "now-1h" });
  await world.models.patch(["m"], { forecast: 5 });
  const input = {
    model: "m",
    settings: { ...settings, forecast: 5 },
    version: "00",
    bucket: "b",
    range: { fromAt: NOW, toAt: NOW + 5 * MINUTE },
    level: 0.68,
    levels: [],
  };
  expect(await forecast()).toEqual(input);
  expect(await forecast({ from: "now-1h" })).toMatchObject({
    range: { fromAt: NOW - 60 * MINUTE, toAt: NOW - 55 * MINUTE },
  });
  await world.models.patch(["m"], { forecast: null });
  await expect(world.models.forecast("m", {})).rejects.toThrow(
    "the range has 1440 intervals, at most 100 are allowed",
  );
  expect(await forecast({ to: "now 5m" })).toMatchObject({ range: { toAt: NOW + 5 * MINUTE } });
});

test("parameters of a forecast", async () => {
  await train({ from: "now-1h" });
  const params = {
    to: "now+10m",
    p_val: "0.9",
    level: "80;95;80",
    constraint: "f:low:-1.5",
    save_output_data: "True",
    output_bucket: "other",
    input_bucket: "b",
  };
  expect(await forecast(params)).toMatchObject({
    bucket: "b",
    level: 0.9,
    levels: [0.8, 0.95],
    constraint: { feature: "f", type: "low", threshold: -1.5 },
    save: { bucket: "other" },
  });
  expect(await forecast({ to: "now+10m", save_output_data: 1 })).toMatchObject({ save: { bucket: "b" } });
  expect(await forecast({ to: "now+10m", output_bucket: "other" })).not.toHaveProperty("save");
  const missing = { to: "now+10m", save_output_data: true, output_bucket: "nowhere" };
  expect(await codeOf(world.models.forecast("m", missing))).toBe("not_found");
});

test("an evaluation needs from; both names ask for stats", async () => {
  await train({ from: "now-1h" });
  const input = {
    model: "m",
    settings,
    version: "00",
    bucket: "b",
    range: { fromAt: NOW - 60 * MINUTE, toAt: NOW },
    detectAnomalies: false,
    showsLive: true,
  };
  expect(await evaluate({ from: "now-1h" })).toEqual(input);
  for (const key of ["detect_anomalies", "flag_abnormal_data"])
    expect(await evaluate({ from: "now-1h", [key]: "True" })).toEqual({ ...input, detectAnomalies: true });
  await expect(world.models.evaluate("m", {})).rejects.toThrow("from: is required");
  expect(await codeOf(world.models.evaluate("m", { from: 0 }))).toBe("invalid");
});

test("promise 11: a prediction takes the version's shape and the model's present thresholds", async () => {
  await train({ from: "now-1h" });
  const features = [{ name: "f", metric: "max", field: "y", anomaly_type: "low" }];
  await world.models.patch(["m"], { features, bucket_interval: "5m", span: 3, max_threshold: 70 });
  expect(await evaluate({ from: "now-1h" })).toMatchObject({
    settings: {
      ...settings,
      features: [{ ...settings.features[0], anomaly_type: "low" }],
      max_threshold: 70,
    },
  });
});

describe("an interval that is chosen at training", () => {
  const view = async () => (await world.models.get(["m"])).entries[0];
  const trainTo = async (bucket_interval: number, params: object = {}) => {
    const id = await world.models.train("m", { from: "now-1h", ...params });
    const { job } = await world.call(id);
    await world.finish(id, { result: null, settings: { ...settings, bucket_interval } });
    return job.input;
  };
  beforeEach(() => world.models.patch(["m"], { bucket_interval: "auto", span: "auto" }));

  test("is not known before: the range may be any that days fit into", async () => {
    expect(await train({ from: "now-30m" })).toMatchObject({ settings: { bucket_interval: "auto" } });
    await expect(world.models.train("m", { from: "now-1001d" })).rejects.toThrow(
      "the range has 1002 intervals, at most 1000 are allowed",
    );
  });

  test("is effective from then on, and shown beside the settings of the client", async () => {
    await trainTo(300);
    expect(await view()).toMatchObject({
      settings: { bucket_interval: "auto" },
      state: { trained: true, bucket_interval: 300 },
    });
    expect(await world.models.version("m", "00")).toMatchObject({ state: { bucket_interval: 300 } });
    await world.models.patch(["m"], { forecast: 5 });
    const range = { fromAt: NOW, toAt: NOW + 25 * MINUTE };
    expect(await forecast()).toMatchObject({ settings: { bucket_interval: 300 }, range });
    expect(await evaluate({ from: "now-1h" })).toMatchObject({ settings: { bucket_interval: 300 } });
  });

  test("is chosen anew by each training, but for one that goes on from the last", async () => {
    await trainTo(300);
    expect(await trainTo(600)).toMatchObject({ settings: { bucket_interval: "auto" } });
    expect(await view()).toMatchObject({ state: { bucket_interval: 600 } });
    expect(await train({ from: "now-5h", continue: true })).toMatchObject({
      settings: { bucket_interval: 600 },
    });
  });
});

test("an evaluation of too many values is refused with the limit and the way out; a training of as many is not", async () => {
  await train({ from: "now-501m" });
  await expect(world.models.evaluate("m", { from: "now-501m" })).rejects.toMatchObject({
    code: "invalid",
    message:
      "from: the range has 501 intervals, at most 500 are allowed: choose a shorter one, or a longer interval",
  });
});

describe("a fleet", () => {
  beforeEach(async () => {
    await world.models.patch(["m"], { group_by: ["host", "cpu"] });
    await train({ from: "now-1h" });
  });

  test("is predicted a page of series at a time, or one series by its tags", async () => {
    expect(await evaluate({ from: "now-10m" })).toMatchObject({ page: { number: 0, size: 10 } });
    expect(await forecast({ to: "now+2m", page: "3", per_page: 5 })).toMatchObject({
      page: { number: 3, size: 5 },
    });
    const one = (await evaluate({ from: "now-10m", series: "cpu:0,host:a", page: 3 })) as object;
    expect(one).toMatchObject({ series: { host: "a", cpu: "0" } });
    expect(one).not.toHaveProperty("page");
  });

  test("has as many values as its page has series", async () => {
    await expect(world.models.evaluate("m", { from: "now-60m" })).rejects.toThrow(
      "at most 50 are allowed: choose a shorter one, a smaller per_page, or one series",
    );
    expect(await evaluate({ from: "now-60m", per_page: 5 })).toMatchObject({ page: { size: 5 } });
    expect(await evaluate({ from: "now-60m", series: "host:a,cpu:0" })).toMatchObject({ model: "m" });
  });

  test.each([
    ["cpu is missing", { series: "host:a" }],
    ["no tag rack", { series: "rack:1" }],
    ["per_page: must be at most 100", { per_page: 101 }],
    ["page: must be at least 0", { page: -1 }],
  ])("refuses what it cannot find: %s", async (message, params) => {
    await expect(world.models.evaluate("m", { from: "now-1m", ...params })).rejects.toThrow(message);
  });
});

test("a model of one series has no page, and refuses a series", async () => {
  await train({ from: "now-1h" });
  expect(await evaluate({ from: "now-1m", page: 2 })).not.toHaveProperty("page");
  expect(await codeOf(world.models.evaluate("m", { from: "now-1m", series: "host:a" }))).toBe(
    "not_supported",
  );
});
