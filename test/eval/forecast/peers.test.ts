// Peer forecasts on series that they must continue exactly, and measures of open series.
import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../../../wasm/random.ts";
import { forecastOpen } from "./open-forecasts.ts";
import { type OpenSeries, readOpenSeries } from "./open-series.ts";
import { fillGaps, peers } from "./peers.ts";
import { fitLine, hasSeason } from "./theta.ts";

const shape = [5, -2, -4, 1];
const seasonal = Array.from({ length: 24 }, (_, i) => 100 + shape[i % 4]!);
const line = Array.from({ length: 24 }, (_, i) => 10 + 3 * i);
const next = [105, 98, 96, 101];

describe("peers", () => {
  test("repeat the last value, or the newest season", () => {
    expect(peers["last value"]({ values: seasonal, season: 4, horizon: 2 })).toEqual([101, 101]);
    expect(peers["seasonal naive"]({ values: seasonal, season: 4, horizon: 5 })).toEqual([...next, 105]);
    expect(peers["seasonal naive"]({ values: [1, 2], season: 4, horizon: 2 })).toEqual([2, 2]);
  });

  test("draw a line from the first to the last value", () => {
    expect(peers.drift({ values: line, season: 1, horizon: 2 })).toEqual([82, 85]);
    expect(peers.drift({ values: [7], season: 1, horizon: 2 })).toEqual([7, 7]);
  });

  test("Theta continues a season exactly, and a line with half its slope", () => {
    for (const [i, value] of peers.Theta({ values: seasonal, season: 4, horizon: 4 }).entries())
      expect(value).toBeCloseTo(next[i]!, 1);
    const [first, second] = peers.Theta({ values: line, season: 1, horizon: 2 });
    expect(second! - first!).toBeCloseTo(1.5, 6);
    expect(Math.abs(first! - 82)).toBeLessThan(3);
  });

  test("damped smoothing continues a season, and a line for the next steps", () => {
    for (const [i, value] of peers["damped ETS"]({ values: seasonal, season: 4, horizon: 4 }).entries())
      expect(value).toBeCloseTo(next[i]!, 3);
    const [first] = peers["damped ETS"]({ values: line, season: 1, horizon: 1 });
    expect(Math.abs(first! - 82)).toBeLessThan(1);
  });

  test("all follow a noisy level", () => {
    const random = createRandom(3);
    const values = Array.from({ length: 200 }, () => 50 + random.normal());
    for (const peer of Object.values(peers))
      for (const value of peer({ values, season: 7, horizon: 3 }))
        expect(Math.abs(value - 50)).toBeLessThan(4);
  });
});

test("a season is found in one, and not in noise", () => {
  const random = createRandom(5);
  expect(hasSeason(seasonal, 4)).toBe(true);
  expect(hasSeason(line, 4)).toBe(false);
  expect(
    hasSeason(
      Array.from({ length: 60 }, () => random.normal()),
      12,
    ),
  ).toBe(false);
});

test("a line is fitted by least squares", () => {
  expect(fitLine(line).slope).toBeCloseTo(3, 9);
  expect(fitLine([4])).toEqual({ slope: 0, intercept: 4 });
});

test("gaps take the season before, or the value before", () => {
  const { NaN: none } = Number;
  expect(fillGaps([none, 1, 2, none, 4, 5, none], 3)).toEqual([1, 2, 2, 4, 5, 2]);
  expect(fillGaps([none], 3)).toEqual([]);
});

describe("an open series", () => {
  const values = [...seasonal, ...next, ...next];
  const series: OpenSeries = {
    name: "a",
    group: "quarterly",
    times: values.map((_, i) => i * 3600),
    values,
    horizon: 4,
    season: 4,
    origins: [24, 28],
    memory: 100,
    scale: 2,
  };
  const { signal } = new AbortController();

  test("is forecast from the points before each origin", async () => {
    const lengths: number[] = [];
    const forecast = async (body: unknown) => {
      lengths.push((body as { series: unknown[] }).series.length);
      return { predicted: next.map((x) => x + 1), lower: next, upper: next.map((x) => x + 1) };
    };
    const result = await forecastOpen(forecast, series, signal);
    expect(lengths).toEqual([24, 28]);
    expect(result).toMatchObject({ series: "a", group: "quarterly", origins: 2, held: 1 });
    expect(result.mase).toMatchObject({ Torus: 0.5, "seasonal naive": 0 });
  });

  test("has its band judged from earlier origins as well, its errors not", async () => {
    const forecast = async (body: unknown) => {
      const isEarlier = (body as { series: unknown[] }).series.length < 24;
      const next = Array.from({ length: 4 }, (_, k) => 100 + shape[k]! + Number(isEarlier));
      return { predicted: next, lower: next, upper: next };
    };
    const { held, mase, origins } = await forecastOpen(forecast, { ...series, earlier: [20, 16] }, signal);
    expect([held, mase.Torus, origins]).toEqual([0.5, 0, 2]);
  });

  test("whose newest points are missing is asked for more, and the first leads are cut", async () => {
    const gap = values.map((value, i) => (i >= 22 && i < 24 ? Number.NaN : value));
    const forecast = async (body: unknown) => {
      const { horizon } = body as { horizon: number };
      const predicted = Array.from({ length: horizon }, (_, k) => 100 + shape[(22 + k) % 4]!);
      return { predicted, lower: predicted, upper: predicted };
    };
    const { mase } = await forecastOpen(forecast, { ...series, values: gap, origins: [24] }, signal);
    expect(mase.Torus).toBe(0);
  });

  test("tells a refusal", async () => {
    const result = await forecastOpen(() => Promise.reject(new Error("too long")), series, signal);
    expect([result.refused, result.mase.Torus]).toEqual(["too long", Number.NaN]);
  });
});

test("files are forecast from the end of their training part on; an absent folder has none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "open-"));
  try {
    const rows = Array.from({ length: 144 }, (_, i) => `${i * 2_592_000},${100 + i + shape[i % 4]!}`);
    await Bun.write(join(folder, "m_air.csv"), ["timestamp,value", ...rows].join("\n"));
    const [monthly] = (await readOpenSeries(folder))!;
    expect(monthly).toMatchObject({ name: "m_air", group: "monthly", season: 12, horizon: 12, scale: 12 });
    expect(monthly!.origins).toEqual([96, 108, 120, 132]);
    expect(monthly!.earlier).toEqual([84, 72]);
    await Bun.write(join(folder, "other.csv"), "timestamp,value\n0,1");
    await expect(readOpenSeries(folder)).rejects.toThrow("other.csv: no task");
  } finally {
    await rm(folder, { recursive: true });
  }
  expect(await readOpenSeries(join(folder, "absent"))).toBeUndefined();
});
