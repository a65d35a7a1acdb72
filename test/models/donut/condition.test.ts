// Conditions: which ones a range covers, their encoding, and when a training continues with them.
import { describe, expect, test } from "bun:test";
import {
  type ConditionName,
  type Conditions,
  canKeepConditions,
  conditionNames,
  conditionSize,
  conditionsOf,
  describeConditions,
  encodeConditions,
  summariseConditions,
  withConditions,
} from "../../../src/models/donut/condition.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const both = { daytime: true, weekday: true };
const DAYS = (count: number, intervalMs = HOUR) => ({ intervalMs, length: (count * DAY) / intervalMs });

const cases: readonly [string, object, { intervalMs: number; length: number }, ConditionName[]][] = [
  ["nothing is asked for", {}, DAYS(60), []],
  ["neither is wanted", { seasonality: { daytime: false } }, DAYS(60), []],
  ["one is wanted", { seasonality: { weekday: true } }, DAYS(60), ["weekday"]],
  ["both are wanted", { seasonality: both }, DAYS(14), ["daytime", "weekday"]],
  ["there is less than two weeks", { seasonality: both }, DAYS(13), ["daytime"]],
  ["there is less than two days", { seasonality: both }, DAYS(1.5), []],
  ["intervals are too long for a time of day", { seasonality: both }, DAYS(60, DAY), ["weekday"]],
  ["intervals are a quarter of a day", { seasonality: both }, DAYS(60, 6 * HOUR), ["daytime", "weekday"]],
  ["intervals are weeks", { seasonality: both }, DAYS(700, 7 * DAY), []],
];

test.each(cases)("where %s", (_, settings, range, names) => {
  expect(conditionsOf(settings, range)).toMatchObject({ names, timezone: "UTC" });
});

test.each([
  ["a minute", HOUR / 60, 4],
  ["an hour", HOUR, 4],
  ["three hours", 3 * HOUR, 2],
  ["six hours", 6 * HOUR, 1],
  ["a day", DAY, 1],
])("intervals of %s: waves of three of them at least", (_, intervalMs, waves) => {
  expect(conditionsOf({ seasonality: both }, DAYS(60, intervalMs)).waves).toBe(waves);
});

describe("numbers", () => {
  /** @param time of the middle of the interval */
  const encodeAt = (time: string, timezone = "UTC", names: readonly ConditionName[] = conditionNames) =>
    Array.from(
      encodeConditions(
        { names, timezone, waves: 4 },
        { startAt: Date.parse(time) - HOUR / 2, intervalMs: HOUR, length: 1 },
      ),
    );
  const closely = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 5));
  const wavesAt = (hour: number) =>
    Array.from({ length: 4 }, (_, k) => (2 * Math.PI * (k + 1) * hour) / 24).flatMap((angle) => [
      Math.SQRT2 * Math.sin(angle),
      Math.SQRT2 * Math.cos(angle),
    ]);
  const weekday = (day: number) => new Array<number>(7).fill(0).with(day, Math.sqrt(7));

  test.each([
    ["midnight of a Monday", "2024-01-01T00:00Z", "UTC", 0, 0],
    ["six in the morning", "2024-01-01T06:00Z", "UTC", 6, 0],
    ["noon of a Sunday", "2024-01-07T12:00Z", "UTC", 12, 6],
    ["before the epoch", "1969-12-29T06:00Z", "UTC", 6, 0],
    ["six in Paris, in winter", "2024-01-01T05:00Z", "Europe/Paris", 6, 0],
    ["six in Paris, in summer", "2024-07-01T04:00Z", "Europe/Paris", 6, 0],
    ["a Monday in Auckland", "2024-01-07T11:00Z", "Pacific/Auckland", 0, 0],
    ["half an hour off, in Kolkata", "2024-01-01T00:30Z", "Asia/Kolkata", 6, 0],
  ] as const)("%s", (_, time, timezone, hour, day) => {
    expect(encodeAt(time, timezone)).toEqual(closely([...wavesAt(hour), ...weekday(day)]));
  });

  test("are those of the local clock on either side of a change of it", () => {
    // Clocks went from 2 to 3 at 01:00 UTC on 31 March.
    const daytime = ["daytime"] as const;
    const before = encodeAt("2024-03-30T08:00Z", "Europe/Paris", daytime);
    expect(encodeAt("2024-03-31T07:00Z", "Europe/Paris", daytime)).toEqual(closely(before));
    expect(encodeAt("2024-03-31T00:30Z", "Europe/Paris", daytime)).toEqual(
      closely(encodeAt("2024-03-30T00:30Z", "Europe/Paris", daytime)),
    );
  });

  test("are rows, one per interval, as many as there are said to be and as many as are described", () => {
    for (const names of [["daytime"], ["weekday"], conditionNames] as const) {
      const conditions: Conditions = { names, timezone: "Europe/Paris", waves: 3 };
      const size = conditionSize(conditions);
      const grid = { startAt: 0, intervalMs: HOUR, length: 100 };
      const rows = encodeConditions(conditions, grid);
      expect(rows).toHaveLength(100 * size);
      const later = encodeConditions(conditions, { ...grid, startAt: 40 * HOUR, length: 1 });
      expect(Array.from(rows.slice(40 * size, 41 * size))).toEqual(Array.from(later));
      const described = describeConditions(conditions);
      expect(described.condition_columns!.split(", ")).toHaveLength(size);
      expect(described).toMatchObject({ conditions: names.join(", "), timezone: "Europe/Paris" });
    }
  });

  test("are not there where there are no conditions: a series stays what it is", () => {
    const series = { values: new Float32Array(3), observed: new Uint8Array(3) };
    const start = { startAt: 0, intervalMs: HOUR };
    expect(withConditions(series, undefined, start)).toBe(series);
    expect(describeConditions(undefined)).toEqual({});
    expect(conditionSize(undefined)).toBe(0);
  });
});

const of = (...names: ConditionName[]): Conditions => ({ names, timezone: "UTC", waves: 4 });
const paris: Conditions = { ...of("daytime"), timezone: "Europe/Paris" };

test.each([
  ["none, where none are asked for", undefined, of(), of(), true],
  ["those asked for", of("daytime"), of("daytime"), of("daytime"), true],
  ["those asked for, over a range too short to teach them", of("daytime"), of("daytime"), of(), true],
  ["none, over a range too short for those asked for", undefined, of("weekday"), of(), true],
  ["none, where some are asked for", undefined, of("daytime"), of("daytime"), false],
  ["some, where none are asked for", of("daytime"), of(), of(), false],
  ["one of two that can be taught", of("daytime"), of("daytime", "weekday"), of("daytime", "weekday"), false],
  ["one of two, where one can be taught", of("daytime"), of("daytime", "weekday"), of("daytime"), true],
  ["those of another time zone", paris, of("daytime"), of("daytime"), false],
  ["none, where the time zone is another", undefined, { ...of(), timezone: "Europe/Paris" }, of(), true],
] as const)("a training with a network of %s goes on with it: %#", (_, kept, asked, taught, expected) => {
  expect(canKeepConditions(kept, asked, taught)).toBe(expected);
});

test.each([
  ["none", [undefined]],
  ["daytime, weekday", [of("daytime", "weekday"), of("daytime", "weekday")]],
  ["f0: daytime; f1: none", [of("daytime"), undefined]],
] as const)("a state says %s", (expected, conditions) => {
  const features = conditions.map((own, i) => ({ name: `f${i}`, conditions: own }));
  expect(summariseConditions(features)).toBe(expected);
});
