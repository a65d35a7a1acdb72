// Stateless forecasts: seasons continue, bands are calibrated, short series are forecast too.
import { describe, expect, test } from "bun:test";
import {
  type Forecaster,
  type ForecastInput,
  forecasters,
  predictSeries,
} from "../../../src/models/stateless/predict.ts";
import { makeSeries, signal, wave } from "./support.ts";

const PERIOD = 24;
const whole = makeSeries(PERIOD * 30, (i, noise) => 50 + wave(i, PERIOD) + noise);
const known = whole.slice(0, PERIOD * 29);
const coming = whole.slice(PERIOD * 29);

const predict = (column: Float64Array, over: Partial<ForecastInput> = {}) =>
  predictSeries(
    { column, period: PERIOD, horizon: PERIOD, levels: [0.9], forecaster: "auto", ...over },
    signal,
  );

describe.each([...forecasters] as Forecaster[])("%s", (forecaster) => {
  test("goes on with the season, and its band holds what comes", async () => {
    const { predicted, bands, relativeError } = await predict(known, { forecaster });
    const errors = predicted.map((value, i) => Math.abs(value - coming[i]!));
    expect(errors.reduce((sum, error) => sum + error, 0) / PERIOD).toBeLessThan(1.6);
    const { lower, upper } = bands[0]!;
    const inside = coming.filter((value, i) => value >= lower[i]! && value <= upper[i]!);
    expect(inside.length).toBeGreaterThanOrEqual(0.75 * PERIOD);
    expect(relativeError).toBeLessThan(1);
  });
});

test("bands of higher levels are wider", async () => {
  const { bands, predicted } = await predict(known, { levels: [0.5, 0.8, 0.99] });
  for (const [i, value] of predicted.entries())
    for (const [k, { lower, upper }] of bands.entries()) {
      expect(lower[i]).toBeLessThanOrEqual(value);
      expect(upper[i]).toBeGreaterThanOrEqual(value);
      if (k > 0)
        expect(upper[i]! - lower[i]!).toBeGreaterThan(bands[k - 1]!.upper[i]! - bands[k - 1]!.lower[i]!);
    }
});

test.each([
  ["twelve points", makeSeries(12, (i) => i), 0, 24],
  ["a constant", makeSeries(50, () => 5), 0, 24],
  ["gaps all over", makeSeries(60, (i, noise) => (i % 3 === 1 ? Number.NaN : noise)), 0, 5],
  ["a gap at the end of the known part", makeSeries(60, (i) => (i > 20 && i < 59 ? Number.NaN : i)), 0, 5],
  ["a period of half the series", makeSeries(40, (i) => wave(i, 20)), 20, 40],
] as [string, Float64Array, number, number][])("%s are enough", async (_name, column, period, horizon) => {
  const { predicted, bands } = await predict(column, { period, horizon });
  expect(predicted.length).toBe(horizon);
  for (const [i, value] of predicted.entries()) {
    expect(value).toBeFinite();
    expect(bands[0]!.lower[i]).toBeLessThanOrEqual(value);
    expect(bands[0]!.upper[i]).toBeGreaterThanOrEqual(value);
  }
});
