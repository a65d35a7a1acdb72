// Calendar: weekends, weekdays, holidays and month ends where they pay; noise, drift and anomalies are none.
import { describe, expect, test } from "bun:test";
import { type Calendar, calendarEffects, fitCalendar } from "../../../src/models/baseline/calendar.ts";
import type { Timeline } from "../../../src/models/detectors/timeline.ts";
import { createRandom, type Random } from "../../../wasm/random.ts";

const HOUR = 3_600_000;
const DAY = 24;
/** The epoch is a Thursday. */
const weekdayOf = (day: number) => (day + 3) % 7;
const isWeekend = (day: number) => weekdayOf(day) >= 5;
const timeline: Timeline = { startAt: 0, intervalMs: HOUR };

function series(days: number, valueAt: (day: number, hour: number, random: Random) => number): Float64Array {
  const random = createRandom(3);
  return Float64Array.from({ length: days * DAY }, (_, i) => valueAt(Math.floor(i / DAY), i % DAY, random));
}

const busy = (hour: number) => 20 + 50 * (1 + Math.sin((2 * Math.PI * (hour - 6)) / DAY));
const office = (day: number, hour: number, random: Random) =>
  (isWeekend(day) ? 0.2 : 1) * busy(hour) + 2 * random.normal();

/** Effect at noon of a day. */
function effectAt(calendar: Calendar, day: number, own: Timeline = timeline): number {
  const at = { ...own, startAt: day * DAY * HOUR };
  return calendarEffects(calendar, at, DAY)[12]!;
}

describe("weeks", () => {
  test.each([2, 3, 8])("%p weeks are enough for weekends", (weeks) => {
    const calendar = fitCalendar(series(7 * weeks, office), timeline)!;
    expect(calendar).toMatchObject({ days: "workday", holidays: "weekend" });
    for (const [day, effect] of [
      [0, 0],
      [2, -0.8 * busy(12)],
      [3, -0.8 * busy(12)],
      [4, 0],
    ] as const)
      expect(Math.abs(effectAt(calendar, 700 + day) - effect)).toBeLessThan(4);
  });

  test("days that all differ are distinguished", () => {
    const levels = [0, 40, -30, 60, 20, -50, 10];
    const column = series(28, (day, hour, random) => busy(hour) + levels[weekdayOf(day)]! + random.normal());
    const calendar = fitCalendar(column, timeline)!;
    expect(calendar.days).toBe("weekday");
    const effects = [...levels.keys()].map((weekday) => effectAt(calendar, 700 + 4 + weekday));
    for (const [weekday, effect] of effects.entries())
      expect(effect - effects[0]!).toBeWithin(
        levels[weekday]! - levels[0]! - 3,
        levels[weekday]! - levels[0]! + 3,
      );
  });

  describe("a counter that is reset each week", () => {
    /** @param resetDays days until it is reset */
    const counter = (days: number, resetDays: number) => {
      // As of the Monday before.
      let count = 3 * DAY * 20;
      return series(days, (day, hour, random) => {
        if (hour === 0 && weekdayOf(day) % resetDays === 0) count = 0;
        count += 20 + 4 * random.normal();
        return count;
      });
    };

    test("has no level by the day of the week where two weeks are known", () => {
      expect(fitCalendar(counter(14, 7), timeline)).toBeUndefined();
      expect(fitCalendar(counter(21, 7), timeline)!.days).toBe("weekday");
    });

    test("has one where that is asked for", () => {
      expect(fitCalendar(counter(14, 7), timeline, true)!.days).toBe("weekday");
    });

    test("is no counter where it is reset each midnight to another level", () => {
      const levels = [0, 4000, -3000, 6000, 2000, -5000, 1000];
      const column = counter(14, 1).map((value, i) => value + levels[weekdayOf(Math.floor(i / DAY))]!);
      expect(fitCalendar(column, timeline)!.days).toBe("weekday");
    });
  });

  test("weekends that noise hides in each interval are found by the means of hours", () => {
    const random = createRandom(5);
    const [intervalMs, perDay] = [HOUR / 12, 12 * DAY];
    const column = Float64Array.from({ length: 28 * perDay }, (_, i) => {
      const [day, hour] = [Math.floor(i / perDay), Math.floor(i / 12) % DAY];
      return (isWeekend(day) ? 0.4 : 1) * busy(hour) + 40 * random.normal();
    });
    const calendar = fitCalendar(column, { ...timeline, intervalMs })!;
    expect(calendar).toMatchObject({ days: "workday" });
    expect(effectAt(calendar, 702)).toBeWithin(-0.6 * busy(12) - 12, -0.6 * busy(12) + 12);
  });

  test("a job of two hours a week is enough", () => {
    const job = (day: number, hour: number, random: Random) =>
      10 + (weekdayOf(day) === 6 && hour >= 3 && hour < 5 ? 30 : 0) + 0.5 * random.normal();
    expect(fitCalendar(series(28, job), timeline)).toMatchObject({ days: "weekday" });
  });

  test.each<[string, number, (day: number, hour: number, random: Random) => number]>([
    ["noise", 28, (_, __, random) => random.normal()],
    ["a daily season", 28, (_, hour, random) => busy(hour) + random.normal()],
    [
      "one weekend that is down",
      28,
      (day, hour, random) => (day === 9 || day === 10 ? 0 : busy(hour)) + random.normal(),
    ],
    [
      "a step between two weeks",
      14,
      (day, hour, random) => busy(hour) + (day < 7 ? 0 : 60) + random.normal(),
    ],
    ["a constant", 28, () => 7],
    ["less than two weeks", 13, office],
    [
      "weekends that differ by little",
      28,
      (day, hour, random) => busy(hour) - (isWeekend(day) ? 1 : 0) + 2 * random.normal(),
    ],
  ])("%s: none", (_, days, valueAt) => expect(fitCalendar(series(days, valueAt), timeline)).toBeUndefined());

  test("intervals of half a day are too long, an empty range has none", () => {
    const column = Float64Array.from({ length: 56 }, (_, i) => (isWeekend(i >> 1) ? 0 : 100));
    expect(fitCalendar(column, { startAt: 0, intervalMs: 12 * HOUR })).toBeUndefined();
    expect(fitCalendar(new Float64Array(2000).fill(Number.NaN), timeline)).toBeUndefined();
  });

  test("gaps of whole days and one wild day leave it as it is", () => {
    const column = series(28, (day, hour, random) => (day === 12 ? 5000 : office(day, hour, random)));
    column.fill(Number.NaN, 5 * DAY, 7 * DAY);
    expect(fitCalendar(column, timeline)).toMatchObject({ days: "workday" });
  });

  test("the settings decide: days of the week although they do not pay, or none although they do", () => {
    const noise = series(28, (_, __, random) => random.normal());
    expect(fitCalendar(noise, timeline, true)).toMatchObject({ days: "weekday" });
    expect(fitCalendar(series(28, office), timeline, false)).toBeUndefined();
    expect(fitCalendar(noise.subarray(0, 10 * DAY), timeline, true)).toBeUndefined();
  });

  test("days are local", () => {
    const offsetMs = 11 * HOUR;
    const local: Timeline = { ...timeline, offsetAt: () => offsetMs };
    const column = Float64Array.from({ length: 28 * DAY }, (_, i) =>
      isWeekend(Math.floor((i + 11) / DAY)) ? 0 : 100,
    );
    const calendar = fitCalendar(column, local)!;
    const effects = calendarEffects(calendar, local, 28 * DAY);
    expect(column.every((value, i) => value - effects[i]! === 100)).toBe(true);
  });
});

describe("holidays", () => {
  const holidays = [11, 26, 40];
  const known: Timeline = { ...timeline, isHoliday: (day) => holidays.includes(day) || day === 700 };
  const seriesWith = (isQuiet: boolean) =>
    series(56, (day, hour, random) => office(isQuiet && holidays.includes(day) ? 2 : day, hour, random));

  test("are as weekends where the training shows it, or has none", () => {
    const calendar = fitCalendar(seriesWith(true), known)!;
    expect(calendar.holidays).toBe("weekend");
    expect(effectAt(calendar, 700, known)).toBe(effectAt(calendar, 702, known));
    expect(effectAt(calendar, 700, timeline)).toBe(0);
    expect(fitCalendar(series(28, office), timeline)!.holidays).toBe("weekend");
  });

  test("are as other workdays where the training shows that", () => {
    const calendar = fitCalendar(seriesWith(false), known)!;
    expect(calendar.holidays).toBe("weekday");
    expect(effectAt(calendar, 700, known)).toBe(0);
  });
});

describe("months", () => {
  const dateOf = (day: number) => new Date(day * DAY * HOUR).getUTCDate();
  const billing = (day: number, hour: number, random: Random) =>
    busy(hour) + (dateOf(day + 1) === 1 ? 80 : 0) - (dateOf(day) === 1 ? 15 : 0) + random.normal();

  test("the last and the first day are learned from three months on, also without weekends", () => {
    const calendar = fitCalendar(series(100, billing), timeline)!;
    expect(calendar.days).toBe("none");
    const lastOfMay = Date.UTC(1971, 4, 31) / (DAY * HOUR);
    expect(effectAt(calendar, lastOfMay)).toBeWithin(76, 84);
    expect(effectAt(calendar, lastOfMay + 1)).toBeWithin(-19, -11);
    expect(effectAt(calendar, lastOfMay + 2)).toBe(0);
  });

  test("two months are too few, and ends that are as other days are none", () => {
    expect(fitCalendar(series(57, billing), timeline)).toBeUndefined();
    expect(
      fitCalendar(
        series(160, (_, hour, random) => busy(hour) + random.normal()),
        timeline,
      ),
    ).toBeUndefined();
  });
});
