// Fit and use of a forecast: calibrated bands, any history, no look-ahead.
import { describe, expect, test } from "bun:test";
import { check } from "../../../src/core/input/schema.ts";
import type { FitInput } from "../../../src/models/forecasters/backtest.ts";
import { fitForecast } from "../../../src/models/forecasters/fit.ts";
import {
  checkForecast,
  type ForecastParameters,
  ForecastSchema,
} from "../../../src/models/forecasters/parameters.ts";
import { needsNetwork, predictFeature } from "../../../src/models/forecasters/predict.ts";
import { DAY, HOUR, makeColumn, makeNoise, meanAbsolute, seasonal, signal, WEEK } from "./support.ts";

const levels = [0.68, 0.95];
const noNetwork = () => Promise.reject(new Error("the network was not to be asked"));

function fit(column: Float64Array, over: Partial<FitInput> = {}) {
  const heldOutFrom = Math.floor(column.length * 0.7);
  const series = { column, intervalMs: HOUR };
  // A network that knows no more than 0: whatever else there is, is better.
  const forecastPast: FitInput["forecastPast"] = async ({ origins, horizon }) =>
    origins.map(() => new Float64Array(horizon));
  return fitForecast({ series, heldOutFrom, forecaster: "auto", forecastPast, ...over }, signal);
}

async function forecast(column: Float64Array, over: Partial<FitInput> = {}, horizon = DAY) {
  const parameters = await fit(column, over);
  const intervalMs = over.series?.intervalMs ?? HOUR;
  const network = new Float64Array(horizon);
  return predictFeature(
    parameters,
    { series: { column, intervalMs }, horizon, levels, network: () => network },
    signal,
  );
}

function expectSound({ predicted, bands }: Awaited<ReturnType<typeof forecast>>): void {
  for (const [i, value] of predicted.entries()) {
    for (const { lower, upper } of bands) {
      expect(Number.isFinite(lower[i]! + value + upper[i]!)).toBe(true);
      expect(lower[i]!).toBeLessThanOrEqual(value);
      expect(upper[i]!).toBeGreaterThanOrEqual(value);
    }
  }
}

const noise = makeNoise(31);
const noisy = makeColumn(16 * WEEK, (i) => seasonal(i) + 4 * noise());

test("days and weeks are found out, and foretold to within the noise", async () => {
  const { predicted } = await forecast(noisy.subarray(0, 6 * WEEK), {}, WEEK);
  const truth = makeColumn(WEEK, (i) => seasonal(6 * WEEK + i));
  expect(meanAbsolute(predicted, truth)).toBeLessThan(2.5);
});

test("an outage that was left out leaves the band as wide as the noise makes it", async () => {
  const noise = makeNoise(4);
  const calm = makeColumn(400, () => 100 + noise());
  const widthOf = async (column: Float64Array) => {
    const [, { lower, upper }] = (await forecast(column)).bands as [
      unknown,
      { lower: Float64Array; upper: Float64Array },
    ];
    return upper[12]! - lower[12]!;
  };
  const broken = calm.map((value, i) => (i >= 300 && i < 320 ? 0 : value));
  expect(await widthOf(broken)).toBeLessThan(2 * (await widthOf(calm)));
});

test("a step in two weeks of days is no season: the new level stays, in a band of the noise", async () => {
  const widths: number[] = [];
  let wrong = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const noise = makeNoise(seed);
    const column = makeColumn(14, (i) => (i < 9 ? 100 : 150) + 4 * noise());
    const over = { series: { column, intervalMs: 24 * 3_600_000 }, heldOutFrom: 7, asked: 7 };
    const { predicted, bands } = await forecast(column, { ...over, forecastPast: undefined }, 7);
    const [{ lower, upper }] = bands as [{ lower: Float64Array; upper: Float64Array }];
    widths.push((upper[3]! - lower[3]!) / 8);
    if (
      meanAbsolute(
        predicted,
        makeColumn(7, () => 150),
      ) > 8
    )
      wrong++;
  }
  // Of 68 %, in the width around a known level; where noise looks like another step, neither can be told.
  expect(widths.filter((width) => width > 4).length).toBeLessThan(2);
  expect(wrong).toBeLessThan(2);
});

test("facts tell an outage that was left out, and the value that a series rests at", async () => {
  const noise = makeNoise(4);
  const level = makeColumn(400, (i) => (i >= 300 && i < 320 ? 0 : 100 + noise()));
  expect((await fit(level)).facts).toMatchObject({ departures: [[100, 20]] });
  const stopped = makeColumn(14 * DAY, (i) => (i >= 12 * DAY ? 0 : 50 + noise()));
  expect((await fit(stopped)).facts?.rest).toBe(0);
  const { departures, rest } = (await fit(makeColumn(400, () => 100 + noise()))).facts!;
  expect([departures, rest]).toEqual([undefined, undefined]);
});

test("bands hold what they promise", async () => {
  const parameters = await fit(noisy.subarray(0, 8 * WEEK));
  const held = [0, 0];
  let count = 0;
  for (let origin = 8 * WEEK; origin + DAY <= noisy.length; origin += 31) {
    const series = { column: noisy.subarray(origin - 8 * WEEK, origin), intervalMs: HOUR };
    const { bands } = await predictFeature(parameters, { series, horizon: DAY, levels }, signal);
    for (let h = 0; h < DAY; h++, count++) {
      const value = noisy[origin + h]!;
      for (const [k, { lower, upper }] of bands.entries())
        if (value >= lower[h]! && value <= upper[h]!) held[k]!++;
    }
  }
  expect(held[0]! / count).toBeWithin(0.63, 0.76);
  expect(held[1]! / count).toBeWithin(0.92, 0.985);
});

test("a version whose bands follow the errors of all members together goes on so", () =>
  expectWider(({ reference: _, ...older }) => ({ ...older, simpleError: 1.8 })));

test("a series that becomes three times as noisy gets a wider band", () => expectWider((same) => same));

async function expectWider(change: (trained: ForecastParameters) => ForecastParameters): Promise<void> {
  const wilder = makeNoise(32);
  const column = makeColumn(8 * WEEK, (i) => seasonal(i) + (i < 6 * WEEK ? 2 : 6) * wilder());
  const parameters = change(await fit(column.subarray(0, 6 * WEEK)));
  const widthAt = async (origin: number) => {
    const series = { column: column.subarray(0, origin), intervalMs: HOUR };
    const { bands } = await predictFeature(parameters, { series, horizon: DAY, levels }, signal);
    return bands[0]!.upper[5]! - bands[0]!.lower[5]!;
  };
  expect((await widthAt(8 * WEEK)) / (await widthAt(6 * WEEK))).toBeWithin(1.4, 2.1);
}

describe("what never was below 0", () => {
  test("is not foretold below 0, nor is its band", async () => {
    const tiny = makeColumn(6 * WEEK, (i) => (i % 7 === 0 ? Math.abs(noise()) : 0));
    const answer = await forecast(tiny);
    expectSound(answer);
    for (const { lower } of answer.bands) for (const edge of lower) expect(edge).toBeGreaterThanOrEqual(0);
  });

  test("may be, where it was", async () => {
    const { bands } = await forecast(makeColumn(6 * WEEK, () => noise()));
    expect(Math.min(...bands[1]!.lower)).toBeLessThan(-1);
  });
});

test("a percentage that is often 100 is forecast to stay at it or below, with its band", async () => {
  const busy = makeColumn(6 * WEEK, (i) =>
    Math.min(100, 90 + 20 * Math.sin((2 * Math.PI * i) / DAY) + noise()),
  );
  const answer = await forecast(busy);
  expectSound(answer);
  expect(Math.max(...answer.bands[1]!.upper)).toBe(100);
});

test("limits that are set hold prediction and bands, whatever was learned", async () => {
  const column = makeColumn(4 * WEEK, (i) => 50 + i / DAY + noise());
  const parameters = await fit(column);
  const series = { column, intervalMs: HOUR };
  const limits = { min: 76, max: 80 };
  const answer = await predictFeature(parameters, { series, horizon: WEEK, levels, limits }, signal);
  expectSound(answer);
  for (const { lower, upper } of answer.bands) {
    expect(Math.min(...lower)).toBeGreaterThanOrEqual(76);
    expect(Math.max(...upper)).toBe(80);
  }
});

describe("little or nothing to go on", () => {
  test.each([
    ["two values", 2, () => 5],
    ["less than a day", 15, () => 5 + noise()],
    ["two days", 2 * DAY, (i: number) => seasonal(i)],
    ["a constant", 3 * DAY, () => 7],
    ["all but nothing", 4 * DAY, (i: number) => (i === 11 ? 3 : Number.NaN)],
    ["half of it missing", 3 * WEEK, (i: number) => (i % 2 ? seasonal(i) : Number.NaN)],
    ["a gap at its end", 3 * WEEK, (i: number) => (i < 2 * WEEK ? seasonal(i) : Number.NaN)],
    ["a gap at its beginning", 3 * WEEK, (i: number) => (i > 2 * WEEK ? seasonal(i) : Number.NaN)],
    ["huge numbers", 3 * WEEK, (i: number) => 1e300 * (1 + Math.sin(i))],
  ] as const)("%s", async (_, length, value) => {
    const column = makeColumn(length, value);
    const parameters = await fit(column);
    checkForecast(check(ForecastSchema, JSON.parse(JSON.stringify(parameters))) as typeof parameters, "");
    for (const series of [column, new Float64Array(0), makeColumn(5, () => Number.NaN)]) {
      const input = { series: { column: series, intervalMs: HOUR }, horizon: 3 * DAY, levels };
      const network = new Float64Array(3 * DAY);
      expectSound(await predictFeature(parameters, { ...input, network: () => network }, signal));
    }
  });

  test("a constant is foretold without a doubt", async () => {
    const { predicted } = await forecast(makeColumn(3 * DAY, () => 7));
    expect([...predicted].every((value) => Math.abs(value - 7) < 1e-9)).toBe(true);
  });

  test("with no history at all the median of the training is foretold", async () => {
    const parameters = await fit(makeColumn(3 * DAY, (i) => [4, 5, 9][i % 3]!));
    const series = { column: new Float64Array(0), intervalMs: HOUR };
    const { predicted } = await predictFeature(parameters, { series, horizon: 2, levels }, signal);
    expect(Array.from(predicted)).toEqual([5, 5]);
  });

  test("what is missing before the first value changes nothing", async () => {
    const day = makeColumn(10 * DAY, (i) => 30 + 0.15 * i + 0.3 * noise());
    const parameters = await fit(day);
    const [short, long] = await Promise.all(
      [0, 2 * WEEK].map(async (missing) => {
        const column = makeColumn(missing + day.length, (i) => day[i - missing] ?? Number.NaN);
        const series = { column, intervalMs: HOUR };
        return (await predictFeature(parameters, { series, horizon: WEEK, levels }, signal)).predicted;
      }),
    );
    expect(long).toEqual(short!);
    expect(short!.at(-1)!).toBeWithin(86, 96);
  });

  test("with a history too short for its members the last level is foretold", async () => {
    const parameters = await fit(makeColumn(3 * WEEK, seasonal));
    const members = [{ method: "level", season: "week", scale: "linear", weight: 1 } as const];
    const series = { column: makeColumn(DAY, () => 321), intervalMs: HOUR };
    const { predicted } = await predictFeature(
      { ...parameters, members },
      { series, horizon: 2, levels },
      signal,
    );
    expect(predicted[0]).toBeCloseTo(321, 6);
  });
});

describe("the forecaster asked for", () => {
  const column = noisy.subarray(0, 4 * WEEK);
  const allKnowing: FitInput["forecastPast"] = async ({ origins, horizon }) =>
    origins.map((origin) => column.slice(origin, origin + horizon));

  test.each(["seasonal", "holt-winters"] as const)("%s alone", async (forecaster) => {
    const parameters = await fit(column, { forecaster, forecastPast: noNetwork });
    expect(new Set(parameters.members.map(({ method }) => method))).toEqual(new Set([forecaster]));
    expect([needsNetwork(parameters), parameters.history]).toEqual([false, 56 * DAY]);
  });

  test("donut alone: no history but its own, and the network's word", async () => {
    const parameters = await fit(column, { forecaster: "donut", forecastPast: allKnowing });
    expect(parameters).toMatchObject({ members: [{ method: "donut", weight: 1 }], history: 0 });
    const network = makeColumn(DAY, (i) => 50 + i);
    const input = { series: { column, intervalMs: HOUR }, horizon: DAY, levels, network: () => network };
    expect((await predictFeature(parameters, input, signal)).predicted).toEqual(network);
  });

  test("a network that is always as much too low is corrected", async () => {
    const forecastPast: FitInput["forecastPast"] = async ({ origins, horizon }) =>
      origins.map((origin) => column.slice(origin, origin + horizon).map((value) => value - 30));
    const parameters = await fit(column, { forecaster: "donut", forecastPast });
    const network = makeColumn(DAY / 2, (i) => 50 + i);
    const input = { series: { column, intervalMs: HOUR }, horizon: DAY / 2, levels, network: () => network };
    const { predicted } = await predictFeature(parameters, input, signal);
    expect(Array.from(predicted)).toEqual(Array.from(network, (value) => expect.closeTo(value + 30, 9)));
  });

  test("auto takes the network where it is best: as far as it forecasts", async () => {
    const parameters = await fit(column, { forecastPast: allKnowing });
    for (const { method, shares } of parameters.members)
      expect(shares!.slice(0, 2)).toEqual(method === "donut" ? [1, 1] : [0, 0]);
    const input = { series: { column, intervalMs: HOUR }, levels };
    const network = makeColumn(WEEK, (i) => (i < DAY ? 50 + i : Number.NaN));
    const { predicted } = await predictFeature(
      parameters,
      { ...input, horizon: WEEK, network: () => network },
      signal,
    );
    expect(Array.from(predicted.slice(0, DAY / 2))).toEqual(Array.from(network.slice(0, DAY / 2)));
    const truth = makeColumn(5 * DAY, (i) => seasonal(4 * WEEK + 2 * DAY + i));
    expect(meanAbsolute(predicted.slice(2 * DAY), truth)).toBeLessThan(3);
  });
});

test("the network is asked about the held-out part alone", async () => {
  const column = noisy.subarray(0, 4 * WEEK);
  const heldOutFrom = 3 * WEEK;
  let asked: readonly number[] = [];
  const forecastPast: FitInput["forecastPast"] = async ({ origins, horizon }) => {
    asked = origins;
    return origins.map(() => new Float64Array(horizon));
  };
  await fit(column, { heldOutFrom, forecastPast });
  expect(asked.length).toBe(24);
  expect(Math.min(...asked)).toBe(heldOutFrom);
  expect(Math.max(...asked) + DAY / 2).toBe(column.length);
});

test("a trend goes on, as far as a week", async () => {
  const filling = makeColumn(4 * WEEK, (i) => 10 + 0.1 * i + 0.3 * noise());
  const { predicted } = await forecast(filling, {}, WEEK);
  expect(predicted.at(-1)!).toBeWithin(10 + 0.1 * 4.7 * WEEK, 10 + 0.1 * 5.2 * WEEK);
});

describe("a disk that fills by 0.7 % a day, trained on 30 days", () => {
  const truth = (i: number) => 40 + (0.7 * i) / DAY + 0.8 * Math.sin((2 * Math.PI * i) / DAY);
  const disk = makeColumn(75 * DAY, (i) => truth(i) + 0.15 * noise());

  test.each([30, 38, 45])("from day %p its forecast and band hold for 30 days", async (day) => {
    const parameters = await fit(disk.subarray(0, 30 * DAY));
    const series = { column: disk.subarray(0, day * DAY), intervalMs: HOUR };
    const { predicted, bands } = await predictFeature(
      parameters,
      { series, horizon: 30 * DAY, levels: [0.9] },
      signal,
    );
    const { lower, upper } = bands[0]!;
    const held = [...predicted.keys()].filter((h) => {
      const value = disk[day * DAY + h]!;
      return value >= lower[h]! && value <= upper[h]!;
    });
    expect(Math.abs(predicted.at(-1)! - truth((day + 30) * DAY - 1))).toBeLessThan(0.5);
    expect(held.length / predicted.length).toBeWithin(0.8, 0.99);
  });
});

describe("errors of noise around a season", () => {
  test("are measured further than a day ahead, and do not grow", async () => {
    const { band, groups } = await fit(noisy.subarray(0, 8 * WEEK));
    expect(groups).toEqual({ season: 6, far: DAY });
    expect(band.leads.at(-1)!).toBeGreaterThanOrEqual(9 * DAY);
    for (const scale of band.scales) expect(scale / band.scales[0]!).toBeWithin(0.85, 1.15);
  });

  test("are measured no further than a forecast is asked for", async () => {
    const { band } = await fit(noisy.subarray(0, 8 * WEEK), { asked: DAY });
    expect(band.leads.at(-1)).toBe(DAY - 1);
  });
});

test("a random walk's band widens with the lead, its forecast stays", async () => {
  let level = 100;
  const column = makeColumn(8 * WEEK, () => (level += 0.3 * noise()));
  const { predicted, bands } = await forecast(column, {}, 30 * DAY);
  const widthAt = (h: number) => bands[0]!.upper[h]! - bands[0]!.lower[h]!;
  expect(widthAt(30 * DAY - 1) / widthAt(DAY - 1)).toBeGreaterThan(2.5);
  expect(Math.abs(predicted.at(-1)! - predicted[0]!)).toBeLessThan(widthAt(DAY - 1));
});

test("the same data make the same choice, and the same forecast", async () => {
  const column = noisy.subarray(0, 4 * WEEK);
  expect(await fit(column)).toEqual(await fit(column.slice()));
  expect(await forecast(column)).toEqual(await forecast(column.slice()));
});

test("an aborted training stops in between", async () => {
  const series = { column: noisy, intervalMs: HOUR };
  const input = { series, heldOutFrom: 10 * WEEK, forecaster: "auto", forecastPast: noNetwork } as const;
  await expect(fitForecast(input, AbortSignal.abort())).rejects.toThrow("canceled");
});
