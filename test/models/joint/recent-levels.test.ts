// Recent levels: means by hand, points that are missing for a while, what is kept from one pass to the next.
import { expect, test } from "bun:test";
import { RecentLevels } from "../../../src/models/joint/recent-levels.ts";

const MINUTE = 60_000;

/** Levels whose means learn every point. */
class Learning extends RecentLevels {
  override step(at: number, values: readonly number[]): Float64Array | undefined {
    const levels = super.step(at, values);
    this.learn();
    return levels;
  }
}

const { NaN: none } = Number;

/** The mean of a day of minutes, a point later. */
const mean = (before: number, value: number) => before + (2 / 1441) * (value - before);

test("a level is by two thirds that of the newest point, as it differs from the mean of a day", () => {
  const levels = new Learning(MINUTE, [null, null]);
  expect(levels.step(0, [3, 100])).toEqual(Float64Array.of(0, 0));
  expect(levels.step(MINUTE, [6, 100])).toEqual(Float64Array.of(2, 0));
  const third = levels.step(2 * MINUTE, [3, 100])!;
  expect(third[0]).toBeCloseTo(2 / 3 + (2 / 3) * (3 - mean(3, 6)), 12);
});

test("what wanders within days says little, what jumps within minutes all", () => {
  const levels = new Learning(MINUTE, [null, null]);
  for (let i = 0; i < 10_000; i++) levels.step(i * MINUTE, [i / 10_000, 0]);
  const [wandering, jumping] = levels.step(10_000 * MINUTE, [1, 1])!;
  expect(wandering).toBeLessThan(0.1);
  expect(jumping).toBeGreaterThan(0.6);
});

test("a feature that reports less often keeps its level for five intervals", () => {
  const levels = new Learning(MINUTE, [null, null, null]);
  levels.step(0, [0, 0, 0]);
  const known = levels.step(MINUTE, [3, 0, 0])!;
  for (let i = 2; i < 6; i++) levels.step(i * MINUTE, [none, 0, 0]);
  expect(levels.step(6 * MINUTE, [none, 0, 0])).toEqual(known);
  expect(Array.from(levels.step(7 * MINUTE, [none, 0, 0])!)).toEqual([none, 0, 0]);
  expect(levels.step(8 * MINUTE, [9, 0, 0])![0]).toBeCloseTo(9, 1);
});

test("after more than a day without a point the mean begins anew", () => {
  const levels = new Learning(MINUTE, [null, null]);
  levels.step(0, [0, 0]);
  expect(levels.step(1441 * MINUTE, [9, 9])).toEqual(Float64Array.of(0, 0));
});

test("an interval that is known changes nothing", () => {
  const levels = new Learning(MINUTE, [null, null]);
  levels.step(0, [0, 0]);
  const known = levels.step(MINUTE, [3, 0]);
  expect(levels.step(MINUTE, [9, 9])).toEqual(known!);
});

test.each([
  [[none, none], false],
  [[1, none], false],
  [[1, none, none], false],
  [[1, 2, none], true],
  [[1, 2, none, none], false],
])("of %j, most are known: %p", (values, isKnown) => {
  const levels = new Learning(
    MINUTE,
    values.map(() => null),
  );
  expect(levels.step(0, values) !== undefined).toBe(isKnown);
});

test("the next pass goes on with the levels", () => {
  const whole = new Learning(MINUTE, [null, null]);
  const first = new Learning(MINUTE, [null, null]);
  for (const levels of [whole, first]) levels.step(0, [3, none]);
  const second = new Learning(MINUTE, JSON.parse(JSON.stringify(first.toMemory())));
  expect(second.step(MINUTE, [1, 1])).toEqual(whole.step(MINUTE, [1, 1])!);
});

test("what is not learned leaves the mean as it was", () => {
  const levels = new RecentLevels(MINUTE, [null, null]);
  levels.step(0, [0, 0]);
  for (let i = 1; i < 100; i++) levels.step(i * MINUTE, [9, 0]);
  for (let i = 100; i < 110; i++) levels.step(i * MINUTE, [0, 0]);
  expect(levels.step(110 * MINUTE, [0, 0])![0]).toBeCloseTo(0, 3);
});
