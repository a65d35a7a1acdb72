// Lanes: the greatest peak per model and cell.
import { expect, test } from "bun:test";
import { laneStep, makeLanes } from "../../../src/core/anomaly/lanes.ts";

const range = { fromAt: 0, toAt: 10_000 };
const no = undefined;
const span = (startAt: number, endAt: number | null, peakScore: number, model = "m") => ({
  model,
  startAt,
  endAt,
  peakScore,
});
const lanes = (...spans: ReturnType<typeof span>[]) => makeLanes(spans, { range, stepMs: 2500, nowAt: 6000 });

test("cells are whole seconds and cover the range", () => {
  expect(laneStep(range, 4)).toBe(3000);
  expect(laneStep(range, 1)).toBe(10_000);
  expect(laneStep({ fromAt: 0, toAt: 10 }, 100)).toBe(1000);
});

test("an anomaly counts in every cell it overlaps, with the greatest peak", () => {
  expect(lanes(span(2000, 5000, 70), span(4000, 4100, 90))).toEqual([
    { model: "m", count: 2, peaks: [70, 90, no, no] },
  ]);
});

test("ends are exclusive, one that lasts ends now, and those of a single interval count", () => {
  expect(lanes(span(0, 2500, 50))[0]!.peaks).toEqual([50, no, no, no]);
  expect(lanes(span(2500, null, 50))[0]!.peaks).toEqual([no, 50, 50, no]);
  expect(lanes(span(7500, 7500, 50))[0]!.peaks).toEqual([no, no, no, 50]);
});

test("anomalies that begin before the range or end after it are cut; models are sorted", () => {
  const found = lanes(span(-9000, 20_000, 60, "b"), span(9000, 20_000, 70, "a"));
  expect(found).toEqual([
    { model: "a", count: 1, peaks: [no, no, no, 70] },
    { model: "b", count: 1, peaks: [60, 60, 60, 60] },
  ]);
});
