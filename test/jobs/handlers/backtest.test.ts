// The backtest job with a bucket in memory and a model kind of known answers.
import { beforeEach, describe, expect, test } from "bun:test";
import type { Bucket } from "../../../src/buckets/kind.ts";
import type { JobProgress } from "../../../src/core/job.ts";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import type { Point } from "../../../src/core/series/query.ts";
import { backtestHandler } from "../../../src/jobs/handlers/backtest.ts";
import type { HandlerDeps } from "../../../src/jobs/queue/handler.ts";
import type { BacktestJob } from "../../../src/jobs/queue/input.ts";
import { advance } from "../../../src/live/episodes/episode-tracker.ts";
import { freshState } from "../../../src/live/state.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import type { Compute, Evaluation, ModelKind, TrainInput } from "../../../src/models/kind.ts";
import { rulesOf } from "../../../src/models/scoring/detect.ts";
import { reportsAt } from "../../../src/models/scoring/report.ts";
import { changeEpisodes, saveFeedback } from "../../../src/store/anomalies/episodes.ts";
import { insertLabel } from "../../../src/store/anomalies/labels.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { createModel } from "../../../src/store/models.ts";
import { useStore } from "../../store/temporary.ts";
import { aggregatePoints } from "../../support/aggregate-points.ts";
import { aModel } from "../../support/builders.ts";

const MINUTE = 60_000;
const HISTORY = 3;
const settings = aModel({
  max_threshold: 70,
  min_threshold: 50,
  features: [
    { name: "load", metric: "avg", field: "value" },
    { name: "hits", metric: "avg", field: "hits" },
  ],
});
/** Minutes 0 to 99; the value of a minute is its score, by default 10. */
const loud = new Map([
  [61, 80],
  [62, 90],
  [63, 60],
  [80, 75],
  [98, 100],
  [99, 60],
]);
const input: BacktestJob = {
  model: "m",
  settings,
  bucket: "in",
  trained: { fromAt: 0, toAt: 50 * MINUTE },
  evaluated: { fromAt: 50 * MINUTE, toAt: 100 * MINUTE },
  overrides: { maxEvals: 2, epochs: 3 },
  falseAlarmsPerWeek: 0.5,
  includeScores: false,
};

const store = useStore();
let points: Point[];
let opened: string[];
let seen: { train?: TrainInput; evaluate?: { grid: Grid; settings: ModelSettings } };
let lanes: string[];
let evaluation: Evaluation;

beforeEach(() => {
  points = Array.from({ length: 100 }, (_, i) => ({
    at: i * MINUTE,
    fields: { value: loud.get(i) ?? 10, hits: 1, label: i >= 62 && i < 64 ? 2 : 0 },
    tags: {},
  }));
  opened = [];
  seen = {};
  lanes = [];
});

function openBucket(name: string): Promise<Bucket> {
  opened.push(name);
  return Promise.resolve({
    read: (query, signal) => aggregatePoints(query, points, signal),
    close: () => {},
  });
}

const donut: ModelKind = {
  fleet: createDonut().fleet,
  historyOf: () => HISTORY,
  forecastHistoryOf: () => HISTORY,
  exportNetwork: () => new Uint8Array(),
  checkVersion: () => {},
  tryVersion: async () => {},
  forecast: () => Promise.reject(new Error("a backtest forecasts nothing")),
  train: async (given, { onProgress }) => {
    seen.train = given;
    onProgress({ eval: 1, max_evals: 2, fraction: 0.5 });
    return {
      weights: new Float32Array(1),
      parameters: {},
      summary: { loss: -0.5, span: 4, points: given.grid.length },
    };
  },
  evaluate: async (_, { grid, settings: own }, { compute, signal }) => {
    seen.evaluate = { grid, settings: own };
    await compute.run({ kind: "score" } as never, { lane: "prediction", signal });
    const length = grid.length - HISTORY;
    const values = Array.from(grid.columns.load!.slice(HISTORY));
    const column = (value: number) => ({
      load: new Float64Array(length).fill(value),
      hits: new Float64Array(length).fill(value),
    });
    evaluation = {
      grid: { ...grid, startAt: grid.startAt + HISTORY * MINUTE, length, columns: {} },
      predicted: column(12),
      lower: column(9),
      upper: column(15),
      scores: values.map((score) => ({
        score: Number.isNaN(score) ? undefined : score,
        features: Number.isNaN(score)
          ? {}
          : { load: { type: "high", score }, hits: { type: "low", score: 20 } },
        mse: null,
        nll: null,
      })),
      rejected: {},
    };
    return evaluation;
  },
};

interface Result {
  readonly episodes: {
    start: number;
    end: number | null;
    peak_score: number;
    severity: string;
    features: object;
    label?: boolean;
  }[];
  readonly alerts_per_week: { max_threshold: number; episodes: number; f1?: number }[];
  readonly [key: string]: unknown;
}

async function run(over: Partial<BacktestJob> = {}, onProgress: (progress: JobProgress) => void = () => {}) {
  const compute = {
    trainingLanes: 1,
    run: (_: unknown, { lane }: { lane: string }) => Promise.resolve(lanes.push(lane)),
  } as unknown as Compute;
  const deps = { store, kind: donut, compute, openBucket } as unknown as HandlerDeps;
  const job = { id: "j", type: "backtest", model: "m", input: { ...input, ...over }, attempt: 1 } as const;
  const context = { signal: new AbortController().signal, onProgress };
  return (await backtestHandler(deps)(job, context)).result as Result;
}

test("it trains on the first part alone, with the model's settings and the overrides of the request", async () => {
  await run();
  const { grid, settings: own, overrides } = seen.train!;
  expect([grid.startAt, grid.length]).toEqual([0, 50]);
  expect(own).toEqual(settings);
  expect(overrides).toEqual({ maxEvals: 2, epochs: 3 });
});

test("a share of the range is one of the points' extent, and labels before the split are left out", async () => {
  points = points.filter(({ at }) => at >= 60 * MINUTE);
  const labels = [62, 90].map((minute) => ({ fromAt: minute * MINUTE, toAt: (minute + 5) * MINUTE }));
  const result = await run({ trainShare: 0.5, labels });
  expect([seen.train!.grid.startAt, seen.train!.grid.length]).toEqual([60 * MINUTE, 20]);
  expect(result).toMatchObject({
    trained: { from: 3600, to: 4800 },
    evaluated: { from: 4800, to: 6000, points: 20 },
    labels: { count: 1 },
  });
});

test("a part to train on without points is named", async () => {
  points = points.filter(({ at }) => at >= 60 * MINUTE);
  await expect(run()).rejects.toThrow("the trained part: choose a later train_to");
});

test("it evaluates the rest, with the history before it, and never holds up live predictions", async () => {
  const result = await run();
  expect([seen.evaluate!.grid.startAt, seen.evaluate!.grid.length]).toEqual([47 * MINUTE, 53]);
  expect(lanes).toEqual(["training"]);
  expect(result).toMatchObject({
    trained: { from: 0, to: 3000, points: 50, span: 4, loss: -0.5 },
    evaluated: { from: 3000, to: 6000, points: 50, scored: 50 },
    thresholds: { max: 70, min: 50 },
  });
});

test("episodes have the features that took part, as they were at the start", async () => {
  const { episodes } = await run();
  const load = { type: "high", score: 80, observed: 80, predicted: 12, lower: 9, upper: 15, factor: 68 / 3 };
  expect(episodes[0]).toEqual({
    start: 61 * 60,
    end: 64 * 60,
    peak_score: 90,
    severity: "warning",
    features: { load },
  });
  expect(episodes.map(({ start, end, peak_score }) => [start / 60, end && end / 60, peak_score])).toEqual([
    [61, 64, 90],
    [80, 81, 75],
    [98, null, 100],
  ]);
});

test.each([
  ["without guards", {}, [61, 80, 98]],
  ["min_deviation", { min_deviation: { absolute: 70 } }, [62, 98]],
  ["only_if", { only_if: { above: 95 } }, [98]],
] as const)("episodes are those of live detection over the same scores: %s", async (_, guard, starts) => {
  const [load, hits] = settings.features;
  const own: ModelSettings = { ...settings, features: [{ ...load!, ...guard }, hits!] };
  const { episodes, alerts_per_week } = await run({ settings: own });
  expect(episodes.map(({ start }) => start / 60)).toEqual([...starts]);
  // The sweep holds back the same starts.
  const swept = alerts_per_week.find(({ max_threshold }) => max_threshold === 70);
  expect(swept).toMatchObject({ episodes: starts.length });
  const observed = {
    columns: {
      load: seen.evaluate!.grid.columns.load!.subarray(HISTORY),
      hits: new Float64Array(50).fill(1),
    },
  };
  const scored = evaluation.scores.map(({ score }, i) => ({
    at: (50 + i) * MINUTE,
    score,
    features: reportsAt(evaluation, observed, i),
  }));
  const context = {
    model: "m",
    rules: rulesOf(own),
    mutedUntil: () => undefined,
    newId: () => crypto.randomUUID(),
  };
  const { episodes: changes } = advance(freshState("r"), scored, context);
  const open = changes.flatMap((change) => (change.change === "open" ? [change.episode] : []));
  const close = changes.flatMap((change) => (change.change === "close" ? [change.endAt / 1000] : []));
  expect(episodes.map(({ start, features }) => [start, features])).toEqual(
    open.map(({ startAt, features }) => [startAt / 1000, features]),
  );
  expect(episodes.flatMap(({ end }) => (end === null ? [] : [end]))).toEqual(close);
});

test("gaps are no scores", async () => {
  points = points.filter(({ at }) => at !== 62 * MINUTE && at !== 63 * MINUTE);
  const { evaluated, episodes } = await run();
  expect(evaluated).toMatchObject({ points: 50, scored: 48 });
  expect(episodes[0]).toMatchObject({ start: 61 * 60, end: 64 * 60, peak_score: 80 });
});

test("given labels judge episodes and thresholds", async () => {
  const labels = [60, 90].map((minute) => ({ fromAt: minute * MINUTE, toAt: (minute + 5) * MINUTE }));
  const result = await run({ labels });
  expect(result.episodes.map(({ label }) => label)).toEqual([true, false, false]);
  expect(result.labels).toEqual({
    source: "given",
    count: 2,
    found: 1,
    missed: [{ from: 90 * 60, to: 95 * 60 }],
    precision: 1 / 3,
    recall: 1 / 2,
    f1: 0.4,
    delay_seconds_median: 60,
  });
  const rows = Object.fromEntries(result.alerts_per_week.map(({ max_threshold, f1 }) => [max_threshold, f1]));
  expect([rows[70], rows[75], rows[80], rows[95]]).toEqual([0.4, 0.5, 0.5, 0]);
  expect(result.best).toEqual({ max_threshold: 85, min_threshold: 60.7, f1: 0.5 });
});

test("labels can be read from a field that is not 0", async () => {
  const result = await run({ labels: { bucket: "marks", field: "label" } });
  expect(opened).toEqual(["in", "marks"]);
  expect(result.labels).toMatchObject({ count: 1, found: 1, recall: 1, delay_seconds_median: 0 });
  points = points.map((point) => ({
    ...point,
    fields: { ...point.fields, label: -Number(point.fields.label) },
  }));
  expect((await run({ labels: { bucket: "in", field: "label" } })).labels).toMatchObject({ count: 1 });
  points = points.map((point) => ({ ...point, fields: { ...point.fields, label: 0 } }));
  expect((await run({ labels: { bucket: "in", field: "label" } })).labels).toEqual({
    source: "given",
    count: 0,
    found: 0,
    missed: [],
    precision: 0,
  });
});

test("a wrong label field is reported before anything is trained", async () => {
  const failure = run({ labels: { bucket: "in", field: "lable" } });
  await expect(failure).rejects.toThrow("in field lable of bucket in: check label_bucket, label_field");
  await expect(failure).rejects.toMatchObject({ code: "no_data" });
  expect(seen.train).toBeUndefined();
});

test("without data in the evaluated part nothing is trained", async () => {
  points = points.slice(0, 50);
  await expect(run()).rejects.toThrow(
    "no data found for time range 1970-01-01T00:50:00.000Z to 1970-01-01T01:40:00.000Z, the evaluated part",
  );
  expect(seen.train).toBeUndefined();
});

test("scores come along where they are wanted", async () => {
  expect(await run()).not.toHaveProperty("scores");
  points = points.filter(({ at }) => at !== 51 * MINUTE);
  const { scores } = (await run({ includeScores: true })) as unknown as {
    scores: { timestamps: number[]; score: (number | null)[] };
  };
  expect(scores.timestamps).toHaveLength(50);
  expect(scores.timestamps.slice(0, 2)).toEqual([3000, 3060]);
  expect(scores.score.slice(0, 3)).toEqual([10, null, 10]);
});

test("a suggestion needs a range in which a false alarm is expected", async () => {
  expect(await run()).not.toHaveProperty("suggestion");
  const { suggestion } = await run({ falseAlarmsPerWeek: 300 });
  expect(suggestion).toEqual({
    max_threshold: 90,
    min_threshold: 64.3,
    false_alarms_per_week: 1 / (50 / 10_080),
    expected_false_alarms: 300,
  } as never);
});

test("of very many episodes the strongest are shown, in order of time", async () => {
  const minutes = 3000;
  points = Array.from({ length: minutes }, (_, i) => ({
    at: i * MINUTE,
    fields: { value: i % 2 === 0 ? 71 + (i / minutes) * 20 : 0, hits: 1 },
    tags: {},
  }));
  const evaluated = { fromAt: 50 * MINUTE, toAt: minutes * MINUTE };
  const result = await run({ evaluated });
  expect(result.episodes).toHaveLength(1000);
  expect(result.episodes_omitted).toBe(475);
  const starts = result.episodes.map(({ start }) => start);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  expect(starts[0]).toBe((50 + 475 * 2) * 60);
});

describe("feedback on the anomalies of live detection", () => {
  /** [from, to) in minutes, and what was said of it. */
  type Found = readonly [from: number, to: number | null, anomaly?: boolean];

  async function find(...list: Found[]) {
    await createModel(store, { name: "m", settings }, 0);
    const report = { type: "high", score: 90, observed: 90, predicted: 10, lower: 5, upper: 15 } as const;
    for (const [i, [from, to, anomaly]] of list.entries()) {
      const id = `e${i}`;
      const features = { load: report };
      const episode = {
        id,
        model: "m",
        startAt: from * MINUTE,
        peakScore: 90,
        features,
        peak: features,
        severity: null,
      };
      await write(store, (tx) => changeEpisodes(tx, [{ change: "open", episode }]));
      const close = { change: "close", id, endAt: (to ?? 0) * MINUTE } as const;
      if (to !== null) await write(store, (tx) => changeEpisodes(tx, [close]));
      if (anomaly !== undefined) await saveFeedback(store, { model: "m", id }, { anomaly, at: 99 * MINUTE });
    }
  }
  const range = (from: number, to: number) => ({ fromAt: from * MINUTE, toAt: to * MINUTE });

  test("is heeded by the training before the split, and unknown to it after the split", async () => {
    await find([10, 12, true], [20, 22, false], [30, 31], [47, 55, true], [61, 64, true], [80, 81, false]);
    const result = await run();
    const { excluded, tolerated } = seen.train!;
    expect(excluded).toEqual([range(10, 12), range(47, 50), range(30, 31)]);
    expect(tolerated).toEqual([{ ...range(20, 22), features: ["load"] }]);
    expect(result.trained).toMatchObject({ feedback: { excluded: 3, tolerated: 1 } });
  });

  test("labels the evaluated part if the request has no labels; anomalies without feedback are ignored", async () => {
    await find([61, 64, true], [70, 72, true], [80, 81, false], [85, 86, false], [98, null]);
    const result = await run();
    expect(result.episodes.map(({ label }) => label)).toEqual([true, false, undefined]);
    expect(result.labels).toEqual({
      source: "feedback",
      count: 2,
      found: 1,
      missed: [{ from: 70 * 60, to: 72 * 60 }],
      precision: 0.5,
      recall: 0.5,
      f1: 0.5,
      delay_seconds_median: 0,
      false_alarms: { count: 2, raised: 1 },
      unjudged: 1,
    });
  });

  test("is joined by labels of the model: excluded, tolerated, and the truth after the split", async () => {
    await find([30, 31, true]);
    const list = [
      { ...range(10, 12), anomaly: true },
      { ...range(20, 22), anomaly: false },
      { ...range(61, 64), anomaly: true },
      { ...range(80, 81), anomaly: false },
    ];
    for (const [i, label] of list.entries())
      await insertLabel(store, { ...label, id: `l${i}`, model: "m", at: 99 * MINUTE });
    const result = await run();
    const { excluded, tolerated } = seen.train!;
    expect(excluded).toEqual([range(30, 31), range(10, 12)]);
    expect(tolerated).toEqual([{ ...range(20, 22), features: ["load", "hits"] }]);
    expect(result.labels).toMatchObject({
      source: "feedback",
      count: 1,
      found: 1,
      recall: 1,
      precision: 0.5,
    });
  });

  test("gives way to labels of the request", async () => {
    await find([80, 81, false]);
    const { labels } = await run({ labels: [range(80, 81)] });
    expect(labels).toMatchObject({ source: "given", count: 1, found: 1, precision: 1 / 3 });
    expect(labels).not.toHaveProperty("false_alarms");
  });

  test("may be false alarms alone: there is no recall then", async () => {
    await find([80, 81, false]);
    const { labels } = await run();
    expect(labels).toMatchObject({ source: "feedback", count: 0, precision: 0 });
    expect(labels).not.toHaveProperty("recall");
  });

  test("is absent without feedback, and for an earlier model of the name", async () => {
    await find([61, 64]);
    expect(await run()).not.toHaveProperty("labels");
    expect((await run()).trained).not.toHaveProperty("feedback");
  });
});

test("progress leaves room for the evaluation", async () => {
  const reports: JobProgress[] = [];
  await run({}, (report) => reports.push(report));
  expect(reports).toEqual([{ eval: 1, max_evals: 2, fraction: 0.45 }]);
});
