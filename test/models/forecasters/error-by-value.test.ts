// Errors by the value that was forecast: found where both halves of the past have them, and in the width of a band.
import { expect, test } from "bun:test";
import { createAnalyst } from "../../../src/app/offline.ts";
import { errorFactorAt, fitErrorByValue } from "../../../src/models/forecasters/error-by-value.ts";
import { leadsTo, makeNoise } from "./support.ts";

const DAY = 24;
const leads = leadsTo(DAY);
const plan = { leads, origins: Array.from({ length: 100 }, (_, k) => DAY * k) };
const traffic = (hour: number) => 60 - 40 * Math.cos((2 * Math.PI * hour) / DAY);

/** Errors of forecasts of a day's curve. @param deviation of what is forecast, and of an interval */
function fit(deviation: (value: number, interval: number) => number, value = traffic) {
  const noise = makeNoise(3);
  const forecasts = plan.origins.map((origin) => Float64Array.from(leads, (lead) => value(origin + lead)));
  const errors = forecasts.map((own, o) =>
    own.map((forecast, i) => noise() * deviation(forecast, plan.origins[o]! + leads[i]!)),
  );
  return fitErrorByValue(errors, forecasts, plan);
}

test("errors that are a share of the value grow with it", () => {
  const by = fit((value) => value / 60);
  const [night, noon] = [20, 100].map((value) => errorFactorAt(by, value)) as [number, number];
  expect(noon / night).toBeGreaterThan(3.5);
  expect(noon / night).toBeLessThan(5.5);
  expect(errorFactorAt(by, 1000)).toBe(errorFactorAt(by, 100.1));
});

test("between two values the factor is linear", () => {
  const by = { values: [0, 10], factors: [1, 3] };
  expect([-5, 0, 5, 10, 15].map((value) => errorFactorAt(by, value))).toEqual([1, 1, 2, 3, 3]);
});

test.each([
  ["errors of one size", () => 1, traffic],
  [
    "errors that grow with the time, as a level that rises",
    (_: number, i: number) => i / 1200,
    (i: number) => i,
  ],
] as const)("%s do not depend on the value", (_, deviation, value) => {
  expect(fit(deviation, value)).toBeUndefined();
});

test("few errors, and none at all, tell nothing", () => {
  const few = { leads, origins: [0] };
  const own = [Float64Array.from(leads, (lead) => lead)];
  expect(fitErrorByValue(own, own, few)).toBeUndefined();
  expect(fit(() => 0)).toBeUndefined();
});

test("the band of traffic whose noise is a share of it is narrow at night and wide at noon", async () => {
  const noise = makeNoise(5);
  const series = Array.from({ length: 21 * DAY }, (_, i) => ({
    timestamp: 1_760_000_400 + 3600 * i,
    value: traffic(i) * (1 + 0.1 * noise()),
  }));
  const { forecast } = createAnalyst();
  const body = { series, horizon: DAY, p_val: 0.9 };
  const { lower, upper } = await forecast(body, new AbortController().signal);
  const widthAt = (hour: number) => upper[hour]! - lower[hour]!;
  expect(widthAt(12) / widthAt(0)).toBeGreaterThan(2.5);
  expect(widthAt(0)).toBeLessThan(12);
  expect(widthAt(12)).toBeGreaterThan(24);
});
