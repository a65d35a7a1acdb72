// Followed trend: growth goes on, what grows otherwise is learned slowly, in slices as in one go; a step is no part of it.
import { describe, expect, test } from "bun:test";
import { followTrend } from "../../../src/models/baseline/followed-trend.ts";
import { fitTrend } from "../../../src/models/baseline/trend.ts";
import { DAY, growing, HOUR, series, timeline, totals } from "./growing-series.ts";

describe("a followed trend", () => {
  const TRAINED = 28 * DAY;
  const column = series(56, growing(0.01));
  const trend = fitTrend(column.slice(0, TRAINED), timeline)!;
  const input = { column, timeline, from: TRAINED };

  test("the level stays within two percent of the growth", () => {
    const { amounts } = followTrend(trend, input, undefined);
    for (let i = TRAINED; i < column.length; i++)
      expect(amounts[i]! / 1.01 ** ((i - TRAINED) / DAY)).toBeWithin(0.98, 1.02);
  });

  test("it has no steps: what grows evenly, and not as expected, has none at midnight", () => {
    const faster = series(56, (value, day) => value * 1.01 ** day * 1.002 ** Math.max(0, day - 28));
    const { amounts } = followTrend(trend, { ...input, column: faster }, undefined);
    const changes = [...amounts.keys()].slice(TRAINED + 1).map((i) => amounts[i]! / amounts[i - 1]! - 1);
    const hourly = 0.01 / DAY;
    for (const change of changes) expect(change).toBeWithin(hourly / 2, 2 * hourly);
  });

  test("growth that ends is followed within three weeks", () => {
    const ended = series(70, (value, day) => value * 1.01 ** Math.min(day, 28));
    const { amounts } = followTrend(trend, { ...input, column: ended }, undefined);
    for (let i = 49 * DAY; i < ended.length; i++) expect(amounts[i]!).toBeWithin(0.85, 1.15);
  });

  test("a day of outage does not move it", () => {
    const out = column.map((value, i) => (i >= 40 * DAY && i < 41 * DAY ? 0.1 * value : value));
    const { amounts } = followTrend(trend, { ...input, column: out }, undefined);
    expect(amounts[44 * DAY]! / 1.01 ** 16).toBeWithin(0.97, 1.03);
  });

  test("in slices, with the memory as JSON, the amounts are the same bits as in one go", () => {
    const { amounts } = followTrend(trend, input, undefined);
    let memory: Parameters<typeof followTrend>[2];
    for (let from = TRAINED; from < column.length; from += 37) {
      const start = from - 119;
      const part = column.slice(start, Math.min(column.length, from + 37));
      const own = { startAt: start * HOUR, intervalMs: HOUR };
      const slice = followTrend(trend, { column: part, timeline: own, from: 119 }, memory);
      expect(slice.amounts).toEqual(amounts.slice(start, start + part.length));
      memory = JSON.parse(JSON.stringify(slice.memory));
    }
  });
});

test("days of one point are known for the whole history of windows, in slices as in one go", () => {
  const [trained, history] = [119, 119];
  const column = totals(trained + 200, 1, growing(0.01));
  const daily = { startAt: 0, intervalMs: DAY * HOUR };
  const trend = fitTrend(column.slice(0, trained), daily)!;
  const from = trained + history;
  const whole = followTrend(trend, { column, timeline: daily, from: trained }, undefined);
  const first = followTrend(
    trend,
    { column: column.slice(0, from), timeline: daily, from: trained },
    undefined,
  );
  const startAt = trained * daily.intervalMs;
  const last = followTrend(
    trend,
    { column: column.slice(trained), timeline: { ...daily, startAt }, from: history },
    JSON.parse(JSON.stringify(first.memory)),
  );
  expect(last.amounts).toEqual(whole.amounts.slice(trained));
});
