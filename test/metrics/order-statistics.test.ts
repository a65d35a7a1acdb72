// Order statistics against sorting: any values, and those laid out for bad pivots; several metrics at once.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { reduceTogether, resolveMetric } from "../../src/metrics/index.ts";
import { selectValue } from "../../src/metrics/order-statistics.ts";
import { roundsOf } from "../support/rounds.ts";

const value = fc.oneof(fc.constantFrom(-0, 0, 1, -1), fc.double({ noNaN: true }));
const values = fc.array(value, { minLength: 1, maxLength: 300, size: "max" });

test("the value at any place is that of the sorted values, 0 for -0", () => {
  fc.assert(
    fc.property(values, fc.nat(), (list, number) => {
      const place = number % list.length;
      const own = Float64Array.from(list);
      expect(selectValue(own, place)).toBe(Float64Array.from(list).sort()[place]! + 0);
      expect(own.slice(0, place).every((before) => before <= own[place]!)).toBe(true);
      expect(own.slice(place).every((behind) => behind >= own[place]!)).toBe(true);
    }),
    { numRuns: roundsOf(500) },
  );
});

test("the values at some places, neighbours or not, are those of the sorted values", () => {
  fc.assert(
    fc.property(values, fc.array(fc.nat(), { maxLength: 8 }), (list, numbers) => {
      const places = [...new Set(numbers.map((number) => number % list.length))].sort((a, b) => a - b);
      const own = Float64Array.from(list);
      const found = places.map((place, i) => selectValue(own, place, i > 0 ? places[i - 1]! + 1 : 0));
      const sorted = Float64Array.from(list).sort();
      expect(found).toEqual(places.map((place) => sorted[place]! + 0));
    }),
    { numRuns: roundsOf(500) },
  );
});

describe("a million values", () => {
  const length = 1_000_000;
  const shapes: Readonly<Record<string, (i: number) => number>> = {
    equal: () => 7,
    rising: (i) => i,
    falling: (i) => -i,
    "a roof": (i) => Math.min(i, length - i),
    "a comb": (i) => (i % 2 ? i : length - i),
    saw: (i) => i % 1000,
  };
  test.each(Object.entries(shapes))("%s", (_, shape) => {
    const made = Float64Array.from({ length }, (_, i) => shape(i));
    const sorted = made.slice().sort();
    for (const place of [0, length >> 1, length - 1])
      expect(selectValue(made.slice(), place)).toBe(sorted[place]! + 0);
  });
});

test("values laid out so that each pivot is among the least left", () => {
  const made = layTrap(4000);
  const sorted = made.slice().sort();
  for (const place of [0, 1999, 2000, 3999])
    expect(selectValue(made.slice(), place)).toBe(sorted[place]! + 0);
});

/** The trap for a median of three: values are chosen while a selection runs, as late and as low as can be. */
function layTrap(length: number): Float64Array {
  const values = new Float64Array(length).fill(length);
  let next = 0;
  let candidate = 0;
  const isOpen = (index: number) => values[index] === length;
  function compare(x: number, y: number): number {
    if (isOpen(x) && isOpen(y)) values[x === candidate ? x : y] = next++;
    if (isOpen(x)) candidate = x;
    else if (isOpen(y)) candidate = y;
    return values[x]! - values[y]!;
  }
  const order = Array.from(values.keys());
  for (let low = 0, high = length - 1, rounds = 0; low < high && rounds < length; rounds++) {
    const [a, b, c] = [order[low]!, order[(low + high) >> 1]!, order[high]!];
    const pivot = [a, b, c].sort(compare)[1]!;
    let [i, j] = [low, high];
    while (i <= j) {
      while (compare(order[i]!, pivot) < 0) i++;
      while (compare(order[j]!, pivot) > 0) j--;
      if (i <= j) [order[i++], order[j--]] = [order[j]!, order[i]!];
    }
    if (length >> 1 <= j) high = j;
    else low = i;
  }
  for (const index of values.keys()) if (isOpen(index)) values[index] = next++;
  return values;
}

test("a mean that underflows is 0, not -0", () => {
  const own = Float64Array.of(-5e-324, -0, -0, -1);
  const points = { times: Float64Array.from(own.keys()), values: own, previous: undefined };
  expect(resolveMetric("median")!.reduce(points)).toBe(0);
});

test("the median leaves the values as they are and agrees with sorting", () => {
  fc.assert(
    fc.property(values, (list) => {
      const own = Float64Array.from(list);
      const points = { times: Float64Array.from(own.keys()), values: own, previous: undefined };
      const sorted = own.slice().sort();
      const middle = sorted.length >> 1;
      const median = sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
      expect(resolveMetric("median")!.reduce(points)).toBe(median + 0);
      expect([...own]).toEqual(list);
    }),
    { numRuns: roundsOf(300) },
  );
});

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
const finite = fc.oneof(fc.constantFrom(-0, 0, 1, -1), fc.double({ noNaN: true, noDefaultInfinity: true }));
const interval = fc.array(finite, { minLength: 1, maxLength: 200, size: "max" });

test("several metrics at once have the values they have alone, interval after interval", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...names), { minLength: 1 }),
      fc.array(interval),
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
    { numRuns: roundsOf(300) },
  );
});
