// Replay of thresholds: what comes and goes, rates, and quality by what people said.
import { expect, test } from "bun:test";
import type { AnomalyRules } from "../../../src/core/anomaly/state.ts";
import {
  compare,
  curveOf,
  foldGreatest,
  judgeEpisodes,
  perWeek,
  replay,
} from "../../../src/ui/lib/replay.ts";

const NONE = Number.NaN;
const rules: AnomalyRules = { max: 50, min: 25, minDuration: 1, gracePeriodMs: 0 };
const scores = { from: 600, step: 60, values: Float64Array.of(0, 60, 40, 10, NONE, 45, 70, 20) };
const at = (minute: number) => (600 + minute * 60) * 1000;

test("episodes are those of live detection", () => {
  expect(replay(scores, rules)).toEqual([
    { startAt: at(1), endAt: at(3), peakScore: 60 },
    { startAt: at(6), endAt: at(7), peakScore: 70 },
  ]);
  expect(replay(scores, { ...rules, minDuration: 2 })).toEqual([]);
});

test("the rate counts scored time alone", () => {
  const week = { from: 0, step: 3600, values: new Float64Array(336).fill(NONE).fill(1, 0, 168) };
  expect(perWeek(3, week)).toBe(3);
  expect(perWeek(1, { ...week, values: Float64Array.of(NONE) })).toBe(Number.POSITIVE_INFINITY);
});

test("the curve falls with the threshold", () => {
  const curve = curveOf(scores, rules);
  const at = (max: number) => curve.find((point) => point.max === max)!.alarms;
  const [one, two] = [perWeek(1, scores), perWeek(2, scores)];
  expect([at(42.5), at(65), at(100)]).toEqual([two, one, 0]);
});

test("tried rules: an episode stays, is new, or is gone", () => {
  const before = replay(scores, rules);
  const after = replay(scores, { ...rules, max: 65 });
  expect(compare(before, after).map(({ change }) => change)).toEqual(["gone", "kept"]);
  expect(compare(after, before).map(({ change }) => change)).toEqual(["new", "kept"]);
});

test("quality counts what was judged; an open episode reaches to the end", () => {
  const episodes = [...replay(scores, rules), { startAt: at(20), endAt: null, peakScore: 99 }];
  const minutes = (from: number, to: number) => ({ from: 600 + from * 60, to: 600 + to * 60 });
  const truth = { anomalies: [minutes(2, 3), minutes(10, 11)], normal: [minutes(30, 31)] };
  expect(judgeEpisodes(episodes, truth)).toEqual({
    precision: 0.5,
    recall: 0.5,
    missed: [minutes(10, 11)],
  });
  expect(judgeEpisodes(episodes, { anomalies: [], normal: [] })).toEqual({ missed: [] });
});

test("folding keeps the greatest, and gaps", () => {
  expect(foldGreatest(Float64Array.of(1, 5, NONE, 2, NONE, NONE, 7), 2)).toEqual([5, 2, NONE, 7]);
});
