// Threshold sweep, with results worked out by hand.
import { expect, test } from "bun:test";
import { prepareLabels } from "../../../src/core/anomaly/label.ts";
import { withMax } from "../../../src/core/anomaly/state.ts";
import {
  bestOutcome,
  type SweepOutcome,
  suggestThresholds,
  sweptThresholds,
  tryThresholds,
  weeksOf,
} from "../../../src/core/anomaly/threshold-sweep.ts";

const DAY = 86_400_000;
const used = { max: 70, min: 50 };
const rules = { ...used, gracePeriodMs: 0, minDuration: 1 };

/** Two weeks of days: peaks of 80, 95, 60 and 40. */
const scores = Float64Array.from([0, 80, 0, 95, 90, 0, 60, 0, 40, 0, 0, 0, 0, 0]);
const series = { startAt: 0, intervalMs: DAY, scores };

test("every 5 from 30 to 95, and 99; the effective ones among them, each with its share of min", () => {
  const swept = sweptThresholds({ max: 72, min: 54 });
  expect(swept.map(({ max }) => max)).toEqual([
    30, 35, 40, 45, 50, 55, 60, 65, 70, 72, 75, 80, 85, 90, 95, 99,
  ]);
  expect(swept[9]).toEqual({ max: 72, min: 54 });
  expect(swept[0]).toEqual({ max: 30, min: 22.5 });
  expect(sweptThresholds(used)).toHaveLength(15);
});

test.each([
  [{ max: 70, min: 50 }, 35, 25],
  [{ max: 60, min: 40 }, 35, 23.3],
  [{ max: 70, min: 0 }, 35, 0],
  [{ max: 70, min: 70 }, 35, 35],
  [{ max: 70, min: 50 }, 0, 0],
])("%p at %p has min %p", (thresholds, max, min) => {
  expect(withMax(thresholds, max)).toEqual({ max, min });
});

test.each([
  [30, 4, 2],
  [50, 3, 1.5],
  [70, 2, 1],
  [90, 1, 0.5],
  [99, 0, 0],
])("above %p there are %p episodes, %p a week", (max, episodes, perWeek) => {
  expect(tryThresholds({ series, rules }, withMax(used, max))).toEqual({
    ...withMax(used, max),
    episodes,
    perWeek,
    falsePerWeek: perWeek,
  });
});

/** The peaks of 95 and 60 are labelled. */
const labels = prepareLabels([
  { fromAt: 3 * DAY, toAt: 5 * DAY },
  { fromAt: 6 * DAY, toAt: 7 * DAY },
]);

test.each([
  [30, { falsePerWeek: 1, precision: 0.5, recall: 1, f1: 2 / 3 }],
  [50, { falsePerWeek: 0.5, precision: 2 / 3, recall: 1, f1: 0.8 }],
  [70, { falsePerWeek: 0.5, precision: 0.5, recall: 0.5, f1: 0.5 }],
  [90, { falsePerWeek: 0, precision: 1, recall: 0.5, f1: 2 / 3 }],
])("with labels, above %p", (max, expected) => {
  expect(tryThresholds({ series, rules, labels }, withMax(used, max))).toMatchObject(expected);
});

test("the best is that of the highest F1, and of the highest threshold among equals", () => {
  const outcomes = [30, 50, 70, 90].map((max) =>
    tryThresholds({ series, rules, labels }, withMax(used, max)),
  );
  expect(bestOutcome(outcomes)?.max).toBe(50);
  expect(bestOutcome([outcomes[3]!, outcomes[0]!])?.max).toBe(90);
  expect(bestOutcome([outcomes[0]!, outcomes[3]!])?.max).toBe(90);
  expect(bestOutcome([tryThresholds({ series, rules }, used)])).toBeUndefined();
  expect(bestOutcome([tryThresholds({ series, rules, labels }, withMax(used, 99))])).toBeUndefined();
});

test("intervals without a score make no week", () => {
  const gaps = { ...series, scores: scores.with(0, Number.NaN).with(13, Number.NaN) };
  expect(weeksOf(series)).toBe(2);
  expect(weeksOf(gaps)).toBeCloseTo(12 / 7, 12);
  expect(tryThresholds({ series: gaps, rules }, used).perWeek).toBeCloseTo(2 / (12 / 7), 12);
  const empty = { ...series, scores: new Float64Array(3).fill(Number.NaN) };
  expect(tryThresholds({ series: empty, rules }, used)).toMatchObject({ episodes: 0, perWeek: 0 });
});

const suggest = (perWeek: number, over: Partial<Parameters<typeof tryThresholds>[0]> = {}) => {
  const input = { series, rules, ...over };
  const attempt = async (thresholds: typeof used): Promise<SweepOutcome> => tryThresholds(input, thresholds);
  return suggestThresholds(used, attempt, { perWeek, weeks: weeksOf(input.series) });
};

test.each([
  [0.5, 80],
  [1, 60],
  [1.5, 40],
  [2, 30],
])("for %p false alarms a week, %p is the lowest threshold", async (perWeek, max) => {
  expect((await suggest(perWeek))?.max).toBe(max);
});

test("labelled episodes are no false alarms", async () => {
  expect((await suggest(0.5, { labels }))?.max).toBe(40);
});

test("where fewer than one false alarm is expected there is nothing to measure", async () => {
  expect(await suggest(0.4)).toBeUndefined();
  expect(await suggest(0.5, { series: { ...series, scores: scores.slice(0, 13) } })).toBeUndefined();
});

test("where even the highest threshold gives more, there is no suggestion", async () => {
  const loud = Float64Array.from({ length: 14 }, (_, i) => (i % 2 === 0 ? 100 : 0));
  expect(await suggest(0.5, { series: { ...series, scores: loud } })).toBeUndefined();
});
