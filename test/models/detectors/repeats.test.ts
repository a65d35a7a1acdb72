// Repeats: a value that is followed by itself more often than others is known apart, and no repeat is worth much.
import { describe, expect, test } from "bun:test";
import { fitRepeats, repeatDecades } from "../../../src/models/detectors/repeats.ts";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, episodesOf, HOUR, MINUTE } from "./raised.ts";

const startAt = Date.UTC(2026, 0, 4);

test("the share of each frequent value, and of all others", () => {
  const column = Float64Array.from({ length: 2000 }, (_, i) => (i % 20 < 12 ? 0 : 5 + i / 1000));
  const fit = fitRepeats(column);
  expect(fit.values.map(([value]) => value)).toEqual([0]);
  expect(fit.values[0]![1]).toBeWithin(0.9, 0.93);
  expect(fit.share).toBeLessThan(0.01);
  expect(repeatDecades(fit, 0)).toBeWithin(0.03, 0.05);
  expect(repeatDecades(fit, 6.5)).toBe(0.5);
});

test("missing values are no repeats", () => {
  const column = Float64Array.from({ length: 90 }, (_, i) => (i % 2 ? Number.NaN : (i / 2) % 3));
  expect(fitRepeats(column).values.every(([, share]) => share < 0.1)).toBe(true);
});

test("a constant repeats always, nothing at all is known of no value", () => {
  expect(repeatDecades(fitRepeats(new Float64Array(500).fill(7)), 7)).toBeLessThan(0.002);
  expect(fitRepeats(new Float64Array())).toEqual({ share: 0.5, values: [] });
});

/** Anomalies after the training, hours from the one on which the values stay as they are. */
function anomaliesOf(hours: number, valueAt: (hour: number, random: () => number) => number) {
  const [intervalMs, trainedDays] = [15 * MINUTE, 14];
  const fromMs = (trainedDays + 2.4) * DAY;
  const random = createRandom(4);
  let held: number | undefined;
  const column = Float64Array.from({ length: ((trainedDays + 4) * DAY) / intervalMs }, (_, i) => {
    const since = i * intervalMs - fromMs;
    const value = valueAt(((i * intervalMs) % DAY) / HOUR, () => random.normal());
    held = since >= 0 && since < hours * HOUR ? (held ?? value) : undefined;
    return held ?? value;
  });
  const thresholds = { min: 27.5, max: 55 };
  return episodesOf({ column, trainedDays, intervalMs, thresholds }).map(({ startAt: from, endAt }) => ({
    from: (from - startAt - fromMs) / HOUR,
    to: ((endAt ?? Number.POSITIVE_INFINITY) - startAt - fromMs) / HOUR,
  }));
}

describe.each<[string, (hour: number, normal: () => number) => number]>([
  ["percentages", (_, normal) => Math.round(Math.max(1, 25 + 4 * normal()))],
  ["whole degrees of a day", (hour, normal) => Math.round(20 + 4 * Math.sin(hour / 4) + 0.5 * normal())],
  ["measurements", (_, normal) => 50 + normal()],
])("%s", (_, valueAt) => {
  test("are one anomaly where they stay the same for eight hours", () => {
    const own = anomaliesOf(8, valueAt).filter(({ to }) => to > 0);
    expect(own).toHaveLength(1);
    expect(own[0]!.from).toBeWithin(0, 6);
    expect(own[0]!.to).toBeWithin(8, 9);
  });

  test("are none otherwise", () => expect(anomaliesOf(0, valueAt)).toEqual([]));
});
