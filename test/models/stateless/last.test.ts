// Detection of the last point, from the points before it.
import { describe, expect, test } from "bun:test";
import { detectLast } from "../../../src/models/stateless/last.ts";
import { scaleTimeline } from "../../../src/models/stateless/scaled-timeline.ts";
import { makeSeries, signal, toInput, wave } from "./support.ts";

const season = (length: number, seed?: number) =>
  makeSeries(length, (i, noise) => wave(i, 48) + 0.5 * noise, seed);

const withLast = (column: Float64Array, change: (value: number) => number) =>
  column.map((value, i) => (i === column.length - 1 ? change(value) : value));

test.each([
  ["a spike in a season", withLast(season(1000), (value) => value + 8), 1],
  ["a drop in a season", withLast(season(1000), (value) => value - 8), -1],
  ["a normal value at the wrong time", withLast(season(1000), () => wave(1000 - 1 + 24, 48)), 1],
  [
    "a spike in a constant",
    withLast(
      makeSeries(100, () => 5),
      () => 9,
    ),
    1,
  ],
  ["nothing in a season", season(1000), 0],
  ["nothing in a constant", makeSeries(100, () => 5), 0],
  ["nothing in a slope", makeSeries(200, (i, noise) => i + noise), 0],
  ["nothing in twelve points", makeSeries(12, (_, noise) => noise), 0],
] as [string, Float64Array, number][])("finds %s", async (_name, column, direction) => {
  const found = await detectLast(toInput(column), signal);
  expect(found.direction).toBe(direction);
  expect(found.severity > 0).toBe(direction !== 0);
  const error = column.at(-1)! - found.expected;
  expect(Math.abs(error) > found.margin).toBe(direction !== 0);
});

test.each([
  ["stopped", 2, -1],
  ["stayed on", 90, 1],
] as const)("pulses that have %s differ from the mean at any phase", async (_name, value, direction) => {
  for (const length of [2003, 2010]) {
    const column = makeSeries(length, (i, noise) => (i >= 1900 ? value : i % 20 < 5 ? 90 : 2) + noise);
    const found = await detectLast(toInput(column, { period: 20 }), signal);
    expect([found.run?.at, found.direction]).toEqual(["level", direction]);
  }
});

test("after a long gap compares with the points before it", async () => {
  const column = makeSeries(15_000, (i) => (i < 200 ? i % 3 : i === 14_999 ? 2 : Number.NaN));
  const { expected, margin, score } = await detectLast(toInput(column, { period: 3 }), signal);
  for (const value of [expected, margin, score]) expect(Number.isFinite(value)).toBe(true);
  expect(expected).toBeWithin(0, 2.01);
});

test.each([
  [7],
  [13],
  [60],
  [287],
])("a period of %d is a day of as many intervals, none of them in two", (period) => {
  const { startAt, intervalMs } = scaleTimeline(period);
  const slots = Array.from({ length: 50 * period }, (_, i) => {
    const within = (startAt + i * intervalMs) % 86_400_000;
    return Math.floor((within / 86_400_000) * period);
  });
  expect(slots).toEqual(slots.map((_, i) => i % period));
});

test("scores an absurd point near 100 and a normal one low", async () => {
  const odd = await detectLast(toInput(withLast(season(1000), (value) => value + 30)), signal);
  expect(odd.score).toBeGreaterThan(80);
  let sum = 0;
  for (let seed = 1; seed <= 20; seed++)
    sum += (await detectLast(toInput(season(500, seed), { period: 48 }), signal)).score;
  expect(sum / 20).toBeLessThan(20);
});

test("in noise hardly any last point is odd", async () => {
  let count = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const column = makeSeries(100, (_, noise) => noise, seed);
    count += Math.abs((await detectLast(toInput(column, { period: 0 }), signal)).direction);
  }
  expect(count).toBeLessThanOrEqual(3);
});

describe("the last point", () => {
  test("says nothing of what is expected of it", async () => {
    const [up, down] = [withLast(season(600), () => 1e6), withLast(season(600), () => -1e6)];
    const first = await detectLast(toInput(up, { period: 48 }), signal);
    const second = await detectLast(toInput(down, { period: 48 }), signal);
    expect(second.expected).toBe(first.expected);
    expect(second.margin).toBe(first.margin);
  });

  test.each([
    ["low", 0],
    ["high", 1],
  ] as const)("counts in direction %s: %p", async (anomalyType, direction) => {
    const column = withLast(season(600), (value) => value + 20);
    const found = await detectLast(toInput(column, { anomalyType }), signal);
    expect(found.direction).toBe(direction);
    expect(found.score > 50).toBe(direction !== 0);
  });
});

test.each([
  [48, 193],
  [0, 100],
])("with a period of %p, %p points tell as much as more would", async (period, window) => {
  const { suggestedWindow } = await detectLast(toInput(season(600), { period }), signal);
  expect(suggestedWindow).toBe(window);
});
