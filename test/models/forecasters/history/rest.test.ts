// Rest: of a busy series after a day of one value, of one that rests at times after three, and longer than ever.
import { expect, test } from "bun:test";
import { restOf } from "../../../../src/models/forecasters/history/rest.ts";

const DAY = 24;
const busy = Array.from({ length: 10 * DAY }, (_, i) => 100 + (i % 7));
const office = Array.from({ length: 10 * DAY }, (_, i) => (i % DAY >= 8 && i % DAY < 18 ? 50 + (i % 5) : 2));
const after = (before: readonly number[], value: number, points: number) =>
  restOf(Float64Array.from([...before, ...Array<number>(points).fill(value)]), DAY);

test.each<[string, readonly number[], number, number | undefined]>([
  ["a busy series, half a day", busy, 12, undefined],
  ["a busy series, a day", busy, DAY, 0],
  ["offices, a weekend", office, 2 * DAY, undefined],
  ["offices, three days", office, 3 * DAY, 0],
  ["what is always the same", [], 10 * DAY, undefined],
])("%s of zero", (_, before, points, expected) => {
  expect(after(before, 0, points)).toBe(expected!);
});

test("a rest is at least twice as long as the longest before", () => {
  const resting = [...busy, ...Array<number>(50).fill(0), ...busy];
  expect([99, 100].map((points) => after(resting, 0, points))).toEqual([undefined, 0]);
});

test("missing values neither end a rest nor make one", () => {
  const gaps = Float64Array.from([
    ...busy,
    ...Array.from({ length: 60 }, (_, i) => (i % 2 ? Number.NaN : 0)),
  ]);
  expect(restOf(gaps, DAY)).toBe(0);
  expect(restOf(Float64Array.from([...busy, ...Array<number>(60).fill(Number.NaN)]), DAY)).toBeUndefined();
});
