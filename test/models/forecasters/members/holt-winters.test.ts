// Holt-Winters smoothing: its recursion by hand; gaps, spikes and no look-ahead.
import { describe, expect, test } from "bun:test";
import {
  HoltWinters,
  type Smoothing,
  startOf,
} from "../../../../src/models/forecasters/members/holt-winters.ts";
import { fitSmoothing } from "../../../../src/models/forecasters/members/holt-winters-fit.ts";
import { DAY, leadsTo, makeColumn, makeNoise, meanAbsolute, seasonal, signal, WEEK } from "../support.ts";

const still: Smoothing = { level: 0, trend: 0, damping: 0.5, day: 0, week: 0, memory: 0 };

function run(column: Float64Array, smoothing: Partial<Smoothing>, seasons = {}, known = column.length) {
  const start = startOf(column, known, seasons);
  const state = new HoltWinters(column, start, { seasons, smoothing: { ...still, ...smoothing } });
  state.advance(column.length);
  return Array.from(state.predict([0, 1, 2]));
}

describe("by hand", () => {
  // Started from the median of the first value: 4. Errors of that part: 0, so that nothing bounds the first error.
  const column = Float64Array.of(4, 8);

  test("level: 4 + 0.5 (8 - 4)", () => {
    expect(run(column, { level: 0.5 })).toEqual([6, 6, 6]);
  });

  test("trend: 0.25 (8 - 4), damped by half from interval to interval", () => {
    expect(run(column, { trend: 0.25 })).toEqual([4 + 0.5, 4 + 0.75, 4 + 0.875]);
  });

  test("without damping the trend goes on", () => {
    expect(run(column, { trend: 0.25, damping: 1 })).toEqual([5, 6, 7]);
  });

  test("memory: half of the last error comes again, then a quarter", () => {
    expect(run(column, { memory: 0.5 })).toEqual([6, 5, 4.5]);
  });

  test("a season keeps its places", () => {
    const daily = makeColumn(8, (i) => [10, 20, 30][i % 3]!);
    expect(run(daily, {}, { day: 3 })).toEqual([30, 10, 20]);
  });
});

describe("missing values", () => {
  test("moves the level along the trend, and teaches nothing", () => {
    const smoothing = { trend: 0.25, damping: 1 };
    expect(run(Float64Array.of(4, 8, Number.NaN), smoothing, {}, 2)).toEqual([6, 7, 8]);
  });

  test("at the beginning is waited for", () => {
    const late = makeColumn(10, (i) => (i < 6 ? Number.NaN : 5));
    expect(run(late, { level: 0.5 })).toEqual([5, 5, 5]);
    expect(run(late, { level: 0.5 }, {}, 3)).toEqual([5, 5, 5]);
  });

  test("altogether foretells nothing", () => {
    expect(
      run(
        makeColumn(10, () => Number.NaN),
        {},
      ),
    ).toEqual(new Array(3).fill(Number.NaN));
  });
});

test("one spike of a thousand deviations moves the level by no more than three", () => {
  const noise = makeNoise(1);
  const calm = makeColumn(500, () => 100 + noise());
  const spiked = calm.with(499, 100_000);
  expect(Math.abs(run(spiked, { level: 0.3 })[0]! - run(calm, { level: 0.3 })[0]!)).toBeLessThan(2.5);
});

test("a series that wakes up is followed within a day", () => {
  const noise = makeNoise(2);
  const column = makeColumn(300, (i) => (i < 240 ? 0.001 * noise() : 100 + noise()));
  expect(run(column, { level: 0.3 })[0]!).toBeGreaterThan(50);
});

describe("the fit", () => {
  const horizon = DAY;
  const levelSpan = DAY;

  async function errorAfterFit(column: Float64Array, seasons: object): Promise<number> {
    const known = column.subarray(0, column.length - horizon);
    const smoothing = await fitSmoothing({ column: known, seasons, horizon, levelSpan }, signal);
    const start = startOf(known, known.length, seasons);
    const state = new HoltWinters(known, start, { seasons, smoothing });
    state.advance(known.length);
    return meanAbsolute(state.predict(leadsTo(horizon)), column.subarray(known.length));
  }

  test("finds a trend", async () => {
    const noise = makeNoise(3);
    const column = makeColumn(20 * DAY, (i) => 0.5 * i + 0.1 * noise());
    expect(await errorAfterFit(column, {})).toBeLessThan(2);
  });

  test("learns day and week", async () => {
    const noise = makeNoise(4);
    const column = makeColumn(6 * WEEK + DAY, (i) => seasonal(i) + noise());
    expect(await errorAfterFit(column, { day: DAY, week: WEEK })).toBeLessThan(2.5);
  });

  test("of nothing is still a smoothing; and it can be stopped", async () => {
    const input = { column: new Float64Array(0), seasons: {}, horizon, levelSpan };
    expect(await fitSmoothing(input, signal)).toMatchObject({ trend: 0 });
    await expect(fitSmoothing(input, AbortSignal.abort())).rejects.toThrow("canceled");
  });
});
