// Options of posted series: the jobs that they become, and refusals.
import { describe, expect, test } from "bun:test";
import { runForecast } from "../../../src/jobs/handlers/series.ts";
import type { SeriesForecastJob } from "../../../src/jobs/queue/input.ts";
import {
  DAY,
  detect,
  detections,
  jobs,
  monthEnds,
  newYork,
  predict,
  signal,
  workdays,
} from "./posted-series.ts";

const weekend = [...workdays.slice(0, 15), { timestamp: "2024-01-20T00:00:00Z", value: 5 }];

describe("the job of a forecast", () => {
  test("has all options, as JSON", async () => {
    const holidays = { country: "DE", region: "BE" };
    const options = { timezone: "Europe/Berlin", holidays, min: 0, max: 100, horizon: 3 };
    const body = { series: newYork, ...options };
    await detections.predict(body, { signal, background: true });
    const { input } = jobs.at(-1)!;
    expect(input).toMatchObject({
      timezone: "Europe/Berlin",
      holidays,
      limits: { min: 0, max: 100 },
      firstAt: Date.parse(newYork[0]!.timestamp),
      lastAt: Date.parse(newYork.at(-1)!.timestamp),
      step: { kind: "fixed", ms: DAY, local: true },
    });
    const revived = JSON.parse(JSON.stringify(input)) as SeriesForecastJob;
    expect(revived).toEqual(input as SeriesForecastJob);
    expect(await runForecast(revived, signal)).toEqual((await predict(body)) as never);
  });

  test.each([
    ["months", { series: monthEnds }, { step: { kind: "months", months: 1, day: 31 }, isDated: true }],
    ["workdays", { series: workdays }, { step: { kind: "workdays" }, isDated: true }],
  ])("has the step of %s", async (_name, body, expected) => {
    await detections.predict({ ...body, horizon: 2 }, { signal, background: true });
    const { input } = jobs.at(-1)!;
    expect(input).toMatchObject(expected);
    const revived = JSON.parse(JSON.stringify(input)) as SeriesForecastJob;
    expect(await runForecast(revived, signal)).toEqual((await predict({ ...body, horizon: 2 })) as never);
  });
});

describe("refuses", () => {
  const forecast = { series: newYork };
  const cases: [string, object, path: string, text: string, code?: string][] = [
    [
      "an unknown zone",
      { ...forecast, timezone: "Mars/Base" },
      "timezone",
      "IANA time zone, as in Europe/Paris",
    ],
    [
      "an unknown region",
      { ...forecast, holidays: { country: "DE", region: "XX" } },
      "holidays.region",
      "choose from BB, BE",
    ],
    [
      "a country in small letters",
      { ...forecast, holidays: { country: "de" } },
      "holidays.country",
      "as in FR",
    ],
    [
      "a named calendar",
      { ...forecast, holidays: { calendar: "sale" } },
      "holidays.calendar",
      "in holidays.ical",
    ],
    ["no holidays at all", { ...forecast, holidays: {} }, "holidays", "must have a country"],
    [
      "holidays of months",
      { series: monthEnds, holidays: { country: "DE" } },
      "holidays",
      "these are 1 month apart: leave them out",
    ],
    [
      "holidays of workdays",
      { series: workdays, holidays: { country: "DE" } },
      "holidays",
      "give the granularity daily",
    ],
    [
      "holidays without timestamps",
      { series: monthEnds, granularity: "none", holidays: { country: "DE" } },
      "holidays",
      "evenly spaced",
    ],
    [
      "holidays for the network",
      { ...forecast, holidays: { country: "DE" }, forecaster: "donut" },
      "holidays",
      "donut",
    ],
    ["equal limits", { ...forecast, min: 4, max: 4 }, "min", "must be below max (4)"],
    ["a limit that is a text", { ...forecast, min: "low" }, "min", "number"],
    [
      "two points",
      { series: newYork.slice(0, 2) },
      "series",
      "has 2 points, at least 3 are needed",
      "too_little_data",
    ],
    [
      "a Saturday among workdays",
      { series: weekend, granularity: "workdays" },
      "series.15.timestamp",
      "is on a Saturday in UTC: leave out such points, give the granularity daily, or the timezone",
    ],
    [
      "several workdays at once",
      { series: workdays, granularity: "workdays", customInterval: 2 },
      "customInterval",
      "must be 1",
    ],
  ];
  test.each(cases)("%s", async (_name, body, path, text, code = "invalid") => {
    await expect(predict(body)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(text),
      details: { path },
    });
  });

  test.each([
    ["an unknown zone", { series: monthEnds, timezone: "Mars/Base" }, "timezone", "IANA"],
    ["options of forecasts", { series: monthEnds, holidays: { country: "DE" } }, "holidays", "is unknown"],
    [
      "a Saturday among workdays",
      { series: weekend, granularity: "workdays" },
      "series.15.timestamp",
      "Saturday",
    ],
  ] as [string, object, string, string][])("%s in detections", async (_name, body, path, text) => {
    await expect(detect(body)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(text),
      details: { path },
    });
  });
});
