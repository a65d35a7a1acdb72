// Calendar steps, time zone, holidays and limits of posted series: answers.
import { describe, expect, test } from "bun:test";
import {
  type Answer,
  DAY,
  datesOf,
  days,
  detect,
  monthEnds,
  newYork,
  pointsAt,
  predict,
  workdays,
} from "./posted-series.ts";

describe("a forecast", () => {
  test.each([
    ["ends of months", { series: monthEnds }, "2025-01-31T00:00Z"],
    ["given months", { series: monthEnds, granularity: "monthly" }, "2025-01-31T00:00Z"],
    [
      "given quarters",
      { series: monthEnds.filter((_, i) => i % 3 === 2), granularity: "quarterly" },
      "2025-03-31T00:00Z",
    ],
    ["workdays", { series: workdays }, "2024-07-01T00:00Z"],
    ["given workdays", { series: workdays.slice(0, 5), granularity: "workdays" }, "2024-01-08T00:00Z"],
    ["three points", { series: monthEnds.slice(0, 3) }, "2021-04-30T00:00Z"],
  ])("goes on by %s", async (_name, body, first) => {
    const answer = await predict({ ...body, horizon: 3 });
    expect(datesOf(answer)[0]).toBe(first);
    expect(answer).toMatchObject({ missing: 0 });
  });

  test("goes on by the clock of the time zone, with or without a granularity", async () => {
    const expected = ["2026-03-08T05:00Z", "2026-03-09T04:00Z", "2026-03-10T04:00Z"];
    for (const granularity of [null, "daily"]) {
      const body = { series: newYork, granularity, timezone: "America/New_York", horizon: 3 };
      expect(datesOf(await predict(body))).toEqual(expected);
    }
  });

  test("takes midnights of UTC as dates in any time zone", async () => {
    for (const timezone of ["America/New_York", "Asia/Tokyo", "Europe/London"]) {
      expect(datesOf(await predict({ series: monthEnds, timezone, horizon: 2 }))).toEqual([
        "2025-01-31T00:00Z",
        "2025-02-28T00:00Z",
      ]);
      expect(datesOf(await predict({ series: workdays, timezone, horizon: 1 }))).toEqual([
        "2024-07-01T00:00Z",
      ]);
    }
  });

  test("stays within its limits", async () => {
    const series = pointsAt(days(Date.UTC(2026, 0, 1), 40), (i) => 5 + 2 * i);
    const { predicted, upper } = await predict({ series, horizon: 20, max: 90 });
    for (const value of [...predicted, ...upper]) expect(value).toBeLessThanOrEqual(90);
    const falling = series.map(({ timestamp }, i) => ({ timestamp, value: 50 - 3 * i }));
    const { lower } = await predict({ series: falling, horizon: 20, min: -80 });
    expect(Math.min(...lower)).toBe(-80);
  });
});

describe("holidays", () => {
  /** Workdays 200, weekends and holidays of Germany 20, up to before Easter 2024. */
  const holidays2022 = ["01-01", "04-15", "04-18", "05-01", "05-26", "06-06", "10-03", "12-25", "12-26"];
  const holidays2023 = ["01-01", "04-07", "04-10", "05-01", "05-18", "05-29", "10-03", "12-25", "12-26"];
  const known = new Set([
    ...holidays2022.map((day) => `2022-${day}`),
    ...holidays2023.map((day) => `2023-${day}`),
    "2024-01-01",
  ]);
  const valueOn = (date: string, i: number) => {
    const isFree = known.has(date) || new Date(date).getUTCDay() % 6 === 0;
    return (isFree ? 20 : 200) + ((7 * i) % 5);
  };
  const dated = pointsAt(days(Date.UTC(2022, 0, 1), 816), (i, day) =>
    valueOn(day.toISOString().slice(0, 10), i),
  );
  const goodFriday = async (body: object) =>
    (await predict({ horizon: 8, holidays: { country: "DE" }, ...body })).predicted[2]!;

  test("of the past show those to come, on dates in any time zone", async () => {
    expect(dated.at(-1)!.timestamp).toStartWith("2024-03-26");
    expect(await goodFriday({ series: dated, holidays: null })).toBeGreaterThan(150);
    for (const timezone of [null, "Europe/Berlin", "America/New_York"])
      expect(await goodFriday({ series: dated, timezone })).toBeLessThan(60);
  });

  test("are local days, also of points that begin in summer", async () => {
    const midnights = dated.slice(100).map(({ timestamp, value }) => ({
      timestamp: Temporal.PlainDate.from(timestamp.slice(0, 10))
        .toZonedDateTime("Europe/Berlin")
        .toInstant()
        .toString(),
      value,
    }));
    expect(midnights[0]!.timestamp).toEndWith("T22:00:00Z");
    expect(await goodFriday({ series: midnights, timezone: "Europe/Berlin" })).toBeLessThan(60);
  });
});

describe("detection", () => {
  const anomaliesOf = ({ isAnomaly }: Answer) => isAnomaly.flatMap((isOne, i) => (isOne ? [i] : []));

  test("in months is that of their most frequent distance", async () => {
    const found = await detect({ series: monthEnds });
    expect(found).toMatchObject({ period: 12, missing: 0 });
    expect(anomaliesOf(found)).toEqual([37]);
    for (const options of [
      { granularity: "monthly" },
      { bucket_interval: "31d" },
      { timezone: "Europe/Berlin" },
    ])
      expect(await detect({ series: monthEnds, ...options })).toEqual(found);
  });

  test("in workdays has no weekends, and the anomalies of the days", async () => {
    const found = await detect({ series: workdays });
    expect(found).toMatchObject({ period: 5, missing: 0 });
    expect(anomaliesOf(found)).toEqual([60]);
    expect(await detect({ series: workdays, granularity: "workdays" })).toEqual(found);
    const inDays = await detect({ series: workdays, granularity: "daily" });
    expect(inDays).toMatchObject({ period: 7, missing: 50 });
    expect(anomaliesOf(inDays)).toEqual([60]);
  });
});

describe("two days, or weeks, that certainly repeat are a season", () => {
  const startAt = Date.UTC(2026, 0, 5);
  const isWeekend = (date: Date) => date.getUTCDay() % 6 === 0;
  const shapes = {
    "a job each night": [DAY / 24, 56, (date: Date) => (date.getUTCHours() < 3 ? 40 : 0)],
    "weekends by the hour": [DAY / 24, 372, (date: Date) => (isWeekend(date) ? 0 : 60)],
    "weekends by the day": [DAY, 17, (date: Date) => (isWeekend(date) ? 0 : 60)],
  } as const;

  test.each([
    ["a job each night", [24], 40],
    ["weekends by the hour", [24, 168], 200],
    ["weekends by the day", [7], 12],
  ] as const)("%s", async (name, periods, odd) => {
    const [step, count, shape] = shapes[name];
    const instants = Array.from({ length: count }, (_, i) => startAt + i * step);
    const series = (at?: number) =>
      pointsAt(instants, (i, date) => 20 + shape(date) + Math.sin(i * i) + (i === at ? 50 : 0));
    const usual = await detect({ series: series() });
    expect(usual.isAnomaly.filter(Boolean)).toEqual([]);
    expect(periods).toContain((usual as { period?: number }).period as never);
    const { isAnomaly } = await detect({ series: series(odd) });
    const found = [...isAnomaly.keys()].filter((i) => isAnomaly[i]);
    expect(found).toContain(odd);
    // Of two values at one time either may be the odd one.
    expect(found.filter((i) => (odd - i) % periods[0] !== 0)).toEqual([]);
  });
});
