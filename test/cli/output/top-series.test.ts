// Rows of one series in the live view: its state, score, remark and last anomaly.
import { expect, test } from "bun:test";
import type { AnomalyView } from "../../../src/api/anomaly.ts";
import type { FleetSeriesDetailView } from "../../../src/api/fleet.ts";
import type { Model } from "../../../src/cli/client/views.ts";
import { toSeriesRow } from "../../../src/cli/output/top-series.ts";

const tags = { host: "a", cpu: "0" };
const model = { settings: { name: "cpu" }, state: { thresholds: { max: 70 } }, live: { failures: 0 } };
const base = { tags, score: 12, first_seen: 100, newest_point: 900, last_window: 900, fitted: 60 };
const row = (series: object, { live = model.live, anomalies = [] as object[] } = {}) =>
  toSeriesRow(
    { ...model, live } as unknown as Model,
    { ...base, ...series } as unknown as FleetSeriesDetailView,
    anomalies as unknown as AnomalyView[],
  );

test.each([
  [{ state: "watched", live: {} }, ["live", 100, ""]],
  [
    { state: "anomalous", live: { anomaly: { start: 500, features: { user: {} } } } },
    ["anomaly", 500, "user"],
  ],
  [{ state: "silent", live: { silence: { since: 300 } } }, ["no data", 300, ""]],
  [
    { state: "silent", live: { silence: { since: 300 }, anomaly: { start: 200, features: { user: {} } } } },
    ["no data", 300, "user"],
  ],
  [{ state: "new", live: { learning: { points: 5, needed: 30 } } }, ["learning", 100, "5 of 30 points"]],
  [{ state: "watched", live: { drift: {} } }, ["live", 100, "drift: retrain the model"]],
  [{ state: "stopped", first_seen: null }, ["stopped", null, ""]],
])("%j", (series, expected) => {
  const { state, since, remark } = row(series);
  expect([state, since, remark]).toEqual(expected as never);
});

test("a model that fails is shown, but not before an anomaly", () => {
  const live = { failures: 2 };
  expect(row({ state: "watched", live: {} }, { live }).state).toBe("failing");
  expect(row({ state: "anomalous", live: {} }, { live }).state).toBe("anomaly");
});

test("the last anomaly is that of the series, of this model", () => {
  const of = (start: number, own: object) => ({ model: "cpu", start, end: null, peak_score: 80, ...own });
  const anomalies = [
    of(10, { series: tags }),
    of(30, { series: tags }),
    of(50, { series: { ...tags, host: "b" } }),
    of(60, {}),
    of(70, { series: tags, model: "other" }),
  ];
  expect(row({ state: "watched" }, { anomalies })).toMatchObject({
    model: "cpu host=a, cpu=0",
    threshold: 70,
    score: 12,
    last_anomaly: { start: 30 },
  });
});
