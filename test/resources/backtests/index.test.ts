// Plans of backtests: parts, thresholds and labels of a request; refusals by parameter.
import { beforeEach, expect, test } from "bun:test";
import type { BacktestJob } from "../../../src/jobs/queue/input.ts";
import { Backtests } from "../../../src/resources/backtests/index.ts";
import { limits, plainModel, useWorld } from "../world.ts";

const MINUTE = 60_000;
/** Half a minute into 1 January 2026. */
const NOW = Date.UTC(2026, 0, 1) + 30_000;
const MIDNIGHT = NOW - 30_000;
const settings = { ...plainModel, span: 10, max_threshold: 60, min_threshold: 45 };

const world = useWorld();
beforeEach(async () => {
  world.clock.at = NOW;
  for (const name of ["b", "other"]) await world.buckets.put({ name, type: "local" });
  await world.models.create(settings);
});

function submit(params: object) {
  const { store, clock, queue, buckets } = world;
  const openBucket = (name: string) => buckets.open(name);
  return new Backtests({ store, clock, queue, limits, openBucket }).submit("m", { ...params });
}

async function inputOf(params: object): Promise<BacktestJob> {
  const { jobId } = await submit(params);
  const { job } = await world.call(jobId);
  await world.finish(jobId);
  expect(job).toMatchObject({ type: "backtest", model: "m" });
  return job.input as BacktestJob;
}

test("by default the first half is trained on, the rest evaluated, up to the last whole interval", async () => {
  expect(await inputOf({ from: "now-100m" })).toEqual({
    model: "m",
    settings: settings as never,
    bucket: "b",
    trained: { fromAt: MIDNIGHT - 100 * MINUTE, toAt: MIDNIGHT - 50 * MINUTE },
    evaluated: { fromAt: MIDNIGHT - 50 * MINUTE, toAt: MIDNIGHT },
    trainShare: 0.5,
    overrides: {},
    falseAlarmsPerWeek: 1,
    includeScores: false,
  });
});

const ago = (minutes: number) => MIDNIGHT - minutes * MINUTE;

test.each([
  ["train_share", { train_share: "0.8" }, 20],
  ["train_to", { train_to: "now-30m" }, 30],
  ["train_to in the middle of an interval", { train_to: (ago(30) + 59_000) / 1000 }, 30],
])("%s says where the cut is", async (_, params, minutes) => {
  const { trained, evaluated } = await inputOf({ from: "now-100m", ...params });
  expect([trained.toAt, evaluated.fromAt]).toEqual([ago(minutes), ago(minutes)]);
});

test("parameters of the training, the bucket, the suggestion and the scores", async () => {
  const parameters = { max_evals: "3", epochs: 7, seed: 1, input_bucket: "other" };
  const input = await inputOf({
    from: "now-1h",
    ...parameters,
    expected_false_alarms: "2",
    include_scores: "True",
  });
  expect(input).toMatchObject({
    bucket: "other",
    overrides: { maxEvals: 3, epochs: 7, seed: 1 },
    falseAlarmsPerWeek: 2,
    includeScores: true,
  });
});

test.each([
  ["both", { max_threshold: 80, min_threshold: "20" }, 80, 20],
  ["max alone keeps the share of min", { max_threshold: 80 }, 80, 60],
  ["min alone", { min_threshold: 50 }, 60, 50],
  ["0 = automatic", { max_threshold: 0 }, 0, 0],
])("thresholds to try: %s", async (_, params, max, min) => {
  const { settings: tried } = await inputOf({ from: "now-1h", ...params });
  expect([tried.max_threshold, tried.min_threshold]).toEqual([max, min]);
});

test("thresholds to try take the place of automatic and of legacy ones", async () => {
  await world.models.patch(["m"], { max_threshold: null, min_threshold: null });
  const { settings: tried } = await inputOf({ from: "now-1h", max_threshold: 80 });
  // Automatic ones at a minute: 66.7 and 33.4.
  expect([tried.max_threshold, tried.min_threshold]).toEqual([80, 40.1]);
  await world.models.patch(["m"], { threshold: 50 });
  const legacy = (await inputOf({ from: "now-1h", max_threshold: 80 })).settings;
  expect([legacy.max_threshold, legacy.min_threshold]).toEqual([80, 80]);
  await world.models.patch(["m"], { threshold: null });
  const alone = (await inputOf({ from: "now-1h", min_threshold: 90 })).settings;
  expect([alone.max_threshold, alone.min_threshold]).toEqual([90, 90]);
});

test("labels in any form of date", async () => {
  const labels = [
    { from: "now-10m", to: "now-9m" },
    { from: ago(20) / 1000, to: "2025-12-31T23:41:00Z" },
  ];
  expect((await inputOf({ from: "now-100m", labels })).labels).toEqual([
    { fromAt: NOW - 10 * MINUTE, toAt: NOW - 9 * MINUTE },
    { fromAt: ago(20), toAt: ago(19) },
  ]);
});

test("labels in a bucket, by default the one that is read", async () => {
  const from = "now-100m";
  expect((await inputOf({ from, label_field: "flag" })).labels).toEqual({ bucket: "b", field: "flag" });
  const elsewhere = { label_field: "flag", label_bucket: "other", label_measurement: "marks" };
  expect((await inputOf({ from, ...elsewhere })).labels).toEqual({
    bucket: "other",
    field: "flag",
    measurement: "marks",
  });
});

const fine = { from: "now-10m", to: "now-9m" };
const part = "must lie in the evaluated part, 2025-12-31T23:10:00.000Z to 2026-01-01T00:00:00.000Z";
test.each([
  ["from: is required", {}],
  ["from: must not be after to", { from: "now", to: "now-1h" }],
  ["from: the range has 1002 intervals, at most 1000 are allowed", { from: "now-1001m" }],
  ["the part to train on has 9 intervals, the span needs at least 10", { from: "now-18m" }],
  ["train_share: must be between 0 and 1", { from: "now-100m", train_share: 1 }],
  ["train_share: must leave at least one interval", { from: "now-100m", train_share: 0.999 }],
  [
    "train_share: must not be given beside train_to",
    { from: "now-100m", train_share: 0.5, train_to: "now-1m" },
  ],
  ["train_to: must leave at least one interval", { from: "now-100m", train_to: "now" }],
  ["train_to: must leave at least one interval", { from: "now-100m", train_to: "now-101m" }],
  ["train_to: must be a date", { from: "now-100m", train_to: "soon" }],
  ["max_threshold: must be at most 100", { from: "now-100m", max_threshold: 101 }],
  ["min_threshold: must not be above max_threshold (60)", { from: "now-100m", min_threshold: 61 }],
  ["max_evals: must be at least 1", { from: "now-100m", max_evals: 0 }],
  ["expected_false_alarms: must be above 0", { from: "now-100m", expected_false_alarms: 0 }],
  ["include_scores: must be a boolean", { from: "now-100m", include_scores: "some" }],
  ["labels: must be a list", { from: "now-100m", labels: "all" }],
  ["labels.1: must be an object", { from: "now-100m", labels: [fine, null] }],
  ["labels.1.until: is unknown", { from: "now-100m", labels: [fine, { from: 0, until: 1 }] }],
  ["labels.1.from: must be a date", { from: "now-100m", labels: [fine, { to: "now" }] }],
  ["labels.1.to: must be after from", { from: "now-100m", labels: [fine, { from: "now-9m", to: "now-9m" }] }],
  [`labels.0.from: ${part}`, { from: "now-100m", labels: [{ from: "now-51m", to: "now-49m" }] }],
  [`labels.0.to: ${part}`, { from: "now-100m", labels: [{ from: "now-10m", to: "now+1m" }] }],
  ["label_field: must not be given beside labels", { from: "now-100m", labels: [fine], label_field: "x" }],
  ["label_field: is required", { from: "now-100m", label_bucket: "other" }],
  ["bucket nowhere does not exist", { from: "now-100m", label_bucket: "nowhere", label_field: "x" }],
  ["bucket nowhere does not exist", { from: "now-100m", input_bucket: "nowhere" }],
])("refused: %s", async (message, params) => {
  await expect(submit(params)).rejects.toThrow(message);
  expect((await world.jobs.list()).entries).toEqual([]);
});

test("a training and a backtest of one model do not exclude each other", async () => {
  const training = await world.models.train("m", { from: "now-1h" });
  const { jobId } = await submit({ from: "now-1h" });
  await world.call(training);
  // They share the lane of trainings, which has one place here.
  expect(await world.jobs.get([training, jobId])).toMatchObject([{ state: "running" }, { state: "waiting" }]);
  await world.finish(training);
  await world.finish(jobId);
  expect(await world.jobs.get([training, jobId])).toMatchObject([{ state: "done" }, { state: "done" }]);
  expect((await world.models.versions("m")).entries).toHaveLength(1);
});

test("deleting the model cancels its backtest", async () => {
  const { jobId } = await submit({ from: "now-1h" });
  await world.models.remove(["m"]);
  expect(await world.jobs.view(jobId)).toMatchObject({ state: "canceled" });
});

test("an unknown model", async () => {
  await world.models.remove(["m"]);
  await expect(submit({ from: "now-1h" })).rejects.toMatchObject({ code: "not_found" });
});

test("a backtest of a fleet is one of a series, which must be named", async () => {
  await expect(submit({ from: "now-100m", series: "host:a" })).rejects.toThrow("set group_by");
  await world.models.patch(["m"], { group_by: ["host"] });
  await expect(submit({ from: "now-100m" })).rejects.toThrow(
    "series: is required: a backtest is of one series",
  );
  expect(await inputOf({ from: "now-100m", series: "host:a" })).toMatchObject({ series: { host: "a" } });
});
