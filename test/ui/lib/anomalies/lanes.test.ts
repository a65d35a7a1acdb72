// Lanes: order, colours, the anomalies of a cell, and the ways of the arrows.
import { expect, test } from "bun:test";
import type { AnomalyView } from "../../../../src/api/anomaly.ts";
import {
  isInCell,
  lanesOfSeries,
  nextPlace,
  rampOf,
  sortLanes,
} from "../../../../src/ui/lib/anomalies/lanes.ts";

const lane = (model: string, count: number, peaks: readonly (number | null)[]) => ({
  model,
  count,
  peaks: [...peaks],
});
const lanes = [
  lane("a", 1, [null, 40, null, null]),
  lane("b", 3, [10, null, 90, null]),
  lane("c", 3, [null, null, null, 70]),
];

test("lanes are sorted by number and name, or by the peak in the chosen cell first", () => {
  expect(sortLanes(lanes, undefined).map(({ model }) => model)).toEqual(["b", "c", "a"]);
  expect(sortLanes(lanes, 1).map(({ model }) => model)).toEqual(["a", "b", "c"]);
});

test.each([
  [0, 0],
  [32.9, 0],
  [33, 1],
  [50, 2],
  [82, 3],
  [100, 4],
])("a score of %p has colour %p", (score, ramp) => expect(rampOf(score)).toBe(ramp));

test("an anomaly is in the cells that it overlaps; one in progress in all later ones", () => {
  const anomaly = (start: number, end: number | null) => ({ model: "m", start, end }) as AnomalyView;
  const cell = { model: "m", from: 100, to: 200 };
  expect(isInCell(anomaly(50, 99), cell)).toBe(false);
  expect(isInCell(anomaly(50, 100), cell)).toBe(true);
  expect(isInCell(anomaly(200, 300), cell)).toBe(false);
  expect(isInCell(anomaly(50, null), cell)).toBe(true);
  expect(isInCell(anomaly(120, 130), { ...cell, model: "n" })).toBe(false);
});

const ofSeries = (host: string | undefined, start: number, end: number | null, peak_score: number) =>
  ({
    model: "m",
    start,
    end,
    peak_score,
    ...(host !== undefined && { series: { host } }),
  }) as Partial<AnomalyView> as AnomalyView;

test("a cell of a lane of a series holds its anomalies alone", () => {
  const cell = { model: "m", series: "host:a", from: 100, to: 200 };
  expect(isInCell(ofSeries("a", 120, 130, 50), cell)).toBe(true);
  expect(isInCell(ofSeries("b", 120, 130, 50), cell)).toBe(false);
  expect(isInCell(ofSeries(undefined, 120, 130, 50), { ...cell, series: "" })).toBe(true);
});

test("lanes of series have the greatest peak of each cell, those in progress up to the last", () => {
  const list = [
    ofSeries("a", 90, 119, 60),
    ofSeries("a", 115, 125, 80),
    ofSeries("b", 130, null, 40),
    ofSeries(undefined, 100, 101, 50),
  ];
  expect(lanesOfSeries(list, { from: 100, step: 10, cells: 5 })).toEqual([
    { model: "m", series: "host:a", count: 2, peaks: [60, 80, 80, null, null] },
    { model: "m", series: "host:b", count: 1, peaks: [null, null, null, 40, 40] },
    { model: "m", series: "", count: 1, peaks: [50, null, null, null, null] },
  ]);
});

test.each([
  [{ lane: 1, cell: 0 }, "ArrowRight", { lane: 1, cell: 2 }],
  [{ lane: 1, cell: 2 }, "ArrowLeft", { lane: 1, cell: 0 }],
  [{ lane: 1, cell: 2 }, "ArrowRight", undefined],
  [{ lane: 0, cell: 1 }, "ArrowDown", { lane: 1, cell: 0 }],
  [{ lane: 1, cell: 2 }, "ArrowDown", { lane: 2, cell: 3 }],
  [{ lane: 0, cell: 1 }, "ArrowUp", undefined],
] as const)("from %j, %s leads to %j", (place, key, next) =>
  expect(nextPlace(lanes, place, key)).toEqual(next));
