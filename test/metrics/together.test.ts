// Several metrics at once: each has the value it has by itself, to the bit.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { reduceTogether, resolveMetric } from "../../src/metrics/index.ts";

const names = [
  "avg",
  "median",
  "mode",
  "p0",
  "p5",
  "p49.9",
  "p50",
  "p95",
  "95percentile",
  "p100",
  "integral",
];
const value = fc.oneof(fc.constantFrom(-0, 0, 1, -1), fc.double({ noNaN: true, noDefaultInfinity: true }));
const values = fc.array(value, { minLength: 1, maxLength: 200, size: "max" });

test("any metrics of any intervals, one after the other", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...names), { minLength: 1 }),
      fc.array(values),
      (chosen, intervals) => {
        const metrics = chosen.map((name) => resolveMetric(name)!);
        const reduce = reduceTogether(metrics);
        const row = new Float64Array(metrics.length);
        for (const list of intervals) {
          const own = Float64Array.from(list);
          const points = { times: Float64Array.from(own.keys()), values: own, previous: undefined };
          reduce(points, row);
          expect([...row]).toEqual(metrics.map((metric) => metric.reduce(points)));
          expect([...own]).toEqual(list);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("more numbers of points than are remembered", () => {
  const metrics = ["p10", "median"].map((name) => resolveMetric(name)!);
  const reduce = reduceTogether(metrics);
  const row = new Float64Array(2);
  for (let count = 1; count < 1200; count++) {
    const values = Float64Array.from({ length: count }, (_, i) => (i * 7919) % count);
    const points = { times: values, values, previous: undefined };
    reduce(points, row);
    expect([...row]).toEqual(metrics.map((metric) => metric.reduce(points)));
  }
});
