// Job handlers with a bucket in memory and a model kind of known answers: ranges, results, saved points.
import { beforeEach, expect, test } from "bun:test";
import type { PredictionView } from "../../../src/api/prediction.ts";
import type { Bucket } from "../../../src/buckets/kind.ts";
import { TorusError } from "../../../src/core/errors.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import type { MetricMetadata } from "../../../src/core/series/metric-metadata.ts";
import type { Point } from "../../../src/core/series/query.ts";
import { createHandlers } from "../../../src/jobs/handlers/index.ts";
import { trainVersion } from "../../../src/jobs/handlers/train.ts";
import type { HandlerDeps, PastInput } from "../../../src/jobs/queue/handler.ts";
import type { ForecastJob, PredictJob, TrainJob } from "../../../src/jobs/queue/input.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import type { Compute, Evaluation, ModelKind, Prediction, TrainInput } from "../../../src/models/kind.ts";
import { changeEpisodes, type EpisodeChange, saveFeedback } from "../../../src/store/anomalies/episodes.ts";
import { appendScores } from "../../../src/store/anomalies/scores.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { claimJob, submitJobs } from "../../../src/store/jobs/jobs.ts";
import { loadJob } from "../../../src/store/jobs/rows.ts";
import { createModel } from "../../../src/store/models.ts";
import { finishTraining, listVersions, type NewVersion } from "../../../src/store/versions.ts";
import { useStore } from "../../store/temporary.ts";
import { aggregatePoints } from "../../support/aggregate-points.ts";
import { aModel } from "../../support/builders.ts";

const MINUTE = 60_000;
const HISTORY = 3;
/** More than evaluations read. */
const FORECAST_HISTORY = 7;
const NOW = 100 * MINUTE + 30_000;
const settings = aModel({
  default_bucket: "in",
  features: [{ name: "load", metric: "avg", field: "value", match_all: [{ tag: "host", value: "a" }] }],
});

const store = useStore();
/** What was to be kept of the past. */
let recorded: PastInput[];
let written: { bucket: string; points: readonly Point[] }[];
let points: Point[];
let seen: { train?: TrainInput; grid?: Grid };
/** What the bucket knows of its metrics. */
let stated: readonly MetricMetadata[];
/** Numbers of the error that a training fails with. */
let shortage: { found: number; needed: number } | undefined;

/** One point per minute whose value is its minute, of host a, from minute 0 to 99. */
beforeEach(() => {
  written = [];
  recorded = [];
  seen = {};
  shortage = undefined;
  stated = [];
  points = Array.from({ length: 100 }, (_, i) => ({
    at: i * MINUTE,
    fields: { value: i },
    tags: { host: "a" },
  }));
});

function openBucket(name: string): Promise<Bucket> {
  const bucket: Bucket = {
    read: (query, signal) => aggregatePoints(query, points, signal),
    close: () => {},
    listMetadata: async () => stated,
    write: async (list, { onExpired }) => {
      written.push({ bucket: name, points: list });
      if (name === "brief") onExpired?.(list.length - 1);
    },
  };
  if (name !== "readonly") return Promise.resolve(bucket);
  const { write: _, ...readOnly } = bucket;
  return Promise.resolve(readOnly);
}

function predictionOf(grid: Grid): Prediction {
  const column = (value: number) => ({
    load: Float64Array.from({ length: grid.length }, (_, i) => value + i),
  });
  return { grid: { ...grid, columns: {} }, predicted: column(100), lower: column(99), upper: column(101) };
}

const donut: ModelKind = {
  fleet: createDonut().fleet,
  historyOf: () => HISTORY,
  forecastHistoryOf: () => FORECAST_HISTORY,
  exportNetwork: () => new Uint8Array(),
  checkVersion: () => {},
  tryVersion: async () => {},
  train: async (input) => {
    seen.train = input;
    if (shortage) throw new TorusError("too_little_data", "too little data", shortage);
    return { weights: new Float32Array([1]), parameters: {}, summary: { loss: 1 } };
  },
  evaluate: async (_, { grid }): Promise<Evaluation> => {
    seen.grid = grid;
    const cut = { ...grid, startAt: grid.startAt + HISTORY * MINUTE, length: grid.length - HISTORY };
    const scores = Array.from({ length: cut.length }, (_, i) => ({
      score: i === 1 ? 90 : 12,
      features: { load: { type: "high" as const, score: i === 1 ? 90 : 12 } },
      mse: 0.5,
      nll: 1,
    }));
    return { ...predictionOf(cut), scores, rejected: {} };
  },
  forecast: async (_, { history, horizon, levels }) => {
    seen.grid = history;
    const startAt = history.startAt + history.length * MINUTE;
    const prediction = predictionOf({ ...history, startAt, length: horizon });
    const bands = levels.map((level) => ({
      lower: { load: prediction.predicted.load!.map((value) => value - 10 * level) },
      upper: { load: prediction.predicted.load!.map((value) => value + 20 * level) },
    }));
    return { ...prediction, bands };
  },
};

const signal = new AbortController().signal;
const context = { signal, onProgress: () => {} };

function handlers() {
  return createHandlers(deps());
}

/** Runs the handler of a job. */
async function run(type: "forecast" | "prediction" | "read" | "training" | "write", input: object) {
  const job = { id: "j", type, model: "m", input, attempt: 1 };
  return (await handlers()[type](job as never, context)) as { readonly result: unknown };
}

function deps(): HandlerDeps {
  return {
    store,
    clock: { now: () => NOW },
    kind: donut,
    quickTrainer: donut,
    compute: {} as Compute,
    openBucket,
    recordPast: async (past) => {
      recorded.push(past);
      return 2;
    },
    versionsKept: 2,
  };
}

/** A model with one version, "00". */
async function trainModel(toAt = 50 * MINUTE): Promise<void> {
  await createModel(store, { name: "m", settings }, 0);
  await submitJobs(store, [{ id: "t", type: "training", model: "m", input: {} }], { at: 0, maxWaiting: 9 });
  await claimJob(store, ["training"], { owner: "me", at: 0 });
  const version = {
    model: "m",
    settings,
    fromAt: 0,
    toAt,
    weights: new Float32Array([1]),
    parameters: {},
    summary: {},
  };
  await finishTraining(store, { id: "t", owner: "me", at: 0 }, version);
}

const base = { model: "m", settings, version: "00", bucket: "in" };

async function forecastOf(over: Partial<ForecastJob>) {
  await trainModel();
  const input: ForecastJob = {
    ...base,
    range: { fromAt: 50 * MINUTE, toAt: 53 * MINUTE },
    level: 0.68,
    levels: [],
    ...over,
  };
  const outcome = await run("forecast", input);
  return outcome.result as PredictionView & Record<string, unknown>;
}

async function evaluationOf(over: Partial<PredictJob>, trainedTo?: number) {
  await trainModel(trainedTo);
  return evaluate(over);
}

/** Evaluates the trained model. */
async function evaluate(over: Partial<PredictJob>) {
  const range = { fromAt: 50 * MINUTE, toAt: 53 * MINUTE };
  const input: PredictJob = { ...base, range, detectAnomalies: true, ...over };
  const outcome = await run("prediction", input);
  return outcome.result as PredictionView;
}

async function train(range: TrainJob["range"], own = settings): Promise<NewVersion> {
  return trainVersion(deps(), trainingOf(range, own), context);
}

function trainingOf(range: TrainJob["range"], own = settings): TrainJob {
  return { model: "m", settings: own, bucket: "in", range, overrides: { maxEvals: 3 } };
}

test("an evaluation shows the steps to another level in its range", async () => {
  const { evaluate } = donut;
  const stepAt = (minute: number) => ({
    feature: "load",
    at: minute * MINUTE,
    sinceAt: (minute - 1) * MINUTE,
    from: 5,
    to: 9,
  });
  donut.evaluate = async (...args) => ({
    ...(await evaluate(...args)),
    levelShifts: [stepAt(40), stepAt(51)],
  });
  const { level_shifts } = await evaluationOf({});
  donut.evaluate = evaluate;
  expect(level_shifts).toEqual([{ feature: "load", timestamp: 3060, since: 3000, from: 5, to: 9 }]);
});

test("a training commits its version with the end of the job, and removes surplus ones", async () => {
  await createModel(store, { name: "m", settings }, 0);
  const input = trainingOf({ fromAt: 0, toAt: 20 * MINUTE });
  for (const id of ["a", "b", "c"]) {
    await submitJobs(store, [{ id, type: "training", model: "m", input }], { at: 0, maxWaiting: 9 });
    await claimJob(store, ["training"], { owner: "me", at: 0 });
    const outcome = await handlers().training(
      { id, type: "training", model: "m", input, attempt: 1 },
      context,
    );
    expect(await outcome.commit({ id, owner: "other", at: 1 })).toBe(false);
    expect(await outcome.commit({ id, owner: "me", at: 1 })).toBe(true);
    expect((await loadJob(store, id)).state).toBe("done");
  }
  const versions = await listVersions(store, "m");
  expect(versions.map(({ name, active }) => [name, active])).toEqual([
    ["01", false],
    ["02", true],
  ]);
});

test("a training keeps the units that the source states", async () => {
  stated = [{ name: "value", type: "gauge", help: "", unit: "By" }];
  await createModel(store, { name: "m", settings }, 0);
  const input = trainingOf({ fromAt: 0, toAt: 20 * MINUTE });
  await submitJobs(store, [{ id: "a", type: "training", model: "m", input }], { at: 0, maxWaiting: 9 });
  await claimJob(store, ["training"], { owner: "me", at: 0 });
  const outcome = await handlers().training(
    { id: "a", type: "training", model: "m", input, attempt: 1 },
    context,
  );
  await outcome.commit({ id: "a", owner: "me", at: 1 });
  const [version] = await listVersions(store, "m");
  expect(version!.summary).toEqual({ loss: 1, source_units: { load: "B" } });
});

test("a training gets the anomalies in its range with their feedback", async () => {
  await createModel(store, { name: "m", settings }, 9 * MINUTE);
  const report = { type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 } as const;
  const features = { load: report };
  const rest = { model: "m", peakScore: 80, features, peak: features, severity: null };
  // The first from an earlier model of this name, the last from after the range.
  const found: [string, number, number][] = [
    ["earlier", 4, 5],
    ["open", 11, 13],
    ["false", 15, 16],
    ["true", 17, 18],
    ["later", 25, 26],
  ];
  const changes = found.flatMap(([id, from, to]): EpisodeChange[] => [
    { change: "open", episode: { ...rest, id, startAt: from * MINUTE } },
    { change: "close", id, endAt: to * MINUTE },
  ]);
  await write(store, (tx) => changeEpisodes(tx, changes));
  for (const anomaly of [true, false])
    await saveFeedback(store, { model: "m", id: String(anomaly) }, { anomaly, at: NOW });
  await train({ fromAt: 0, toAt: 20 * MINUTE });
  const rangeOf = (from: number, to: number) => ({ fromAt: from * MINUTE, toAt: to * MINUTE });
  expect(seen.train).toMatchObject({ excluded: [rangeOf(17, 18), rangeOf(11, 13)] });
  expect(seen.train!.tolerated).toEqual([{ ...rangeOf(15, 16), features: ["load"] }]);
});

test("a training reads whole intervals, one column per feature", async () => {
  const range = await train({ fromAt: 10 * MINUTE + 5, toAt: 20 * MINUTE - 5 });
  expect(range).toMatchObject({ fromAt: 10 * MINUTE, toAt: 20 * MINUTE });
  expect(Array.from(seen.train!.grid.columns.load!)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect(seen.train!.overrides).toEqual({ maxEvals: 3 });
});

test("a training up to now leaves out the interval that is still filling up", async () => {
  const range = await train({ fromAt: 90 * MINUTE, toAt: NOW });
  expect(range.toAt).toBe(100 * MINUTE);
});

test("a training range longer than the data is trimmed to the first and last point", async () => {
  points = points.filter(({ at }) => at >= 90 * MINUTE && at < 95 * MINUTE);
  const range = await train({ fromAt: 0, toAt: NOW });
  expect(range).toMatchObject({ fromAt: 90 * MINUTE, toAt: 95 * MINUTE });
  expect(Array.from(seen.train!.grid.columns.load!)).toEqual([90, 91, 92, 93, 94]);
});

const feature = settings.features[0]!;
test.each([
  ["a value", feature],
  ["a count", { ...feature, metric: "count" }],
  ["a default", { ...feature, default: 0 }],
])("a training on no point fails, also with %s in empty intervals", async (_, own) => {
  points = [];
  const failure = train({ fromAt: 0, toAt: 20 * MINUTE }, { ...settings, features: [own] });
  await expect(failure).rejects.toMatchObject({ code: "no_data" });
  await expect(failure).rejects.toThrow(
    "no data found for time range 1970-01-01T00:00:00.000Z to 1970-01-01T00:20:00.000Z: check the bucket",
  );
});

test("a training with too few points reports when there will be enough", async () => {
  shortage = { found: 12, needed: 16 };
  points = points.filter(({ at }) => at >= 88 * MINUTE);
  await expect(train({ fromAt: 0, toAt: NOW })).rejects.toThrow("enough at 1970-01-01T01:45:00.000Z");
});

test("a forecast reads only points before its range, and shows the observed values", async () => {
  const result = await forecastOf({});
  expect(Array.from(seen.grid!.columns.load!)).toEqual([43, 44, 45, 46, 47, 48, 49]);
  expect(result.timestamps).toEqual([3000, 3060, 3120]);
  expect(result.observed).toEqual({ load: [50, 51, 52] });
  expect(result.predicted).toEqual({
    load: [100, 101, 102],
    lower_load: [99, 100, 101],
    upper_load: [101, 102, 103],
  });
});

test("forecasts and evaluations name the units in force", async () => {
  const features = settings.features.map((feature) => ({ ...feature, unit: "ms" }));
  const own = { settings: { ...settings, features } };
  expect((await forecastOf(own)).units).toEqual({ load: "ms" });
  expect((await evaluate(own)).units).toEqual({ load: "ms" });
  expect(await evaluate({})).not.toHaveProperty("units");
});

test("a forecast covers floor(from) to ceil(to)", async () => {
  const result = await forecastOf({ range: { fromAt: 50 * MINUTE + 1, toAt: 51 * MINUTE + 1 } });
  expect(result.timestamps).toEqual([3000, 3060]);
});

test("observed is null where nothing came yet", async () => {
  const result = await forecastOf({ range: { fromAt: 99 * MINUTE, toAt: 101 * MINUTE } });
  expect(result.observed).toEqual({ load: [99, null] });
});

test("a forecast without any history names the empty range", async () => {
  points = [];
  const failure = forecastOf({});
  await expect(failure).rejects.toMatchObject({ code: "no_data" });
  await expect(failure).rejects.toThrow(
    "no data found for time range 1970-01-01T00:43:00.000Z to 1970-01-01T00:50:00.000Z",
  );
});

test("an evaluation of a range without data is refused", async () => {
  const range = { fromAt: 200 * MINUTE, toAt: 203 * MINUTE };
  const failure = evaluationOf({ range });
  await expect(failure).rejects.toMatchObject({ code: "no_data" });
  await expect(failure).rejects.toThrow(
    "no data found for time range 1970-01-01T03:20:00.000Z to 1970-01-01T03:23:00.000Z",
  );
});

test.each([
  0,
  "previous",
] as const)("an evaluation of a range where default %p stands in for data", async (fallback) => {
  const features = [{ ...settings.features[0]!, default: fallback }];
  const range = { fromAt: 101 * MINUTE, toAt: 103 * MINUTE };
  const { timestamps } = await evaluationOf({ range, settings: { ...settings, features } });
  expect(timestamps).toHaveLength(2);
});

test("further levels have bands of their own around the same prediction", async () => {
  const { levels } = await forecastOf({ levels: [0.5, 0.995] });
  expect(levels).toEqual({
    "50": { lower_load: [95, 96, 97], upper_load: [110, 111, 112] },
    "99.5": { lower_load: [90.05, 91.05, 92.05], upper_load: [119.9, 120.9, 121.9] },
  });
});

test.each([
  ["high", 100.5, "1970-01-01T00:51:00.000Z"],
  ["low", 100.5, "1970-01-01T00:50:00.000Z"],
  ["high", 500, null],
] as const)("a constraint %s:%p is first broken at %p", async (type, threshold, first_date) => {
  const result = await forecastOf({ constraint: { feature: "load", type, threshold } });
  expect(result.constraint).toMatchObject({ feature: "load", type, threshold, first_date });
});

test.each([
  ["high", 100.5, 50, 52],
  ["high", 102.5, 52, null],
  ["high", 500, null, null],
  ["low", 99.5, 50, null],
  ["low", 500, 50, 50],
] as const)("the band breaks %s:%p from minute %p to %p", async (type, threshold, from, to) => {
  const result = await forecastOf({ constraint: { feature: "load", type, threshold } });
  const dateOf = (minute: number | null) => minute && new Date(minute * MINUTE).toISOString();
  expect(result.constraint).toMatchObject({
    first_date_range: { earliest: dateOf(from), latest: dateOf(to) },
  });
});

test("an evaluation reads the history before its range and answers for the range alone", async () => {
  const result = await evaluationOf({});
  expect(Array.from(seen.grid!.columns.load!)).toEqual([47, 48, 49, 50, 51, 52]);
  expect(result.timestamps).toEqual([3000, 3060, 3120]);
  expect(result.observed).toEqual({ load: [50, 51, 52] });
  expect(result.stats!.map((stat) => stat.score)).toEqual([12, 90, 12]);
});

test("an evaluation warms up from the end of the training", async () => {
  const result = await evaluationOf({}, 45 * MINUTE);
  expect(Array.from(seen.grid!.columns.load!)).toEqual([42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52]);
  expect(result.timestamps).toEqual([3000, 3060, 3120]);
  expect(result.predicted.load).toEqual([105, 106, 107]);
  expect(result.stats!.map((stat) => stat.score)).toEqual([12, 12, 12]);
});

test.each([
  [50.5, [false, true, false]],
  [51, [false, false, false]],
])("a start only above %p: anomalies %p", async (above, expected) => {
  const [feature] = settings.features;
  const own = { ...settings, max_threshold: 70, features: [{ ...feature!, only_if: { above } }] };
  const { stats } = await evaluationOf({ settings: own });
  expect(stats!.map(({ anomaly }) => anomaly)).toEqual(expected);
});

/** What live detection recorded for minute 51 alone: expected 60, band 58 to 62, score 33. */
async function evaluateRecorded(over: Partial<PredictJob>) {
  const run = { version: "01", intervalMs: MINUTE, features: ["load"], startAt: 51 * MINUTE };
  await trainModel();
  const values = new Float32Array([60, 58, 62, 33]);
  await write(store, (tx) => appendScores(tx, { model: "m" }, { ...run, values }));
  return evaluate(over);
}

test("where live has been, an evaluation shows its scores, expected values and bands", async () => {
  const { predicted, stats, live_scores } = await evaluateRecorded({ showsLive: true });
  expect(predicted).toEqual({
    load: [100, 60, 102],
    lower_load: [99, 58, 101],
    upper_load: [101, 62, 103],
  });
  expect(stats!.map(({ score }) => score)).toEqual([12, 33, 12]);
  expect(live_scores).toEqual([{ from: 3060, to: 3120 }]);
});

test("bands of a confidence level are evaluated, not recorded", async () => {
  const { predicted, stats } = await evaluateRecorded({ showsLive: true, level: 0.9 });
  expect(predicted.upper_load).toEqual([101, 102, 103]);
  expect(stats!.map(({ score }) => score)).toEqual([12, 33, 12]);
});

test("without recorded scores an evaluation is its own", async () => {
  const { stats, live_scores } = await evaluateRecorded({});
  expect(stats!.map(({ score }) => score)).toEqual([12, 90, 12]);
  expect(live_scores).toBeUndefined();
});

test("without detection there are no stats", async () => {
  expect(await evaluationOf({ detectAnomalies: false })).not.toHaveProperty("stats");
});

test("saved output has fields and tags that dashboards can draw", async () => {
  await evaluationOf({ save: { bucket: "out" } });
  expect(written).toHaveLength(1);
  expect(written[0]!.bucket).toBe("out");
  expect(written[0]!.points[1]).toEqual({
    at: 51 * MINUTE,
    fields: { load: 101, lower_load: 100, upper_load: 102, "@load": 51, score: 90 },
    tags: { host: "a", model: "m", is_anomaly: "True" },
  });
});

test("a saved forecast has no score", async () => {
  await forecastOf({ save: { bucket: "out" } });
  expect(written[0]!.points[0]).toEqual({
    at: 50 * MINUTE,
    fields: { load: 100, lower_load: 99, upper_load: 101, "@load": 50 },
    tags: { host: "a", model: "m" },
  });
});

test("output into a read-only bucket is refused by name", async () => {
  await expect(evaluationOf({ save: { bucket: "readonly" } })).rejects.toThrow(
    "output_bucket: bucket readonly is read-only",
  );
});

test("a read answers null for gaps, 0 for the count of an empty interval", async () => {
  points = points.filter(({ at }) => at !== 51 * MINUTE);
  const features = ["avg", "count"].map((metric) => ({
    name: `${metric}_value`,
    metric,
    field: "value",
    tags: [],
  }));
  const range = { fromAt: 50 * MINUTE + 1, toAt: 52 * MINUTE + 1 };
  const input = { bucket: "in", range, intervalMs: MINUTE, features };
  const { result } = await run("read", input);
  expect(result).toEqual({
    timestamps: [3000, 3060, 3120],
    observed: { avg_value: [50, null, 52], count_value: [1, 0, 1] },
  });
});

test("a write hands the points to the bucket and answers null", async () => {
  const input = { bucket: "in", points: points.slice(0, 2) };
  const outcome = await run("write", input);
  expect(outcome).toEqual({ result: null });
  expect(written[0]!.points).toHaveLength(2);
});

test("a write reports how many points were older than the retention", async () => {
  const input = { bucket: "brief", points: points.slice(0, 3) };
  const outcome = await run("write", input);
  expect(outcome).toEqual({ result: { dropped: 2, reason: "older than the retention of the bucket" } });
});

test("an evaluation is not recorded by default", async () => {
  expect(await evaluationOf({})).not.toHaveProperty("recorded");
  expect(recorded).toEqual([]);
});

test("an evaluation is recorded on request", async () => {
  expect(await evaluationOf({ record: { hooks: true } })).toMatchObject({ recorded: 2 });
  expect(recorded).toMatchObject([{ model: "m", origin: "evaluation", hooks: true }]);
  expect(recorded[0]!.observed.length).toBe(recorded[0]!.evaluation.scores.length);
});

test("a feature may come from a bucket of its own", async () => {
  const feature = settings.features[0]!;
  const both = { ...settings, features: [feature, { ...feature, name: "other", bucket: "else" }] };
  const input: TrainJob = {
    model: "m",
    settings: both,
    bucket: "in",
    range: { fromAt: 0, toAt: 2 * MINUTE },
    overrides: {},
  };
  await run("training", input);
  expect(Object.keys(seen.train!.grid.columns)).toEqual(["load", "other"]);
});

test("an evaluation shows the anomalies that live detection recorded in its range", async () => {
  await trainModel();
  const features = {
    load: { type: "high" as const, score: 90, observed: 9, predicted: 1, lower: 0, upper: 2 },
  };
  const open = (id: string, minute: number): EpisodeChange => ({
    change: "open",
    episode: {
      ...{ id, model: "m", startAt: minute * MINUTE, peakScore: 90, features, peak: features },
      severity: "info",
    },
  });
  await write(store, (tx) =>
    changeEpisodes(tx, [
      open("before", 20),
      { change: "close", id: "before", endAt: 30 * MINUTE },
      open("within", 40),
      { change: "close", id: "within", endAt: 51 * MINUTE },
      open("lasting", 52),
      open("after", 60),
    ]),
  );
  const range = { fromAt: 50 * MINUTE, toAt: 53 * MINUTE };
  const evaluate = async (detectAnomalies: boolean) =>
    (await run("prediction", { ...base, range, detectAnomalies })).result as PredictionView;
  expect((await evaluate(true)).live).toEqual([
    { id: "within", start: 2400, end: 3060, peak_score: 90, features: { load: "high" } },
    { id: "lasting", start: 3120, end: null, peak_score: 90, features: { load: "high" } },
  ]);
  expect(await evaluate(false)).not.toHaveProperty("live");
});
