// Trends of forecasts: measured at an origin from what lies before it, removed, damped and added again.
import { describe, expect, test } from "bun:test";
import {
  addTrend,
  type ForecastTrend,
  factorAt,
  flattenTrend,
  growthOf,
  measureTrend,
  slopeErrorAt,
} from "../../../src/models/forecasters/trend.ts";
import { DAY, HOUR, leadsTo, makeColumn, makeNoise, seasonal, WEEK } from "./support.ts";

const steady: ForecastTrend = { kind: "additive", span: "steady", damping: 1 };
const noise = makeNoise(41);
const asSeries = (column: Float64Array) => ({ column, intervalMs: HOUR });
const filling = makeColumn(8 * WEEK, (i) => seasonal(i) + (0.7 * i) / DAY + noise());
const growing = makeColumn(8 * WEEK, (i) => seasonal(i) * 1.01 ** (i / DAY) * (1 + 0.02 * noise()));

describe("the slope", () => {
  test.each([2 * WEEK, 4 * WEEK + 7, 8 * WEEK])("after %p hours is that of the filling", (origin) => {
    const { slope, error } = measureTrend(steady, asSeries(filling), origin)!;
    expect(slope).toBeWithin(0.7 - 4 * error, 0.7 + 4 * error);
    expect(error).toBeLessThan(0.05);
  });

  test("of growth is one of logarithms", () => {
    const { slope } = measureTrend({ ...steady, kind: "multiplicative" }, asSeries(growing), 8 * WEEK)!;
    expect(slope).toBeCloseTo(Math.log(1.01), 4);
  });

  test("of what stopped three weeks ago is gone, however long it was steady", () => {
    const stopped = makeColumn(8 * WEEK, (i) => (0.7 * Math.min(i, 5 * WEEK)) / DAY + 0.2 * noise());
    expect(measureTrend(steady, asSeries(stopped), stopped.length)!.slope).toBeWithin(-0.1, 0.1);
  });

  test.each([
    2 * WEEK,
    3 * WEEK,
    5 * WEEK,
  ])("of a series that began %p hours before is the same, however far back the read reaches", (known) => {
    const young = new Float64Array(8 * WEEK).fill(Number.NaN);
    young.set(filling.subarray(8 * WEEK - known), 8 * WEEK - known);
    const own = measureTrend(steady, asSeries(filling.slice(8 * WEEK - known)), known)!;
    expect(measureTrend(steady, asSeries(young), 8 * WEEK)!.slope).toBeCloseTo(own.slope, 10);
    const short = measureTrend({ ...steady, span: "short" }, asSeries(young), 8 * WEEK);
    expect(short!.slope).toBeCloseTo(own.slope, 10);
  });

  test("is unknown before two weeks have passed, and where nothing was observed", () => {
    expect(measureTrend(steady, asSeries(filling), 2 * WEEK - 1)).toBeUndefined();
    const empty = makeColumn(4 * WEEK, () => Number.NaN);
    expect(measureTrend(steady, asSeries(empty), 4 * WEEK)).toBeUndefined();
  });

  test("of a short history is known after four days, by the days", () => {
    const short: ForecastTrend = { ...steady, span: "short" };
    const disk = makeColumn(4 * DAY, (i) => (0.7 * i) / DAY);
    expect(measureTrend(short, asSeries(disk), 4 * DAY)!.slope).toBeCloseTo(0.7, 9);
    expect(measureTrend(short, asSeries(disk), 4 * DAY - 1)).toBeUndefined();
    expect(measureTrend(short, asSeries(filling), 4 * WEEK)).toEqual(
      measureTrend(steady, asSeries(filling), 4 * WEEK)!,
    );
  });

  test.each([1, 7, 6.85, 10])("of intervals of %p hours does not depend on later values", (hours) => {
    for (let origin = 300; origin < 310; origin++) {
      const changed = filling.map((value, i) => (i >= origin ? -1e9 : value));
      const at = (column: Float64Array) => measureTrend(steady, { column, intervalMs: hours * HOUR }, origin);
      expect(at(changed)).toEqual(at(filling)!);
    }
  });
});

test.each([
  [1, 10, 20],
  [0.9, 10, 12.36],
  [0.5, 1000, 2 / Math.LN2],
])("a slope of 2 of which %p remains after a day has grown after %p days by %p", (damping, days, grown) => {
  expect(growthOf({ slope: 2, damping }, days)).toBeCloseTo(grown, 2);
});

describe.each(["additive", "multiplicative"] as const)("%s", (kind) => {
  const column = kind === "additive" ? filling : growing;
  const origin = 7 * WEEK;
  const line = measureTrend({ ...steady, kind }, asSeries(column), origin)!;

  test("without it, first and last week are alike", () => {
    const flat = flattenTrend(line, asSeries(column), origin).column;
    for (let i = 0; i < WEEK; i += 5) expect(flat[i]! / flat[origin - WEEK + i]!).toBeWithin(0.85, 1.15);
  });

  test("added to a flat forecast it continues the series", () => {
    const flat = makeColumn(WEEK, (i) => column[origin - WEEK + i]!);
    const weekAgo = { ...line, slope: kind === "additive" ? 0.7 : Math.log(1.01) };
    const leads = leadsTo(WEEK).map((lead) => lead + 6 * DAY);
    const ahead = addTrend(weekAgo, flat, leads);
    expect(ahead[0]! / flat[0]!).toBeCloseTo(kind === "additive" ? 1 + (0.7 * 6) / flat[0]! : 1.01 ** 6, 9);
  });
});

test("errors grow with a multiplicative trend, and by the error of the slope", () => {
  const line = { kind: "additive", slope: 1, error: 0.1, span: 100, damping: 1, day: DAY } as const;
  const growth = { ...line, kind: "multiplicative", slope: 0.01 } as const;
  expect([factorAt(line, 240), factorAt(growth, 240), factorAt(growth, 0)]).toEqual([1, Math.exp(0.1), 1]);
  expect(slopeErrorAt(line, 239, 50)).toBeCloseTo(1.6, 9);
  expect(slopeErrorAt(growth, 239, -50)).toBeCloseTo(80, 9);
});

test("growth without bound stays finite", () => {
  const line = { kind: "multiplicative", slope: 5, error: 1, span: 9, damping: 1, day: DAY } as const;
  const [last] = addTrend(line, Float64Array.of(2), [1_000_000]);
  expect(last!).toBeCloseTo(2 * Math.exp(10), 6);
});

test("the local column loses its trend as well", () => {
  const line = measureTrend(steady, asSeries(filling), filling.length)!;
  const local = { column: filling, startOf: (i: number) => i, placeOf: (i: number) => i };
  const flat = flattenTrend(line, { ...asSeries(filling), local }, filling.length);
  expect(flat.local!.column).toEqual(flat.column);
});
