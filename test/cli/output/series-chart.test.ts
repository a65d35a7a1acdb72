// Flagged spans of a series, by feature.
import { expect, test } from "bun:test";
import { findFlagged, findRecorded } from "../../../src/cli/output/series-chart.ts";

const times = [0, 10, 20, 30, 40, 50];
const calm = { score: 1, anomaly: false, anomalies: {} };
const odd = (...names: string[]) => ({
  score: 99,
  anomaly: true,
  anomalies: Object.fromEntries(names.map((name) => [name, {}])),
});

test("a feature is flagged where it took part alone", () => {
  const stats = [calm, odd("a"), odd("a", "b"), odd(), calm, odd("b")];
  expect(findFlagged(times, stats, "a")).toEqual([{ from: 10, to: 40 }]);
  expect(findFlagged(times, stats, "b")).toEqual([
    { from: 20, to: 40 },
    { from: 50, to: 60 },
  ]);
  expect(findFlagged(times, stats, "c")).toEqual([]);
});

test("an anomaly without names of features flags each of them", () => {
  const stats = times.map((at) => ({ score: 0, anomaly: at === 20 }));
  expect(findFlagged(times, stats, "a")).toEqual([{ from: 20, to: 30 }]);
});

test("anomalies that live detection recorded are cut to the chart, by feature", () => {
  const episode = { id: "e", peak_score: 99 };
  const live = [
    { ...episode, start: -30, end: 10, features: { a: "low" } },
    { ...episode, start: 20, end: 20, features: { a: "high", b: "high" } },
    { ...episode, start: 40, end: null, features: { a: "low" } },
  ] as const;
  expect(findRecorded(times, live, "a")).toEqual([
    { from: 0, to: 10 },
    { from: 20, to: 30 },
    { from: 40, to: 60 },
  ]);
  expect(findRecorded(times, live, "b")).toEqual([{ from: 20, to: 30 }]);
});
