// Models for assistants: a live one in trouble, in a line and in full.
import { expect, test } from "bun:test";
import type { ModelView } from "../../../src/api/model.ts";
import { lineOfModel, showModel } from "../../../src/mcp/views/model.ts";

const error = { code: "bucket_unavailable", message: "no answer", timestamp: 120 };
const evaluation = {
  window: 120,
  timestamp: 121,
  duration: 0.123456,
  outcome: "ok",
  score: 99.987654,
} as const;
const view: ModelView = {
  settings: { name: "m", span: null, run: { detect_anomalies: true }, max_threshold: 99.98765432 },
  state: { trained: true, loss: 0.123456789 },
  live: {
    started: 0,
    last_window: 120,
    lag: 1.23456789,
    offset: 10,
    score: 99.987654,
    value: { start: 12.3456789 },
    missed: 0,
    failures: 2,
    last_error: error,
    silence: { since: 60 },
    silence_after: 300,
    drift: { feature: "start", since: 60, share: 0.5, advice: "retrain" },
    anomaly: { id: "a", start: 60, score: 98, peak_score: 99.987654, severity: "warning", features: {} },
    forecasts: [{ feature: "start", type: "high", threshold: 5, made: 60, first: 180, active: false }],
    evaluations: Array.from({ length: 8 }, () => evaluation),
  },
};
const anomaly = { id: "a", start: "1970-01-01T00:01:00Z", peak_score: 99.988, severity: "warning" };

test("a line has what needs attention", () => {
  expect(lineOfModel(view)).toEqual({
    name: "m",
    state: "anomaly",
    last_window: "1970-01-01T00:02:00Z",
    score: 99.988,
    anomaly,
    error: "no answer",
    silent_since: "1970-01-01T00:01:00Z",
  });
});

test("points that have stopped are a state", () => {
  const { anomaly: _, ...live } = { ...view.live!, failures: 0 };
  const { state, silent_since } = lineOfModel({ ...view, live });
  expect({ state, silent_since }).toEqual({ state: "no_data", silent_since: "1970-01-01T00:01:00Z" });
});

test("in full: settings as stored, instants as dates, names of features untouched, a few evaluations", () => {
  const { settings, training, live } = showModel(view) as Record<string, Record<string, unknown>>;
  expect(settings).toEqual({ name: "m", max_threshold: 99.98765432 });
  expect(training).toEqual({ trained: true, loss: 0.12346 });
  expect(live).toMatchObject({
    started: "1970-01-01T00:00:00Z",
    lag_s: 1.2346,
    observed: { start: 12.346 },
    last_error: { ...error, timestamp: "1970-01-01T00:02:00Z" },
    drift: { feature: "start", since: "1970-01-01T00:01:00Z" },
    silence: { since: "1970-01-01T00:01:00Z" },
    silence_after_s: 300,
    forecasts: [{ made: "1970-01-01T00:01:00Z", first: "1970-01-01T00:03:00Z", threshold: 5 }],
    anomaly,
  });
  expect(live!.evaluations).toEqual(
    Array.from({ length: 5 }, () => ({
      ...evaluation,
      window: "1970-01-01T00:02:00Z",
      timestamp: "1970-01-01T00:02:01Z",
      duration: 0.12346,
      score: 99.988,
    })),
  );
});
