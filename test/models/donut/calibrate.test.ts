// Scores of a training range: from its first point where there is nothing before it; with a fake network.
import { expect, test } from "bun:test";
import { leadIn, scoreTrained, tailOf } from "../../../src/models/donut/calibrate.ts";
import { donutDefaults, predictOptions } from "../../../src/models/donut/options.ts";
import type { Compute, Context } from "../../../src/models/kind.ts";
import { fitTail } from "../../../src/models/stats/tail.ts";
import type { ScoreTask } from "../../../wasm/protocol.ts";

const shape = { window: 4, hidden: 2, latent: 1 };
const series = {
  values: Float32Array.of(1, 2, 3, 4, 5, 6),
  observed: new Uint8Array(6).fill(1),
  conditions: Float32Array.of(1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0),
};
const calibration = {
  shape,
  params: new Float32Array(1),
  series,
  validationFrom: 3,
  anomalyType: "low_high" as const,
  options: predictOptions(donutDefaults),
};

/** A network whose nll is the value, from the first full window on. */
function makeContext(): Context {
  const run = async (task: ScoreTask) => {
    const nll = task.series.values.map((value, i) => (i < shape.window - 1 ? Number.NaN : value));
    return { nll, mean: nll, deviation: nll, rejected: new Uint8Array(0) };
  };
  const compute: Compute = { trainingLanes: 1, run: run as never };
  return { compute, signal: new AbortController().signal, onProgress: () => {} };
}

test.each([
  [{}, [Number.NaN, Number.NaN, Number.NaN, 4, 5, 6]],
  [{ fromFirst: true }, [1, 2, 3, 4, 5, 6]],
  [{ scored: 4 }, [Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 6]],
  [{ scored: 4, fromFirst: true }, [Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 6]],
])("with %o the scores are %p", async (options, nll) => {
  const scored = await scoreTrained({ ...calibration, ...options }, makeContext());
  expect(Array.from(scored.nll)).toEqual(nll);
});

test("points before a series are missing", () => {
  const longer = leadIn(series, 2);
  expect(Array.from(longer.values)).toEqual([0, 0, 1, 2, 3, 4, 5, 6]);
  expect(Array.from(longer.observed)).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
  expect(Array.from(longer.conditions!.subarray(0, 6))).toEqual([0, 0, 0, 0, 1, 0]);
  expect(leadIn(series, 0)).toBe(series);
  expect(leadIn(series, -1)).toBe(series);
});

test("a prior counts as many points as it has", () => {
  const nll = Float64Array.from({ length: 6 }, () => 1);
  const tail = fitTail(Float64Array.from({ length: 100 }, (_, i) => i));
  const scored = { nll, expected: new Float64Array(6) };
  const { quantiles } = tailOf({ ...calibration, prior: { tail, points: 18 } }, scored);
  expect(quantiles.filter((value) => value === 1).length / quantiles.length).toBeCloseTo(6 / 24, 1);
});
