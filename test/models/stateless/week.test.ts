// Weekly seasons: clean weeks are normal at both ends, and a day unlike its kind is found.
import { describe, expect, test } from "bun:test";
import { detectBatch } from "../../../src/models/stateless/batch.ts";
import { makeSeries, signal, toInput, wave } from "./support.ts";

interface Week {
  readonly name: string;
  /** By the hour and the day from Monday on. */
  readonly valueAt: (hour: number, day: number) => number;
  readonly perHour: number;
  readonly weeks: number;
}

const isWeekend = (day: number) => day >= 5;
const shares = (hour: number, day: number) => (50 + 3 * wave(hour - 8, 24)) * (isWeekend(day) ? 0.3 : 1);
const levels = (hour: number, day: number) => 100 + 2 * wave(hour, 24) - (isWeekend(day) ? 40 : 0);
const office = (hour: number, day: number) => (!isWeekend(day) && hour >= 8 && hour < 18 ? 100 : 10);
const closed = (hour: number, day: number) => (day === 6 ? 5 : 60 + 2 * wave(hour - 6, 24));

const recipes: readonly Week[] = [
  { name: "weekends at 30 %", valueAt: shares, perHour: 1, weeks: 3 },
  { name: "weekends at 30 %", valueAt: shares, perHour: 1, weeks: 8 },
  { name: "weekends at 30 %", valueAt: shares, perHour: 4, weeks: 4 },
  { name: "weekends lower by 40", valueAt: levels, perHour: 1, weeks: 5 },
  { name: "weekends lower by 40", valueAt: levels, perHour: 2, weeks: 4 },
  { name: "office hours", valueAt: office, perHour: 1, weeks: 5 },
  { name: "office hours", valueAt: office, perHour: 2, weeks: 3 },
  { name: "closed on Sundays", valueAt: closed, perHour: 1, weeks: 6 },
];

/** Indices of the anomalies. @param change of a value, by index */
async function find(
  { valueAt, perHour, weeks }: Week,
  change: (value: number, i: number) => number,
  seed: number,
): Promise<number[]> {
  const day = 24 * perHour;
  const column = makeSeries(
    weeks * 7 * day,
    (i, noise) => change(valueAt((i % day) / perHour, Math.floor(i / day) % 7), i) + 2 * noise,
    seed,
  );
  const { direction } = await detectBatch(toInput(column, { period: day, week: 7 * day }), signal);
  return [...direction.keys()].filter((i) => direction[i] !== 0);
}

describe.each(recipes)("$name, $weeks weeks, $perHour an hour", (week) => {
  const day = 24 * week.perHour;
  const length = week.weeks * 7 * day;

  test("hardly a clean point is odd", async () => {
    for (const seed of [1, 2, 3]) {
      const found = await find(week, (value) => value, seed);
      expect(found.length).toBeLessThanOrEqual(1 + length / 1000);
    }
  });

  test("a Friday like a night and a spike in the last hours are found, and hardly another point", async () => {
    const from = (7 * Math.floor(week.weeks / 2) + 4) * day;
    const spike = length - 2;
    const isOdd = (i: number) => (i >= from && i < from + day) || i === spike;
    const change = (value: number, i: number) => (i === spike ? value + 45 : isOdd(i) ? value - 50 : value);
    const found = await find(week, change, 4);
    expect(found).toContain(spike);
    expect(found.filter(isOdd).length).toBeGreaterThan(0.6 * day);
    expect(found.filter((i) => !isOdd(i)).length).toBeLessThanOrEqual(day / 6);
  });
});
