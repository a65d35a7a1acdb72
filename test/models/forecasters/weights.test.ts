// Weights by error: near ties share, small weights are dropped.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { combine, dropSmall, weightsOfErrors } from "../../../src/models/forecasters/weights.ts";

const { NaN: missing, POSITIVE_INFINITY: infinite } = Number;

test.each([
  ["equal errors", [2, 2], [0.5, 0.5]],
  ["twice the error is out: 1 in 64", [1, 2], [1, 0]],
  ["what could not be measured counts nothing", [infinite, 3, missing], [0, 1, 0]],
  ["nothing could be measured", [infinite, infinite], [0.5, 0.5]],
  ["no error at all is shared", [0, 0], [0.5, 0.5]],
  ["no error beside some", [0, 1], [1, 0]],
] as const)("%s", (_, errors, weights) => {
  expect(weightsOfErrors(errors)).toEqual([...weights]);
});

test("an eighth more error counts about half", () => {
  const [better, worse] = weightsOfErrors([1, 1.125]);
  expect(worse! / better!).toBeCloseTo(1.125 ** -6, 10);
});

test("favour counts where errors are equal", () => {
  expect(weightsOfErrors([1, 1, 1], [2, 1, 1])).toEqual([0.5, 0.25, 0.25]);
});

test("weights are shares, and less error never counts less", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 9 }),
      (errors) => {
        const weights = weightsOfErrors(errors);
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
        const sorted = errors
          .map((error, i) => ({ error, weight: weights[i]! }))
          .sort((a, b) => a.error - b.error);
        for (let i = 1; i < sorted.length; i++)
          expect(sorted[i]!.weight).toBeLessThanOrEqual(sorted[i - 1]!.weight + 1e-12);
      },
    ),
  );
});

test("small weights are dropped, but never all", () => {
  expect(dropSmall([0.98, 0.02])).toEqual([1, 0]);
  const many = new Array(100).fill(0.01);
  expect(dropSmall(many)).toEqual(many.map(() => expect.closeTo(0.01, 12)));
});

test("where a forecast is missing the others share its place", () => {
  const forecasts = [Float64Array.of(10, missing, missing), Float64Array.of(20, 20, missing)];
  expect(Array.from(combine(forecasts, [0.25, 0.75]))).toEqual([17.5, 20, missing]);
});
