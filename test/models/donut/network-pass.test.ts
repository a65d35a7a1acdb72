// Usual values from which steps to another level are measured.
import { expect, test } from "bun:test";
import { fitProfile } from "../../../src/models/detectors/seasons/seasonal.ts";
import { usualValues } from "../../../src/models/donut/network-pass.ts";
import type { FeatureNetwork } from "../../../src/models/donut/parameters.ts";

const timeline = { startAt: 0, intervalMs: 3_600_000, timezone: "UTC" };

function usualAfter(days: number) {
  const column = Float64Array.from({ length: 24 * days }, (_, i) => 10 + (i % 24));
  const seasonal = fitProfile(column, timeline);
  return usualValues({ ensemble: { seasonal } } as FeatureNetwork, timeline);
}

test("levels are followed after a training of five days", () => {
  expect(usualAfter(5)!.usualAt(24 + 3)).toBeCloseTo(13, 0);
});

test("a shorter training does not tell how days differ: no level is followed", () => {
  expect(usualAfter(4)).toBeUndefined();
});

test("nor without an ensemble", () => {
  expect(usualValues({} as FeatureNetwork, timeline)).toBeUndefined();
});
