// Detections and forecasts of a posted series: accepted bodies, defaults, refusals.
import { describe, expect, test } from "bun:test";
import { runDetection, runForecast } from "../../../src/jobs/handlers/series.ts";
import type { DetectJob, SeriesForecastJob } from "../../../src/jobs/queue/input.ts";
import type { Submission } from "../../../src/jobs/queue/queue.ts";
import { Detections } from "../../../src/resources/detections/index.ts";
import { limits } from "../world.ts";

const HOUR = 3_600_000;
const startAt = Date.UTC(2026, 0, 1);
const { signal } = new AbortController();
/** Jobs submitted, oldest first. */
const jobs: Submission[] = [];
const submit = async (...list: Submission[]) => list.map((job) => `job ${jobs.push(job)}`);
const detections = new Detections({ limits, clock: { now: () => startAt }, queue: { submit } });

interface Point {
  timestamp?: unknown;
  value?: unknown;
}

/** A wave of 12 hours, with a spike at 37. */
const valueAt = (i: number) => 20 + 5 * Math.sin((2 * Math.PI * i) / 12) + (i % 5) / 10 + (i === 37 ? 30 : 0);
const hours = (count = 96): Point[] =>
  Array.from({ length: count }, (_, i) => ({
    timestamp: new Date(startAt + i * HOUR).toISOString(),
    value: valueAt(i),
  }));
const changed = (index: number, change: Point) =>
  hours().map((point, i) => (i === index ? { ...point, ...change } : point));

// Answers are one of several views; tests look at them as clients do.
type Answer = Readonly<Record<string, unknown>>;
const answerOf = (work: object) => (work as { answer: Answer }).answer;
const detect = async (body: unknown) => answerOf(await detections.detect(body, { signal }));
const predict = async (body: unknown) => answerOf(await detections.predict(body, { signal }));

function indicesOf(flags: unknown): number[] {
  const list = flags as readonly unknown[];
  return [...list.keys()].filter((i) => list[i]);
}

describe("an entire series", () => {
  const lists = [
    "expectedValues",
    "upperMargins",
    "lowerMargins",
    "isAnomaly",
    "isPositiveAnomaly",
    "isNegativeAnomaly",
    "severity",
    "scores",
  ];

  test("is answered point by point", async () => {
    const answer = await detect({ series: hours() });
    expect(Object.keys(answer).sort()).toEqual([...lists, "missing", "period", "runs"].sort());
    for (const list of lists) expect(answer[list]).toHaveLength(96);
    expect(answer).toMatchObject({ period: 12, missing: 0 });
    expect(indicesOf(answer.isAnomaly)).toEqual([37]);
    expect(indicesOf(answer.isPositiveAnomaly)).toEqual([37]);
    expect(indicesOf(answer.isNegativeAnomaly)).toEqual([]);
    expect(indicesOf(answer.severity)).toEqual([37]);
    expect(answer.runs).toEqual([]);
  });

  test("has what is stuck, in either mode; a request for one direction has it in neither", async () => {
    // Points left out are counted in no index.
    const series = hours().map((point, i) => (i >= 60 && i < 84 ? { ...point, value: 21 } : point));
    series.splice(70, 4);
    const run = { first: 60, last: 79, at: "value", usual: 1 };
    const answer = await detect({ series });
    expect(answer.runs).toEqual([run]);
    expect(indicesOf(answer.isAnomaly)).toEqual([37, ...Array.from({ length: 19 }, (_, k) => 61 + k)]);
    const last = { series: series.slice(0, 80), mode: "last" };
    expect(await detect(last)).toMatchObject({ isAnomaly: true, severity: 0.95, run });
    expect(await detect({ ...last, series: series.slice(0, 62) })).not.toHaveProperty("run");
    for (const anomaly_type of ["low", "high"]) {
      expect((await detect({ series, anomaly_type })).runs).toEqual([]);
      expect(await detect({ ...last, anomaly_type })).not.toHaveProperty("run");
    }
  });

  test("the first weekend of an office is no run, as the interval tells the days", async () => {
    const isOpen = (i: number) => i % 12 >= 4 && i % 12 < 9 && (i < 12 * 12 || i >= 15 * 12);
    const values = Array.from({ length: 16 * 12 }, (_, i) => (isOpen(i) ? 50 + (i % 7) : 0));
    const series = values.map((value, i) => ({ timestamp: (startAt + 2 * i * HOUR) / 1000, value }));
    expect((await detect({ series })).runs).toEqual([]);
    const undated = values.map((value) => ({ value }));
    expect((await detect({ series: undated })).runs).toMatchObject([{ at: "level", usual: 7 }]);
  });

  const same: [string, object][] = [
    ["a granularity", { granularity: "hourly" }],
    ["a granularity and how many", { granularity: "minutely", customInterval: 60 }],
    ["an interval", { bucket_interval: "1h" }],
    ["an interval in seconds", { bucket_interval: 3600 }],
    ["an interval that is found out", { bucket_interval: "auto" }],
    ["its period", { period: 12 }],
    ["nothing where something may stand", { period: null, sensitivity: null, granularity: null }],
    ["the mode", { mode: "entire" }],
    ["the detector", { detector: "companions" }],
    [
      "the defaults",
      { sensitivity: 95, maxAnomalyRatio: 0.25, imputeMode: "auto", anomaly_type: "low_high" },
    ],
    ["evenly spaced points", { granularity: "none" }],
  ];
  test.each(same)("means the same with %s", async (_name, options) => {
    expect(await detect({ series: hours(), ...options })).toEqual(await detect({ series: hours() }));
  });

  test("needs no timestamps, or has seconds for them", async () => {
    const answer = await detect({ series: hours() });
    expect(await detect({ series: hours().map(({ value }) => ({ value })) })).toEqual(answer);
    const seconds = hours().map(({ value }, i) => ({ timestamp: (startAt + i * HOUR) / 1000, value }));
    expect(await detect({ series: seconds })).toEqual(answer);
  });

  test.each([
    "auto",
    "previous",
    "linear",
    "zero",
    "notFill",
    "fixed",
  ])("with holes is answered for the points that are there: %s", async (imputeMode) => {
    const series = hours().filter((_, i) => i % 10 !== 5);
    const answer = await detect({ series, imputeMode, imputeFixedValue: 20 });
    expect(answer.missing).toBe(9);
    expect(answer.isAnomaly).toHaveLength(series.length);
    expect(indicesOf(answer.isAnomaly)).toContain(series.findIndex(({ value }) => value === valueAt(37)));
  });

  test.each([
    ["low", []],
    ["high", [37]],
  ])("in direction %s has the anomalies %p", async (anomaly_type, expected) => {
    const answer = await detect({ series: hours(), anomaly_type });
    expect(indicesOf(answer.isAnomaly)).toEqual(expected as number[]);
  });
});

describe("a job works on", () => {
  const options = { bucket_interval: "1h", period: 12 };

  test("a background job has all in its input, and its result is the answer", async () => {
    const body = { series: hours().filter((_, i) => i !== 50), ...options };
    expect(await detections.detect(body, { signal, background: true })).toEqual({
      jobId: `job ${jobs.length}`,
    });
    const { type, model, input } = jobs.at(-1)!;
    expect([type, model]).toEqual(["prediction", null]);
    const revived = JSON.parse(JSON.stringify(input)) as DetectJob;
    expect(await runDetection(revived, signal)).toEqual((await detect(body)) as never);
  });

  test("a forecast too", async () => {
    const body = { series: hours(), ...options, horizon: 3, level: [80] };
    await detections.predict(body, { signal, background: true });
    const { type, input } = jobs.at(-1)!;
    expect(type).toBe("forecast");
    const revived = JSON.parse(JSON.stringify(input)) as SeriesForecastJob;
    expect(await runForecast(revived, signal)).toEqual((await predict(body)) as never);
  });

  test("any request for a network", async () => {
    const { signal: own } = new AbortController();
    const asker = { signal: own };
    expect(await detections.detect({ series: hours(), detector: "ensemble" }, asker)).toHaveProperty("jobId");
    expect(jobs.at(-1)!.input).toMatchObject({ detector: "ensemble", mode: "entire" });
    expect(await detections.predict({ series: hours(), forecaster: "donut" }, asker)).toHaveProperty("jobId");
    expect(jobs.at(-1)!.input).toMatchObject({ forecaster: "donut", horizon: 12 });
  });

  test("a long series, without a request for a job", async () => {
    const large = new Detections({
      limits: { ...limits, pointsPerSeries: 50_000 },
      clock: { now: () => startAt },
      queue: { submit },
    });
    const series = Array.from({ length: 20_001 }, (_, i) => ({ value: valueAt(i) }));
    expect(await large.detect({ series, period: 12 }, { signal })).toHaveProperty("jobId");
    expect(await large.predict({ series, period: 12 }, { signal })).toHaveProperty("jobId");
  });

  test.each([
    ["detector", { detector: "ensemble" }],
    ["detector", { detector: "ensemble", mode: "last" }],
  ])("no network learns from few points: %s", async (option, options) => {
    const few = { series: hours(39), ...options };
    await expect(detections.detect(few, { signal })).rejects.toMatchObject({
      code: "too_little_data",
      message: expect.stringContaining(`at least 40 are needed: send more, or leave ${option} out`),
      details: { path: "series", found: 39, needed: 40 },
    });
  });
});

test("months are counted by the calendar", async () => {
  const series = Array.from({ length: 48 }, (_, i) => ({
    timestamp: new Date(Date.UTC(2020, i, 1)).toISOString(),
    value: valueAt(i),
  }));
  const answer = await detect({ series, granularity: "monthly" });
  expect(answer).toMatchObject({ period: 12, missing: 0 });
  expect(indicesOf(answer.isAnomaly)).toEqual([37]);
});

test.each([20, 25, 30])("a spike of %d does not hide the season of a short series", async (size) => {
  const series = Array.from({ length: 48 }, (_, i) => ({
    value: 20 + 5 * Math.sin((2 * Math.PI * i) / 12) + ((7 * i) % 5) / 2 + (i === 25 ? size : 0),
  }));
  const answer = await detect({ series });
  expect([answer.period, indicesOf(answer.isAnomaly)]).toEqual([12, [25]]);
});

test("the last point has one answer", async () => {
  const answer = await detect({ series: hours(38), mode: "last", granularity: "hourly", period: 12 });
  expect(answer).toMatchObject({
    period: 12,
    missing: 0,
    suggestedWindow: 49,
    isAnomaly: true,
    isPositiveAnomaly: true,
    isNegativeAnomaly: false,
  });
  for (const key of ["expectedValue", "upperMargin", "lowerMargin", "severity", "score"])
    expect(answer[key]).toBeNumber();
  const normal = await detect({ series: hours(37), mode: "last" });
  expect(normal).toMatchObject({ isAnomaly: false, severity: 0 });
});

describe("a forecast", () => {
  test("goes on for a period, at the instants that follow", async () => {
    const answer = await predict({ series: hours(36), period: 12 });
    expect(Object.keys(answer).sort()).toEqual(
      ["forecast_error", "lower", "missing", "period", "predicted", "timestamps", "upper"].sort(),
    );
    const instants = Array.from({ length: 12 }, (_, k) => (startAt + (36 + k) * HOUR) / 1000);
    expect(answer.timestamps).toEqual(instants);
    for (const list of ["predicted", "lower", "upper"]) expect(answer[list]).toHaveLength(12);
  });

  test("has a band per level", async () => {
    const body = { series: hours(36), period: 12, horizon: 3, p_val: 0.5, level: [80, 99.9] };
    const { lower, levels } = await predict(body);
    const bands = levels as Record<string, { lower: number[] }>;
    expect(Object.keys(bands)).toEqual(["80", "99.9"]);
    for (let i = 0; i < 3; i++) expect(bands["99.9"]!.lower[i]).toBeLessThan((lower as number[])[i]!);
  });

  test.each([
    ["without a period has 24 points", { series: hours(30), period: 0 }, 24],
    ["is as long as asked for", { series: hours(30), period: 0, horizon: 5 }, 5],
    ["may be seasonal", { series: hours(36), horizon: 5, forecaster: "seasonal" }, 5],
    ["may be smoothed", { series: hours(36), horizon: 5, forecaster: "holt-winters" }, 5],
  ])("%s", async (_name, body, length) => {
    expect((await predict(body)).predicted).toHaveLength(length);
  });

  test("is as long as it may be where the period is longer", async () => {
    const series = Array.from({ length: 200 }, (_, i) => ({ value: i % 60 }));
    expect((await predict({ series, period: 60, level: [80] })).predicted).toHaveLength(50);
  });

  test("does not reach beyond the years that dates have", async () => {
    const series = Array.from({ length: 20 }, (_, i) => ({ timestamp: `${2000 + i}-01-01`, value: i }));
    const body = { series, granularity: "yearly", customInterval: 1, horizon: 100 };
    expect((await predict(body)).timestamps).toHaveLength(100);
    const far = series.map(({ value }, i) => ({ timestamp: `${100 * i + 2000}-01-01`, value }));
    for (const options of [{ customInterval: 100 }, { customInterval: 100, horizon: 100 }])
      await expect(predict({ ...body, series: far, ...options })).rejects.toMatchObject({
        message: expect.stringContaining("beyond the year 9999"),
        details: { path: "horizon" },
      });
  });

  test("of points without timestamps has none", async () => {
    const series = hours(30).map(({ value }) => ({ value }));
    expect(await predict({ series })).not.toHaveProperty("timestamps");
  });

  test.each([
    ["horizon", { horizon: 51, level: [95] }, "at most 50, with 2 levels"],
    ["horizon", { horizon: 0 }, "whole number"],
    ["p_val", { p_val: 1 }, "between 0 and 1"],
    ["level.0", { level: [0.95] }, "from 1 to below 100"],
    ["forecaster", { forecaster: "vae" }, "auto, seasonal, holt-winters, donut"],
    ["sensitivity", { sensitivity: 90 }, "sensitivity is unknown"],
  ])("refuses a wrong %s: %p", async (path, options, text) => {
    await expect(predict({ series: hours(), ...options })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(text),
      details: { path },
    });
  });
});

describe("refuses", () => {
  const irregular = hours().map((point, i) => ({
    ...point,
    timestamp: new Date(startAt + i * HOUR + (i % 2) * 0.3 * HOUR).toISOString(),
  }));
  const far = changed(95, { timestamp: "2036-01-01T00:00:00Z" });
  const withOptions = (options: object) => ({ series: hours(), ...options });
  const at17 = (change: Point) => ({ series: changed(17, change) });
  const cases: [string, unknown, path: string, text: string, code?: string][] = [
    ["no body", null, "body", "JSON object"],
    ["a list", [1], "body", "JSON object"],
    ["no series", {}, "series", "is required"],
    ["a series that is a text", { series: "1,2" }, "series", "array of points"],
    ["too many points", { series: hours(201) }, "series", "has 201 points, at most 200", "too_large"],
    ["too long a time", { series: far }, "series", "at most 200 are allowed"],
    ["a point that is a number", { series: [...hours(), 5] }, "series.96", "must be an object"],
    ["a value that is none", at17({ value: null }), "series.17.value", "finite number"],
    ["a value that is a text", at17({ value: "5" }), "series.17.value", "finite number"],
    ["a value beyond measure", at17({ value: 1e300 }), "series.17.value", "between"],
    ["one point without a time", at17({ timestamp: null }), "series.17.timestamp", "is required"],
    ["a time that is none", at17({ timestamp: "soon" }), "series.17.timestamp", "must be a date"],
    [
      "the same time twice",
      at17({ timestamp: hours()[16]!.timestamp }),
      "series.17.timestamp",
      "is the same",
    ],
    ["unsorted points", at17({ timestamp: hours()[3]!.timestamp }), "series.17.timestamp", "sort the points"],
    ["another interval", withOptions({ granularity: "daily" }), "series.1.timestamp", "1 day"],
    ["uneven points", { series: irregular, bucket_interval: "1h" }, "series.1.timestamp", "% of the points"],
    [
      "no timestamps where they are needed",
      { series: hours().map(({ value }) => ({ value })), granularity: "daily" },
      "series.0.timestamp",
      "is required",
    ],
    ["an unknown key", withOptions({ sensitivty: 90 }), "sensitivty", "did you mean sensitivity?"],
    ["an unknown granularity", withOptions({ granularity: "dayly" }), "granularity", "daily"],
    [
      "two intervals",
      withOptions({ granularity: "hourly", bucket_interval: "1h" }),
      "bucket_interval",
      "choose one",
    ],
    ["how many of what", withOptions({ customInterval: 5 }), "customInterval", "needs a granularity"],
    ["no interval", withOptions({ bucket_interval: 0 }), "bucket_interval", "longer than 0"],
    ["an interval that is none", withOptions({ bucket_interval: "5x" }), "bucket_interval", "duration"],
    ["a period of one", withOptions({ period: 1 }), "period", "at least 2"],
    ["a period that is not seen twice", withOptions({ period: 49 }), "period", "at most 48"],
    ["a period that is a fraction", withOptions({ period: 2.5 }), "period", "whole number"],
    ["too high a sensitivity", withOptions({ sensitivity: 100 }), "sensitivity", "from 0 to 99"],
    ["too high a ratio", withOptions({ maxAnomalyRatio: 0.5 }), "maxAnomalyRatio", "below 0.5"],
    ["a ratio of nothing", withOptions({ maxAnomalyRatio: 0 }), "maxAnomalyRatio", "above 0"],
    ["an unknown way to impute", withOptions({ imputeMode: "mean" }), "imputeMode", "previous"],
    [
      "a fixed value that is not given",
      withOptions({ imputeMode: "fixed" }),
      "imputeFixedValue",
      "is required",
    ],
    ["an unknown mode", withOptions({ mode: "first" }), "mode", "entire, last"],
    ["an unknown detector", withOptions({ detector: "donut" }), "detector", "ensemble"],
    ["an unknown direction", withOptions({ anomaly_type: "up" }), "anomaly_type", "low_high"],
  ];
  test.each(cases)("%s", async (_name, body, path, text, code = "invalid") => {
    await expect(detect(body)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(text),
      details: { path },
    });
  });
});
