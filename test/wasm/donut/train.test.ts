// Learning rate: warm-up, then half a cosine, across the runs of a training.
import { expect, test } from "bun:test";
import { learningRateAt } from "../../../wasm/donut/train.ts";

const options = {
  batchSize: 64,
  learningRate: 0.004,
  warmUpSteps: 100,
  scheduleSteps: 2000,
  clipNorm: 10,
  l2: 1e-3,
  injection: 0.01,
  hiddenTails: 0.15,
  maxSteps: 500,
  validateEvery: 50,
  patience: 12,
};
/** Of the highest rate; the last one is 2 % of it. */
const cosine = (step: number) => 0.02 + 0.49 * (1 + Math.cos((Math.PI * step) / 2000));

test.each([
  [0, 0.01 * cosine(0)],
  [49, 0.5 * cosine(49)],
  [99, cosine(99)],
  [1000, 0.51],
  [2000, 0.02],
  [5000, 0.02],
])("step %i: %f of the highest", (step, share) => {
  expect(learningRateAt(options, step)).toBeCloseTo(0.004 * share, 12);
});
