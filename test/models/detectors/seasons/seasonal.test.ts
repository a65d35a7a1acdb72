// Seasonal detector: adaptive medians by time of day, independent of how often they are stored.
import { expect, test } from "bun:test";
import { offsetsOf } from "../../../../src/core/time/timezone.ts";
import { fitProfile, Seasonal } from "../../../../src/models/detectors/seasons/seasonal.ts";
import { createRandom } from "../../../../wasm/random.ts";

const HOUR = 3_600_000;
const timeline = { startAt: 0, intervalMs: HOUR };
const daily = (i: number) => (i % 24 < 8 ? 10 : 50);

test("hand-computed: the median of a slot and its neighbours, and the scale of what is left", () => {
  // Three days of two levels: at 3 h all neighbours are 10; at 7 h two thirds are, at 8 h two thirds are 50.
  const profile = fitProfile(
    Float64Array.from({ length: 72 }, (_, i) => daily(i)),
    timeline,
  );
  expect(profile.values).toHaveLength(24);
  expect([3, 7, 8, 20].map((slot) => profile.values[slot])).toEqual([10, 10, 50, 50]);
  expect(profile.counts.every((count) => count === 9)).toBe(true);
  // All deviations are 0: the scale is the floor, a twentieth of the deviation of 24 tens and 48 fifties (18.86).
  expect(profile.scale).toBeCloseTo(0.05 * 18.856, 3);
});

test("learns the same around any level and in any unit", () => {
  const random = createRandom(5);
  const noise = Float64Array.from({ length: 480 }, () => random.normal());
  const learnt = (level: number, unit: number) => {
    const column = noise.map((own, i) => level + unit * ((i < 240 ? 0 : 0.5) + own));
    const seasonal = new Seasonal(fitProfile(column.subarray(0, 240), timeline), timeline);
    for (let i = 240; i < column.length; i++) seasonal.learn(i, column[i]!);
    return Array.from({ length: 24 }, (_, slot) => seasonal.residual(slot, level));
  };
  const plain = learnt(0, 1);
  for (const other of [learnt(1e6, 1), learnt(1e6, 0.01), learnt(0, 1e-12)])
    for (const [slot, residual] of plain.entries()) expect(other[slot]!).toBeCloseTo(residual, 1);
});

test("with less than two days there is one slot", () => {
  const profile = fitProfile(
    Float64Array.from({ length: 40 }, (_, i) => i),
    timeline,
  );
  expect(profile.values).toEqual([19.5]);
});

test("days of one point have a season of a week from four weeks on, in which each day is its own", () => {
  const daily = { startAt: 0, intervalMs: 24 * HOUR };
  const week = [10, 11, 12, 13, 14, 50, 90];
  const weeks = (count: number) =>
    Float64Array.from({ length: 7 * count }, (_, i) => week[i % 7]! + i / 7 / 100);
  expect(fitProfile(weeks(3), daily, { days: 7 }).values).toHaveLength(1);
  expect(fitProfile(weeks(5), daily, { days: 7 }).values.map(Math.round)).toEqual(week);
  expect(fitProfile(weeks(5), daily, { days: 1 }).values).toHaveLength(1);
});

test("slots of hours are their own where there are few of a day", () => {
  const column = Float64Array.from({ length: 4 * 20 }, (_, i) => [1, 5, 9, 3][i % 4]!);
  expect(fitProfile(column, { startAt: 0, intervalMs: 6 * HOUR }).values).toEqual([1, 5, 9, 3]);
  expect(fitProfile(column, { startAt: 0, intervalMs: 5 * 24 * HOUR }, { days: 7 }).values).toHaveLength(1);
});

test("gaps are left out; an empty column says nothing and breaks nothing", () => {
  const column = Float64Array.from({ length: 96 }, (_, i) => (i % 5 === 0 ? Number.NaN : daily(i)));
  expect(fitProfile(column, timeline).values[3]).toBe(10);
  const empty = new Seasonal(fitProfile(new Float64Array(96).fill(Number.NaN), timeline), timeline);
  expect(Number.isFinite(empty.residual(3, 5))).toBe(true);
});

test("a gross outlier moves the profile no further than any other point", () => {
  const seasonal = () =>
    new Seasonal(
      fitProfile(
        Float64Array.from({ length: 240 }, (_, i) => daily(i) + (i % 7)),
        timeline,
      ),
      timeline,
    );
  const [mild, gross] = [seasonal(), seasonal()];
  mild.learn(243, 60);
  gross.learn(243, 1e9);
  expect(gross.expect(243)).toBe(mild.expect(243));
});

test("a lasting change is learnt in weeks, not hours", () => {
  const random = createRandom(3);
  const noisy = (level: number) => level + random.normal();
  const seasonal = new Seasonal(
    fitProfile(
      Float64Array.from({ length: 24 * 14 }, () => noisy(10)),
      timeline,
    ),
    timeline,
  );
  for (let i = 336; i < 348; i++) seasonal.learn(i, noisy(14));
  expect(Math.abs(seasonal.expect(340) - 10)).toBeLessThan(0.5);
  for (let i = 348; i < 348 + 24 * 60; i++) seasonal.learn(i, noisy(14));
  expect(Math.abs(seasonal.expect(340) - 14)).toBeLessThan(0.7);
});

test("kept after every point, it learns the same bits", () => {
  const random = createRandom(4);
  const column = Float64Array.from({ length: 240 }, (_, i) => daily(i) + random.normal());
  const whole = new Seasonal(fitProfile(column, timeline), timeline);
  let kept = fitProfile(column, timeline);
  for (let i = 240; i < 400; i++) {
    const value = daily(i) + 3 * random.normal();
    const again = new Seasonal(kept, timeline);
    expect(again.residual(i, value)).toBe(whole.residual(i, value));
    whole.learn(i, value);
    again.learn(i, value);
    kept = JSON.parse(JSON.stringify(again.toProfile()));
  }
});

test("a week has seven days: weekends are expected as weekends", () => {
  const weekly = (i: number) => (Math.floor(i / 24) % 7 < 5 ? 50 : 10);
  const column = Float64Array.from({ length: 24 * 28 }, (_, i) => weekly(i));
  const profile = fitProfile(column, timeline, { days: 7 });
  const usual = new Seasonal(profile, timeline);
  expect(profile.values).toHaveLength(168);
  for (const i of [24 * 29 + 12, 24 * 33 + 12]) expect(usual.expect(i)).toBe(weekly(i));
});

test("times of day are local, also when the clocks change", () => {
  const offsetAt = offsetsOf("Europe/Paris");
  // Two weeks before and two after the end of March 2026, when clocks go from UTC+1 to UTC+2.
  const startAt = Date.UTC(2026, 2, 15);
  const local = (i: number) => Math.floor((startAt + i * HOUR + offsetAt!(startAt + i * HOUR)) / HOUR) % 24;
  const column = Float64Array.from({ length: 24 * 28 }, (_, i) => (local(i) < 8 ? 10 : 50));
  const paris = { ...timeline, startAt, offsetAt };
  const usual = new Seasonal(fitProfile(column, paris), paris);
  const utc = new Seasonal(fitProfile(column, { ...timeline, startAt }), { ...timeline, startAt });
  const wrong = (profile: Seasonal) =>
    column.reduce((count, value, i) => count + Number(Math.abs(profile.expect(i) - value) > 1), 0);
  expect(wrong(usual)).toBe(0);
  expect(wrong(utc)).toBeGreaterThan(10);
});
