// Sawtooths: what grows on for hours is over within the hour, and a leak at its summits is no dozen of anomalies.
import { expect, test } from "bun:test";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, episodesOf, HOUR, MINUTE } from "./raised.ts";

const intervalMs = 5 * MINUTE;
const TRAINED_DAYS = 14;
const startAt = Date.UTC(2026, 0, 4);
const thresholds = { min: 27.5, max: 55 };

/** Anomalies of a series of two days after the training, on the second of which something lasts for some hours. */
function anomaliesOf(hours: number, makeValue: (isOdd: boolean, sinceMs: number) => number) {
  const fromMs = (TRAINED_DAYS + 1.4) * DAY;
  const column = Float64Array.from({ length: ((TRAINED_DAYS + 2.5) * DAY) / intervalMs }, (_, i) => {
    const sinceMs = i * intervalMs - fromMs;
    return makeValue(sinceMs >= 0 && sinceMs < hours * HOUR, sinceMs);
  });
  const episodes = episodesOf({ column, trainedDays: TRAINED_DAYS, intervalMs, thresholds });
  return episodes.map(({ startAt: from, endAt }) => ({
    from: (from - startAt - fromMs) / HOUR,
    to: ((endAt ?? Number.POSITIVE_INFINITY) - startAt - fromMs) / HOUR,
  }));
}

test.each([1, 2, 3])("a clock that is not set for five hours, noise %d", (seed) => {
  const random = createRandom(seed);
  let drift = 0;
  const anomalies = anomaliesOf(5, (isOdd) => {
    drift += 0.25;
    if (!isOdd && drift > 1 + 0.1 * random.uniform()) drift = 0;
    return drift + 0.02 * random.normal();
  });
  const own = anomalies.filter(({ to }) => to > 0);
  expect(own).toHaveLength(1);
  expect(own[0]!.from).toBeWithin(0, 1);
  expect(own[0]!.to).toBeWithin(5, 6);
});

test.each([1, 2, 3])("a heap whose floor rises for eight hours, noise %d", (seed) => {
  const random = createRandom(seed);
  let [heap, floor] = [30, 0];
  const anomalies = anomaliesOf(8, (isOdd) => {
    floor = isOdd ? floor + 5 / 12 : 0;
    heap += 5 * (1 + 0.4 * random.uniform());
    if (heap > 70 + floor + 6 * random.uniform()) heap = 30 + floor + 2 * random.uniform();
    return heap;
  });
  const own = anomalies.filter(({ from, to }) => to > 0 && from < 9);
  expect(own.length).toBeWithin(1, 4);
  expect(own.at(-1)!.to).toBeWithin(8, 10);
});
