// Special days of a series: holidays and ends of months are learned, left out of the history and added ahead.

import { describe, expect, test } from "bun:test";
import { offsetsOf } from "../../../src/core/time/timezone.ts";
import { dayFromMonthEnd } from "../../../src/models/baseline/local-day.ts";
import type { Timeline } from "../../../src/models/detectors/timeline.ts";
import { fitForecast } from "../../../src/models/forecasters/fit.ts";
import { createSeries } from "../../../src/models/forecasters/local-time.ts";
import { predictFeature } from "../../../src/models/forecasters/predict.ts";
import {
  fitSpecialDays,
  leaveSpecialDays,
  type SpecialDays,
  specialEffects,
} from "../../../src/models/forecasters/special-days.ts";
import { DAY, HOUR, makeColumn, makeNoise, meanAbsolute, signal, WEEK } from "./support.ts";

const DAY_MS = DAY * HOUR;
/** A Monday. */
const startAt = Date.UTC(2026, 0, 5);
const firstDay = startAt / DAY_MS;
/** Wednesdays, and a Sunday, by days since the start; the last Wednesday lies ahead of 20 weeks. */
const wednesdays = [16, 37, 58, 79, 100, 20 * 7 + 2];
const sunday = 41;
const isHoliday = (day: number) => [...wednesdays, sunday].includes(day - firstDay);

const timelineWith = (over: Partial<Timeline> = {}): Timeline => ({ startAt, intervalMs: HOUR, ...over });
const withHolidays = timelineWith({ isHoliday });

const dayAt = (i: number) => Math.floor(i / DAY);
const dateAt = (i: number) => new Date(startAt + dayAt(i) * DAY_MS);
const isEnd = (i: number) => new Date(dateAt(i).getTime() + DAY_MS).getUTCDate() === 1;
const isStart = (i: number) => dateAt(i).getUTCDate() === 1;
const isFree = (i: number) => wednesdays.includes(dayAt(i));
/** 100 on workdays, 60 on Saturdays, 20 on Sundays, and a wave a day. */
const usual = (i: number) =>
  [100, 100, 100, 100, 100, 60, 20][dayAt(i) % 7]! + 10 * Math.sin((2 * Math.PI * i) / DAY);
const asSunday = (i: number) => usual(i) - (isFree(i) ? 80 : 0);
const busier = (i: number) => usual(i) + (isFree(i) ? 70 : 0);

function learn(value: (i: number) => number, timeline: Timeline = withHolidays, length = 20 * WEEK) {
  const noise = makeNoise(23);
  return fitSpecialDays(
    makeColumn(length, (i) => value(i) + noise()),
    timeline,
  );
}

const effectOf = (size: number) => Array.from({ length: DAY }, () => expect.closeTo(size, -1));

describe("learned", () => {
  test("holidays as Sundays", () => {
    expect(learn(asSunday)).toEqual({ holidays: "sunday" });
  });

  test("holidays by an effect of their own", () => {
    expect(learn(busier)).toEqual({ holidays: "own", workday: effectOf(70) });
  });

  test.each([
    [
      "as Sundays, before there was one",
      (i: number) => usual(i),
      timelineWith({ isHoliday: (day) => day < 0 }),
    ],
    ["as Sundays, of two of them", (i: number) => usual(i) - (isFree(i) ? 80 : 0), withHolidays],
  ] as const)("holidays %s", (_, value, timeline) => {
    expect(learn(value, timeline, 6 * WEEK)).toEqual({ holidays: "sunday" });
  });

  test("ends of months, by what they add", () => {
    const found = learn((i) => usual(i) + (isEnd(i) ? 50 : 0), timelineWith());
    expect(found).toEqual({ holidays: "usual", monthEnd: effectOf(50) });
  });

  test("first days of months, beside holidays", () => {
    const found = learn((i) => asSunday(i) - (isStart(i) ? 15 : 0));
    expect(found).toEqual({ holidays: "sunday", monthStart: effectOf(-15) });
  });

  test("another day of the month, by what it adds", () => {
    const isBill = (i: number) => dateAt(i).getUTCDate() === 15;
    const found = learn((i) => usual(i) + (isBill(i) ? 200 : 0), timelineWith());
    expect(found).toEqual({ holidays: "usual", monthDays: [{ day: 15, effects: effectOf(200) }] });
  });

  test("days counted back from the end of a month", () => {
    const isLate = (i: number) =>
      [-2, -3].includes(dayFromMonthEnd(Math.floor(dateAt(i).getTime() / DAY_MS)));
    const found = learn((i) => usual(i) + (isLate(i) ? 200 : 0), timelineWith())!;
    expect(found.monthDays!.map(({ day }) => day).toSorted((a, b) => a - b)).toEqual([-3, -2]);
  });

  test.each([
    ["where holidays are as other days", usual, withHolidays, 20 * WEEK],
    ["where none is known", usual, timelineWith(), 20 * WEEK],
    ["of less than two weeks", asSunday, withHolidays, 2 * WEEK - DAY],
    ["of intervals longer than a day", usual, { ...withHolidays, intervalMs: 2 * DAY_MS }, 200],
    ["of nothing", () => Number.NaN, withHolidays, 20 * WEEK],
  ] as const)("nothing %s", (_, value, timeline, length) => {
    expect(learn(value, timeline, length)).toBeUndefined();
  });
});

describe("the history", () => {
  const column = makeColumn(20 * WEEK, (i) => i);
  const missingDays = (special: SpecialDays, timeline: Timeline = withHolidays) => {
    const left = leaveSpecialDays(column, special, timeline);
    for (const [i, value] of left.entries()) if (!Number.isNaN(value)) expect(value).toBe(i);
    return [
      ...new Set(
        Array.from(left.keys())
          .filter((i) => Number.isNaN(left[i]!))
          .map(dayAt),
      ),
    ];
  };
  const known = wednesdays.slice(0, -1);

  test.each([
    ["holidays as Sundays, unless at a weekend", { holidays: "sunday" }, known],
    ["holidays of their own", { holidays: "own", workday: [1] }, known],
    ["no holidays that are as other days", { holidays: "usual" }, []],
    ["ends of months, unless holidays", { holidays: "usual", monthEnd: [1] }, [26, 54, 85, 115]],
    [
      "another day of the month, unless a holiday",
      { holidays: "usual", monthDays: [{ day: 15, effects: [1] }] },
      [10, 69, 130],
    ],
    [
      "the last day but one of a month",
      { holidays: "usual", monthDays: [{ day: -2, effects: [1] }] },
      [25, 53, 84, 114],
    ],
    ["first days of months, unless holidays", { holidays: "usual", monthStart: [1] }, [27, 55, 86, 116]],
  ] as const)("is left without %s", (_, special, days) => {
    expect(missingDays(special as unknown as SpecialDays)).toEqual([...days]);
  });

  test("goes by the local day", () => {
    const timeline = { ...withHolidays, offsetAt: offsetsOf("Asia/Tokyo") };
    const left = leaveSpecialDays(column, { holidays: "sunday" }, timeline);
    const missing = Array.from(left.keys()).filter((i) => Number.isNaN(left[i]!));
    expect(missing.slice(0, DAY)).toEqual(Array.from({ length: DAY }, (_, k) => 16 * DAY - 9 + k));
  });
});

describe("days ahead", () => {
  const column = makeColumn(20 * WEEK, asSunday);
  const horizon = WEEK;
  const ahead = (special: SpecialDays, timeline: Timeline = withHolidays) =>
    specialEffects(special, column, { timeline, horizon });
  /** An amount on the Wednesday, 0 on the other days. */
  const onWednesday = (amount: (slot: number) => number) =>
    makeColumn(horizon, (i) => (dayAt(i) === 2 ? amount(i % DAY) : 0));

  test("a holiday as Sunday lies as much below its weekday as Sundays do", () => {
    const effects = ahead({ holidays: "sunday" });
    for (const [i, value] of onWednesday(() => -80).entries()) expect(effects[i]!).toBeCloseTo(value, 6);
  });

  test("a holiday of its own has its effect by the time of day", () => {
    const workday = Array.from({ length: DAY }, (_, slot) => slot);
    expect(ahead({ holidays: "own", workday })).toEqual(onWednesday((slot) => slot));
    expect(ahead({ holidays: "own", workday: [5, 6] })).toEqual(onWednesday((slot) => (slot < 12 ? 5 : 6)));
  });

  test("ends and starts of months have theirs", () => {
    const june = specialEffects({ holidays: "usual", monthStart: [3], monthEnd: [4] }, column, {
      timeline: timelineWith(),
      horizon: 2 * WEEK,
    });
    // The history ends on 24 May.
    expect([5, 6, 7, 8].map((day) => june[day * DAY])).toEqual([0, 4, 3, 0]);
  });

  test.each([
    ["holidays that are as other days", { holidays: "usual" }, withHolidays],
    [
      "a holiday at a weekend",
      { holidays: "sunday" },
      timelineWith({ isHoliday: (day) => (day - firstDay) % 7 > 4 }),
    ],
    ["no holiday", { holidays: "sunday" }, timelineWith()],
  ] as const)("nothing for %s", (_, special, timeline) => {
    expect(ahead(special, timeline)).toEqual(new Float64Array(horizon));
  });

  test("without a history there is no Sunday to go by", () => {
    const empty = specialEffects({ holidays: "sunday" }, new Float64Array(0), {
      timeline: timelineWith({ isHoliday: () => true }),
      horizon: 48,
    });
    expect(empty).toEqual(new Float64Array(48));
  });
});

describe.each([
  ["as Sundays", asSunday],
  ["of their own", busier],
] as const)("with holidays %s", (_, value) => {
  const noise = makeNoise(24);
  const column = makeColumn(20 * WEEK, (i) => value(i) + noise());
  const series = createSeries(column, withHolidays);
  const truth = makeColumn(WEEK, (i) => value(20 * WEEK + i));

  test("the next one is forecast, and the days beside it are", async () => {
    const input = { series, timeline: withHolidays, heldOutFrom: 14 * WEEK, forecaster: "auto" } as const;
    const parameters = await fitForecast({ ...input, effort: { origins: 6, passes: 1 } }, signal);
    const target = { series, timeline: withHolidays, horizon: WEEK, levels: [0.9] };
    const { predicted } = await predictFeature(parameters, target, signal);
    for (const day of [1, 2, 3]) {
      const [from, to] = [day * DAY, (day + 1) * DAY];
      expect(meanAbsolute(predicted.slice(from, to), truth.subarray(from, to))).toBeLessThan(3);
    }
  });
});
