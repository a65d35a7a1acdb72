// A nightly job thousands of deviations above the noise: it is the usual value of its hour, and missing it is not.
import { expect, test } from "bun:test";
import { scoreEnsemble } from "../../../src/models/detectors/ensemble.ts";
import { fitEnsemble } from "../../../src/models/detectors/fit.ts";
import { createRandom } from "../../../wasm/random.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const startAt = Date.UTC(2026, 0, 4);
const TRAINED_DAYS = 21;
const DAYS = 28;
const HISTORY = 119;
const thresholds = { min: 25, max: 35 };

/** 10 and a noise of 0.01; 90 for an hour from 2:00 on, but on the day of which it is said. */
function nightsOf(intervalMs: number, odd: { day: number; hour?: number } = { day: -1 }): Float64Array {
  const random = createRandom(5);
  return Float64Array.from({ length: (DAYS * DAY) / intervalMs }, (_, i) => {
    const hour = Math.floor(((i * intervalMs) % DAY) / HOUR);
    const isOdd = Math.floor((i * intervalMs) / DAY) === odd.day;
    return (hour === (isOdd ? odd.hour : 2) ? 90 : 10) + 0.01 * random.normal();
  });
}

/** Days and hours at which a week after the training scores above the threshold. */
function raisedOf(column: Float64Array, intervalMs: number): string[] {
  const timeline = { startAt, intervalMs };
  const trained = (TRAINED_DAYS * DAY) / intervalMs;
  const unseen = (values: Float64Array) => new Float64Array(values.length).fill(Number.NaN);
  const sides = { below: true, above: true };
  const training = column.slice(0, trained);
  const silent = { nll: unseen(training), expected: unseen(training) };
  const ensemble = fitEnsemble({ timeline, column: training, ...silent, span: 120, sides });
  const live = column.slice(trained - HISTORY);
  const network = { expected: unseen(live), deviation: unseen(live), nll: unseen(live), unit: 1 };
  const liveAt = startAt + (trained - HISTORY) * intervalMs;
  const { score } = scoreEnsemble(ensemble, {
    ...{ column: live, network, from: HISTORY, sides, thresholds },
    timeline: { startAt: liveAt, intervalMs },
  });
  return [...score.keys()]
    .filter((i) => score[i]! > thresholds.max)
    .map((i) => new Date(liveAt + i * intervalMs).toISOString().slice(8, 13));
}

test.each([15 * MINUTE, HOUR])("every %i ms it raises nothing, night by night", (intervalMs) => {
  const atNight = raisedOf(nightsOf(intervalMs), intervalMs).filter((hour) => /T0[1-3]$/.test(hour));
  expect(atNight).toEqual([]);
});

test.each([
  15 * MINUTE,
  HOUR,
])("every %i ms a night without it is found, and one in the afternoon", (intervalMs) => {
  expect(raisedOf(nightsOf(intervalMs, { day: 24 }), intervalMs)).toContain("28T02");
  expect(raisedOf(nightsOf(intervalMs, { day: 24, hour: 14 }), intervalMs)).toContain("28T14");
});
