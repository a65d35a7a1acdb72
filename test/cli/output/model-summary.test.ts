// Summary of show-model: live state, failures, untrained models.
import { expect, test } from "bun:test";
import type { Model } from "../../../src/cli/client/views.ts";
import type { Context } from "../../../src/cli/command/command.ts";
import { summarizeModel } from "../../../src/cli/output/model-summary.ts";
import { timesIn } from "../../../src/cli/terminal/times.ts";

const context = { times: timesIn("Europe/Berlin"), colour: true } as unknown as Context;
const at = Date.UTC(2026, 0, 31, 12) / 1000;

const evaluations = Array.from({ length: 20 }, (_, i) => ({
  window: at - i * 60,
  timestamp: at - i * 60 + 10,
  outcome: i === 1 ? "no_data" : "ok",
  score: i === 1 ? null : 10 + i,
}));
const model = {
  settings: { name: "load" },
  state: {
    trained: true,
    loss: -0.4,
    span: 120,
    points: 8640,
    thresholds: { max: 84.66, min: 42, source: "mixed" },
  },
  live: {
    started: at - 3600,
    last_window: at,
    lag: 12,
    failures: 3,
    last_error: { message: "refused\nthe \x1b[31mconnection", timestamp: at },
    anomaly: { start: at - 300, score: 91.25, features: { user: {}, system: {} } },
    drift: { feature: "user", since: at - 86_400 },
    evaluations,
  },
};

test("a live model", () => {
  expect(summarizeModel(context, model as unknown as Model, { evaluations: 2 })).toEqual([
    "load is trained: 8640 points, span 120, loss -0.4",
    "thresholds: 84.7 starts an anomaly, 42.0 ends it (mixed)",
    "live since 2026-01-31 12:00:00 Europe/Berlin, last interval 2026-01-31 13:00:00 Europe/Berlin, lag 12 s",
    "an anomaly is ongoing since 2026-01-31 12:55:00 Europe/Berlin, score 91.3: user, system",
    "the data of user has changed since 2026-01-30 13:00:00 Europe/Berlin: retrain the model",
    "failed 3 times in a row, last at 2026-01-31 13:00:00 Europe/Berlin: refused the \ufffd[31mconnection",
    "",
    "INTERVAL (Europe/Berlin)  EVALUATED (Europe/Berlin)  OUTCOME  SCORE",
    "2026-01-31 13:00:00       2026-01-31 13:00:10        ok        10.0",
    "2026-01-31 12:59:00       2026-01-31 12:59:10        no data      -",
  ]);
});

test("false alarms", () => {
  const false_alarms = { asked: 0.998, seen: 1.25, judged_true: 0.25, judged_false: 0.5, weeks: 4 };
  const { live: _, ...rest } = model;
  const judged = { ...rest, state: { ...rest.state, false_alarms } };
  expect(summarizeModel(context, judged as unknown as Model, { evaluations: 0 })[2]).toBe(
    "anomalies: 1.25 a week in 4 weeks, 0.5 judged false; 0.998 expected of normal data",
  );
});

test("silence and watched forecasts", () => {
  const used = { feature: "used", type: "high", threshold: 95, made: at, active: false };
  const forecasts = [
    { ...used, first: at + 7200, earliest: at + 3600, latest: at + 10_800, active: true },
    { ...used, first: at + 7200, earliest: at + 3600 },
    { ...used, type: "low" },
    { ...used, error: "too few points" },
  ];
  const live = { started: at, failures: 0, lag: null, silence: { since: at - 600 }, forecasts };
  const silent = { settings: { name: "load" }, state: { trained: true }, live };
  const zone = "Europe/Berlin";
  expect(summarizeModel(context, silent as unknown as Model, { evaluations: 0 }).slice(2)).toEqual([
    `no points since 2026-01-31 12:50:00 ${zone}`,
    `used is forecast above 95 from 2026-01-31 15:00:00 ${zone} on (band: 2026-01-31 14:00:00 ${zone} to 2026-01-31 16:00:00 ${zone}); hooks were notified`,
    `used is forecast above 95 from 2026-01-31 15:00:00 ${zone} on (band: 2026-01-31 14:00:00 ${zone} to later than the forecast)`,
    "used is not forecast below 95",
    "the forecast of used above 95 failed: too few points",
  ]);
});

test("a model that learns while it is live", () => {
  const learning = { points: 12, needed: 30 };
  const live = { started: at, failures: 0, lag: null, learning };
  const young = { settings: { name: "load" }, state: { trained: false, confidence: "learning" }, live };
  const linesOf = (one: object) => summarizeModel(context, one as unknown as Model, { evaluations: 0 });
  expect(linesOf(young)[0]).toBe("load is learning: the first training starts at 30 points, 12 are there");
  const state = { trained: true, points: 30, confidence: "learning" };
  const grown = { ...young, state, live: { ...live, learning: { points: 41, needed: 60 } } };
  expect(linesOf(grown).slice(0, 2)).toEqual([
    "load is trained: 30 points, confidence learning",
    "still learning: the next training starts at 60 points, 41 are there",
  ]);
});

test("past failures are omitted", () => {
  const { live } = model;
  const calm = { ...model, live: { started: at, failures: 0, last_error: live.last_error, lag: null } };
  expect(summarizeModel(context, calm as unknown as Model, { evaluations: 10 }).join("\n")).not.toContain(
    "refused",
  );
});

test("an untrained model shows the error of its training", () => {
  const bare = { settings: { name: "bare" }, state: { trained: false }, training: { state: "failed" } };
  expect(
    summarizeModel(context, bare as unknown as Model, { evaluations: 10, trainingError: "no data found" }),
  ).toEqual([
    "bare is not trained: torus train-model bare --from DATE",
    "the last training failed: no data found",
    "not live",
  ]);
});

test("a retraining that did not take over", () => {
  const refused =
    "version 03: on the last 80 intervals its band of v is 3.0 times as wide as with version 02";
  const kept = { settings: { name: "load" }, state: { trained: true, refused } };
  const lines = summarizeModel(context, kept as unknown as Model, { evaluations: 0 });
  expect(lines).toContain(`not activated: ${refused}`);
});

test("a live fleet has numbers of series, and advice while some are not watched", () => {
  const counts = { watched: 40, new: 0, anomalous: 2, silent: 0, failed: 0, unwatched: 7 };
  const series = { ...counts, advice: "raise max_series above 42" };
  const fleet = { ...model, state: { ...model.state, series } };
  expect(summarizeModel(context, fleet as unknown as Model, { evaluations: 0 })).toContain(
    "series: 40 watched, 2 anomalous, 7 unwatched; raise max_series above 42",
  );
});
