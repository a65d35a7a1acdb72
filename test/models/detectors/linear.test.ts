// Linear detector: components explain the windows they are fitted to, and nothing else.
import { expect, test } from "bun:test";
import {
  expectationsOf,
  expectLinear,
  fitLinear,
  linearWindow,
} from "../../../src/models/detectors/linear.ts";
import { createRandom } from "../../../wasm/random.ts";

const sine = Float64Array.from({ length: 600 }, (_, i) => 100 + 20 * Math.sin((2 * Math.PI * i) / 24));
const location = { center: 100, scale: 14.14 };

test("components are orthonormal", () => {
  const random = createRandom(2);
  const { components } = fitLinear(
    sine.map((value) => value + random.normal()),
    24,
    location,
  );
  expect(components).toHaveLength(5);
  for (const [i, a] of components.entries())
    for (const [j, b] of components.entries()) {
      const dot = a.reduce((sum, value, k) => sum + value * b[k]!, 0);
      expect(dot).toBeCloseTo(i === j ? 1 : 0, 4);
    }
});

test("hand-computed: of windows of two points on a line, the component is the diagonal", () => {
  // Windows (v, v): mean 0; the one component is (1, 1) / sqrt 2, so a window (0, 4) is expected to end at 2.
  const column = Float64Array.from([1, 1, 1, 1, -1, -1, -1, -1]);
  const fit = fitLinear(column, 2, { center: 0, scale: 1 });
  expect(fit.components.map((vector) => vector.map(Math.abs))).toEqual([
    [Number(Math.SQRT1_2.toPrecision(7)), Number(Math.SQRT1_2.toPrecision(7))],
  ]);
  expect(expectLinear({ ...fit, mean: [0, 0] }, Float64Array.from([0, 4]), 1)).toBeCloseTo(2, 4);
});

test("what follows the pattern is expected, a spike is not", () => {
  const fit = fitLinear(sine, 48, location);
  for (const end of [100, 333, 599]) expect(expectLinear(fit, sine, end)).toBeCloseTo(sine[end]!, 1);
  const spiked = sine.slice();
  spiked[333] = sine[333]! + 50;
  expect(spiked[333]! - expectLinear(fit, spiked, 333)).toBeGreaterThan(35);
});

test("missing points and the time before the series stand for the mean window", () => {
  const fit = fitLinear(sine, 48, location);
  const gaps = sine.map((value, i) => (i % 3 === 0 ? Number.NaN : value));
  expect(Number.isFinite(expectLinear(fit, gaps, 100))).toBe(true);
  expect(Number.isFinite(expectLinear(fit, sine, 5))).toBe(true);
});

test("a constant column has nothing to explain", () => {
  const fit = fitLinear(new Float64Array(100).fill(7), 12, { center: 7, scale: 7 });
  expect(expectLinear(fit, new Float64Array(100).fill(7), 50)).toBeCloseTo(7, 10);
});

test.each([
  [120, 10_000, 120],
  [24, 10_000, 24],
  [120, 100, 25],
  [120, 10, 8],
])("span %i over %i points: windows of %i", (span, points, window) =>
  expect(linearWindow(span, points)).toBe(window));

test("the expectations of a range are those of each of its points", () => {
  const column = sine.with(20, Number.NaN).with(300, 1e9);
  const fit = fitLinear(sine, 48, location);
  const expected = expectationsOf(fit, column, 10);
  for (let i = 0; i < column.length; i++)
    expect(expected[i]).toBe(i < 10 ? Number.NaN : expectLinear(fit, column, i));
});
