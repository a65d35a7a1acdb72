// Checks of imported forecast parameters.
import { expect, test } from "bun:test";
import { check } from "../../../src/core/input/schema.ts";
import {
  checkForecast,
  type ForecastParameters,
  ForecastSchema,
} from "../../../src/models/forecasters/parameters.ts";
import { errorOf } from "../../core/expect.ts";

const smoothing = { level: 0.1, trend: 0, damping: 1, day: 0.1, week: 0, memory: 0.5 };
const smoothed = { method: "holt-winters", seasons: { day: 24 }, smoothing, weight: 0.3 } as const;
const seasonal = { method: "seasonal", season: "mixed", follow: 0.6, weight: 0.5 } as const;
const donut = { method: "donut", weight: 0.2 } as const;
const trend = { kind: "additive", span: "steady", damping: 0.95 } as const;
const fine: ForecastParameters = {
  members: [seasonal, smoothed, donut],
  band: { leads: [0, 5], scales: [1, 2], quantiles: [-1, 0, 2], lowerTail: 1, upperTail: 0, sample: 8 },
  history: 1344,
  nonNegative: true,
  center: -3,
  simpleError: 2,
  error: { mae: 1, mase: 0.7 },
};

const believe = (value: unknown) =>
  checkForecast(check(ForecastSchema, value, "f") as ForecastParameters, "f");

test("one as a training makes it is fine", () => {
  expect(() => believe(fine)).not.toThrow();
});

const byValue = { values: [1, 5], factors: [0.5, 1.5] };

test("a trend, and a band with its growth and its errors by value, are fine", () => {
  expect(() => believe({ ...fine, trend, band: { ...fine.band, growth: 0.5, byValue } })).not.toThrow();
});

const { band } = fine;
test.each([
  [
    "f.members",
    "must be one of the forecasts seasonal, holt-winters",
    { members: [{ method: "oracle", weight: 1 }] },
  ],
  [
    "f.members",
    "must be one of the forecasts seasonal, holt-winters",
    { members: [{ ...seasonal, season: "year" }] },
  ],
  ["f.members", "must be one of the forecasts seasonal", { members: [{ ...smoothed, seasons: { day: 1 } }] }],
  ["f.members", "must have weights that add up to 1", { members: [seasonal, smoothed] }],
  ["f.members", "must have at least 1 entry", { members: [] }],
  ["f.history", "must be at least 1", { history: 0 }],
  ["f.history", "must be a whole number from 0 to 100000", { history: 1e9 }],
  ["f.center", "must be number", { center: Number.NaN }],
  ["f.simpleError", "must be a number above 0", { simpleError: 0 }],
  ["f.reference.error", "must be a number above 0", { reference: { member: 0, error: 0 } }],
  ["f.reference.member", "must be the index of a member", { reference: { member: 9, error: 1 } }],
  ["f.band.scales", "must be 2 numbers", { band: { ...band, scales: [1] } }],
  ["f.band.scales.1", "must be a number above 0", { band: { ...band, scales: [1, 0] } }],
  ["f.band.leads", "must be ascending from 0", { band: { ...band, leads: [1, 5] } }],
  ["f.band.leads", "must be ascending from 0", { band: { ...band, leads: [0, 0] } }],
  ["f.band.quantiles", "must be ascending", { band: { ...band, quantiles: [1, 0] } }],
  ["f.band.sample", "must be a number, at least 1", { band: { ...band, sample: 0 } }],
  ["f.band.growth", "must be a number, at least 0", { band: { ...band, growth: -1 } }],
  [
    "f.band.byValue.factors",
    "must be 2 numbers",
    { band: { ...band, byValue: { ...byValue, factors: [1, 1, 1] } } },
  ],
  [
    "f.band.byValue.factors.0",
    "must be a number above 0",
    { band: { ...band, byValue: { ...byValue, factors: [0, 1] } } },
  ],
  [
    "f.band.byValue.values",
    "must be ascending",
    { band: { ...band, byValue: { ...byValue, values: [5, 1] } } },
  ],
  ["f.trend.damping", "must be above 0 and at most 1", { trend: { ...trend, damping: 0 } }],
  ["f.trend.kind", "must be one of additive, multiplicative", { trend: { ...trend, kind: "cubic" } }],
  ["f.trend.span", "must be one of steady, recent", { trend: { ...trend, span: "ever" } }],
  ["f.more", "is unknown", { more: 1 }],
] as const)("%s %s", (path, message, change) => {
  const error = errorOf(() => believe({ ...fine, ...change }));
  expect(error.code).toBe("invalid");
  expect(String(error.details.path)).toStartWith(path);
  expect(error.message).toContain(message);
});
