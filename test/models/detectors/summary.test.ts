// Summary of detectors and periods for `state`.
import { expect, test } from "bun:test";
import { summariseDetectors } from "../../../src/models/detectors/summary.ts";
import type { DetectorFit, Ensemble } from "../../../src/models/detectors/types.ts";

const HOUR = 3_600_000;
const column = Float64Array.from({ length: 24 * 20 }, (_, i) => Math.sin((2 * Math.PI * i) / 24));
const fit = (weight: number) => ({ weight }) as DetectorFit;
const ensemble = {
  detectors: { network: fit(0.304), linear: fit(0.691), seasonal: fit(0.005) },
} as unknown as Ensemble;
const gridOf = (columns: Record<string, Float64Array>) => ({
  startAt: 0,
  intervalMs: HOUR,
  length: 480,
  columns,
});

test("one feature: shares in order, those that do not count left out, and the period", () => {
  expect(summariseDetectors([{ name: "f", ensemble }], gridOf({ f: column }))).toEqual({
    detectors: "linear 0.69, network 0.3",
    period: 24,
  });
});

test("several features are named, and so are periods that differ", () => {
  const flat = new Float64Array(480).fill(3);
  const features = [{ name: "f", ensemble }, { name: "g" }];
  expect(summariseDetectors(features, gridOf({ f: column, g: flat }))).toEqual({
    detectors: "f: linear 0.69, network 0.3; g: network 1",
    period: "f: 24; g: 0",
  });
});
