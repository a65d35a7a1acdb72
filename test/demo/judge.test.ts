// Evaluation of the demo: episodes, hits, errors of repetition.
import { expect, test } from "bun:test";
import { countByChance, type Episode, findEpisodes, judge, measureErrors, spreadOrigins } from "./judge.ts";
import { DAY, readTaxi, STEP, WEEK } from "./taxi.ts";

const episode = (from: number, to: number): Episode => ({ from, to, peak: 90, peakAt: from });

test("flagged points in a row are one episode, with its peak", () => {
  const scores = [10, 80, 95, 60, 20, 70];
  const stats = scores.map((score) => ({ score, anomaly: score > 50 }));
  const times = scores.map((_, i) => i * STEP);
  expect(findEpisodes(times, stats)).toEqual([
    { from: STEP, to: 4 * STEP, peak: 95, peakAt: 2 * STEP },
    { from: 5 * STEP, to: 6 * STEP, peak: 70, peakAt: 5 * STEP },
  ]);
});

test("an event is found by any overlap; touching is none", () => {
  const events = [
    { name: "a", from: 100, to: 200 },
    { name: "b", from: 300, to: 400 },
  ];
  const episodes = [episode(50, 100), episode(190, 250), episode(400, 500)];
  const { found, falseAlarms } = judge(episodes, events);
  expect(found.map(({ episodes: mine }) => mine)).toEqual([[episodes[1]!], []]);
  expect(falseAlarms).toEqual([episodes[0]!, episodes[2]!]);
});

test("chance finds more events with more, longer episodes", () => {
  const events = [{ name: "a", from: 0, to: 90 }];
  const range = { from: 0, to: 1000 };
  expect(countByChance([], events, range)).toBe(0);
  expect(countByChance([episode(500, 510)], events, range)).toBeCloseTo(0.1, 9);
  expect(countByChance([episode(500, 510), episode(600, 610)], events, range)).toBeCloseTo(0.19, 9);
  expect(countByChance([episode(0, 1000)], events, range)).toBe(1);
});

test("origins span the second half, each with a day after it", () => {
  const origins = spreadOrigins({ half: 500, values: new Array(1000).fill(0) }, 14);
  expect(origins.length).toBe(14);
  expect([origins[0], origins.at(-1)]).toEqual([500, 1000 - DAY]);
  const gaps = origins.slice(1).map((origin, i) => origin - origins[i]!);
  expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
});

test("errors are those of the points that came", () => {
  const values = Array.from({ length: 2 * WEEK }, (_, i) => i);
  const forecasts = [{ origin: WEEK, predicted: [WEEK + 3, WEEK - 4] }];
  expect(measureErrors(values, forecasts)).toEqual({ model: 4, lastWeek: WEEK, yesterday: DAY });
});

test("the data are as their README says", async () => {
  const { times, values, events, half } = await readTaxi();
  expect([times.length, values.length, half]).toEqual([10_320, 10_320, 5160]);
  expect(times.every((time, i) => i === 0 || time - times[i - 1]! === STEP)).toBe(true);
  expect(events.map(({ name }) => name).join()).toBe(
    "NYC marathon,Thanksgiving,Christmas,New Year,snow storm",
  );
  expect(events[0]!.from).toBeGreaterThan(times[half]!);
  const marathon = Date.UTC(2014, 10, 2, 6) / 1000;
  expect(events[0]!.from < marathon && marathon < events[0]!.to).toBe(true);
});
