// Segments of a history: breaks of level and slope that are there are found, and none that is not.
import { describe, expect, spyOn, test } from "bun:test";
import { LineSums } from "../../../../src/models/forecasters/history/line-sums.ts";
import { lineAt, segmentsOf } from "../../../../src/models/forecasters/history/segments.ts";
import { columnOf, makeColumn, makeNoise } from "../support.ts";

type Make = (i: number, noise: number) => number;

function find(make: Make, length = 100, seed = 1) {
  const noise = makeNoise(seed);
  return segmentsOf(makeColumn(length, (i) => make(i, noise())));
}

const breaksOf = (make: Make, length = 100, seed = 1) =>
  find(make, length, seed)
    .segments.slice(1)
    .map(({ from }) => from);

const steps = (i: number) => [0, 20, -10][Math.floor(i / 27)]!;

describe("one segment", () => {
  test.each([
    ["a line", (i: number) => 5 + 2 * i, 2],
    ["a falling line with noise", (i: number, noise: number) => 5 - 0.2 * i + noise, -0.2],
    ["a line with gaps", (i: number) => (i % 5 < 3 ? 5 + 2 * i : Number.NaN), 2],
    ["noise", (_: number, noise: number) => 50 + noise, 0],
    ["a constant", () => 7, 0],
    ["a spike at the end of noise", (i: number, noise: number) => (i === 99 ? 500 : 50 + noise), 0],
    ["two at the end of a line", (i: number, noise: number) => (i >= 98 ? 900 : 2 * i + noise), 2],
  ] as const)("of %s", (_, make, slope) => {
    const { segments, slope: found, rest } = find(make);
    expect(segments).toHaveLength(1);
    expect(segments[0]!.from).toBe(0);
    expect(found).toBeWithin(slope - 0.03, slope + 0.03);
    expect(rest).toBe(1);
  });

  test("lies on the values", () => {
    const { segments, slope } = find((i) => 5 + 2 * i);
    expect(slope).toBeCloseTo(2, 9);
    for (const i of [0, 50, 99, 150]) expect(lineAt(segments[0]!, i)).toBeCloseTo(5 + 2 * i, 6);
  });
});

describe("breaks", () => {
  test.each([
    ["a step of three values", 100, (i: number, noise: number) => (i >= 97 ? 25 : 10) + noise, [97]],
    ["a step down of 30 values", 100, (i: number, noise: number) => (i >= 70 ? -5 : 10) + noise, [70]],
    ["several steps", 80, (i: number, noise: number) => steps(i) + noise, [27, 54]],
    ["a step on a slope", 100, (i: number, noise: number) => i + (i >= 60 ? 30 : 0) + noise, [60]],
    [
      "a step between gaps",
      100,
      (i: number, noise: number) => (i % 7 === 2 ? Number.NaN : (i >= 70 ? 30 : 10) + noise),
      [70],
    ],
  ] as const)("%s is found where it is", (_, length, make, breaks) => {
    expect(breaksOf(make, length)).toEqual([...breaks]);
  });

  test("a step of long ago is found to within a block of values", () => {
    const [only, ...others] = breaksOf((i, noise) => (i >= 300 ? 30 : 10) + noise, 2000);
    // 1700 values from the end a block has 42 values.
    expect(only).toBeWithin(300 - 42, 300 + 42);
    expect(others).toEqual([]);
  });

  test.each([
    ["stops", (i: number) => 0.5 * Math.min(i, 60), 0],
    ["starts", (i: number) => 0.5 * Math.max(0, i - 60), 0.5],
    ["turns", (i: number) => 0.5 * Math.abs(i - 60), 0.5],
  ] as const)("a slope that %s is followed from there on", (_, make, slope) => {
    const { segments, slope: found } = find((i, noise) => make(i) + 0.3 * noise);
    expect(segments).toHaveLength(2);
    expect(segments[1]!.from).toBeWithin(55, 66);
    expect(found).toBeWithin(slope - 0.05, slope + 0.05);
    expect(lineAt(segments[1]!, 100)).toBeWithin(make(100) - 1, make(100) + 1);
  });

  test("a slope goes on across a step, and steps have none", () => {
    expect(find((i, noise) => i + (i >= 60 ? 30 : 0) + noise).slope).toBeWithin(0.97, 1.03);
    expect(find((i, noise) => steps(i) + noise, 80).slope).toBe(0);
  });

  test("leave little around the segments where they are plain", () => {
    expect(find((i, noise) => (i >= 70 ? 40 : 10) + noise).rest).toBeLessThan(0.1);
  });
});

describe("segments of the values before an index, by the blocks of all", () => {
  test("are those that they tell, as if the later ones were not there", () => {
    const structure = find((i, noise) => steps(i) + noise, 80);
    const [whole, two, one] = [80, 54, 27].map((end) =>
      structure.until(end).segments.map(({ from }) => from),
    );
    expect([whole, two, one]).toEqual([[0, 27, 54], [0, 27], [0]]);
  });

  test("have the slope that was known then", () => {
    const turning = find((i, noise) => (i < 60 ? i : 120 - i) + 0.3 * noise);
    expect(turning.slope).toBeWithin(-1.02, -0.98);
    expect(turning.until(60).slope).toBeWithin(0.98, 1.02);
  });

  test("a block that goes on at the index is left out; nothing before the first values has a segment", () => {
    const structure = find((i, noise) => (i >= 300 ? 30 : 10) + noise, 2000);
    expect(structure.until(290).segments).toHaveLength(1);
    expect(structure.until(0).segments).toEqual([]);
    expect(segmentsOf(columnOf()).until(0).segments).toEqual([]);
  });
});

describe("what wanders rarely breaks", () => {
  const wander =
    (kept: number, length = 200) =>
    (seed: number) => {
      let level = 0;
      return breaksOf((_, noise) => (level = kept * level + noise), length, seed).length;
    };

  test.each([
    ["noise", wander(0), 1],
    ["noise half of which recurs", wander(0.5), 4],
    ["noise of which nine tenths recur", wander(0.9), 8],
    ["a random walk of 60 values", wander(1, 60), 12],
  ] as const)("%s", (_, count, most) => {
    const broken = Array.from({ length: 30 }, (_, k) => count(100 + k)).filter((breaks) => breaks > 0);
    expect(broken.length).toBeLessThanOrEqual(most);
  });
});

describe("few values", () => {
  test("none: no segment", () => {
    expect(segmentsOf(columnOf())).toMatchObject({ segments: [], slope: 0 });
    expect(segmentsOf(columnOf(Number.NaN, Number.NaN))).toMatchObject({ segments: [], slope: 0 });
  });

  test.each([
    ["one value stands still", [5], 5],
    ["of two the last one does", [5, 9], 9],
    ["three equal values are a level", [5, 5, 5], 5],
    ["gaps do not count", [Number.NaN, 5, Number.NaN, 9], 9],
  ] as const)("%s", (_, values, level) => {
    const { segments, slope } = segmentsOf(columnOf(...values));
    expect(segments).toHaveLength(1);
    expect([slope, lineAt(segments[0]!, 10)]).toEqual([0, level]);
  });

  test.each([3, 4, 5])("%d values of a line go on", (count) => {
    const { segments, slope } = segmentsOf(makeColumn(count, (i) => 1 + i));
    expect(segments).toHaveLength(1);
    expect(slope).toBeCloseTo(1, 9);
    expect(lineAt(segments[0]!, count)).toBeCloseTo(1 + count, 9);
  });

  test("four values of noise have no slope", () => {
    expect(segmentsOf(columnOf(5, 7, 4, 6)).slope).toBe(0);
  });
});

test("segments that begin too dear to be the best are not priced", () => {
  const cost = spyOn(LineSums.prototype, "cost");
  try {
    const pairs = (make: Make) => {
      cost.mockClear();
      find(make, 40);
      return cost.mock.calls.length;
    };
    // All begins at least three blocks before an end, and the costs of the result.
    const all = (38 * 39) / 2;
    expect(pairs(() => 7)).toBeLessThan(all / 3);
  } finally {
    cost.mockRestore();
  }
});

describe("a newest segment shorter than one that tells a slope", () => {
  const noise = makeNoise(1);
  const column = makeColumn(100, (i) => (i < 80 ? 50 + 0.5 * i : 90 - 5 * (i - 80)) + noise());

  test("goes on by the slope of the one before, from its own level", () => {
    const { segments, slope } = segmentsOf(column, 25);
    expect(slope).toBeWithin(0.45, 0.55);
    expect(lineAt(segments.at(-1)!, 99)).toBeWithin(-8, -2);
  });

  test.each([
    ["where it is as long", 20],
    ["where no segment is", 200],
  ])("tells its own %s", (_, leastSpan) => {
    expect(segmentsOf(column, leastSpan).slope).toBeWithin(-5.2, -4.8);
  });
});
