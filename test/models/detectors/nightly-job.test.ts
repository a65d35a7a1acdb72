// A nightly job thousands of deviations above the noise: it is the usual value of its hour, and missing it is not.
import { expect, test } from "bun:test";
import { absent } from "../../../src/models/detectors/kinds/absent.ts";
import { clock } from "../../../src/models/detectors/kinds/clock.ts";
import { automaticThresholds } from "../../../src/models/scoring/score.ts";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, HOUR, MINUTE, pointsRaised, raisedOf } from "./raised.ts";

const TRAINED_DAYS = 21;
const DAYS = 28;

/** 10 and a noise of 0.01; 90 for an hour from 2:00 on, but on the day of which it is said. */
function nightsOf(intervalMs: number, odd: { day: number; hour?: number } = { day: -1 }): Float64Array {
  const random = createRandom(5);
  return Float64Array.from({ length: (DAYS * DAY) / intervalMs }, (_, i) => {
    const hour = Math.floor(((i * intervalMs) % DAY) / HOUR);
    const isOdd = Math.floor((i * intervalMs) / DAY) === odd.day;
    return (hour === (isOdd ? odd.hour : 2) ? 90 : 10) + 0.01 * random.normal();
  });
}

const raised = (column: Float64Array, intervalMs: number) =>
  raisedOf({ column, trainedDays: TRAINED_DAYS, intervalMs });

test.each([15 * MINUTE, HOUR])("every %i ms it raises nothing, night by night", (intervalMs) => {
  const atNight = raised(nightsOf(intervalMs), intervalMs).filter((hour) => /T0[1-3]$/.test(hour));
  expect(atNight).toEqual([]);
});

test.each([
  15 * MINUTE,
  HOUR,
])("every %i ms a night without it is found, and one in the afternoon", (intervalMs) => {
  expect(raised(nightsOf(intervalMs, { day: 24 }), intervalMs)).toContain("28T02");
  expect(raised(nightsOf(intervalMs, { day: 24, hour: 14 }), intervalMs)).toContain("28T14");
});

test.each([
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
])("every %i ms a night without it is found beside spikes as high at any time", (intervalMs) => {
  const random = createRandom(1);
  const missing = 24 * DAY + 2 * HOUR;
  const column = Float64Array.from({ length: (DAYS * DAY) / intervalMs }, (_, i) => {
    const at = i * intervalMs;
    const runs = Math.floor((at % DAY) / HOUR) === 2 && (at < missing || at >= missing + HOUR);
    const spike = random.uniform() < 0.01 ? 30 + 40 * random.uniform() : 0;
    return 30 + 2 * random.normal() + spike + (runs ? 40 + 3 * random.normal() : 0);
  });
  const thresholds = automaticThresholds(intervalMs, {});
  const found = pointsRaised({ column, trainedDays: TRAINED_DAYS, intervalMs, thresholds });
  const words = found.find(({ hour }) => hour === "28T02")?.explanation;
  expect([absent.explanation, clock.explanation]).toContain(words!);
});

test.each([
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
])("every %i ms a job of every other night is found where it did not run", (intervalMs) => {
  const random = createRandom(1);
  const column = Float64Array.from({ length: (42 * DAY) / intervalMs }, (_, i) => {
    const [day, hour] = [Math.floor((i * intervalMs) / DAY), Math.floor(((i * intervalMs) % DAY) / HOUR)];
    return 20 + random.normal() + (day % 2 === 0 && day !== 36 && hour === 3 ? 40 : 0);
  });
  const thresholds = automaticThresholds(intervalMs, {});
  const found = pointsRaised({ column, trainedDays: 28, intervalMs, thresholds });
  expect(found.find(({ hour }) => hour === "09T03")?.explanation).toBe(absent.explanation);
});

test("a job that is new after the training is raised on eight nights at most, at a minute as well", () => {
  const random = createRandom(2);
  const column = Float64Array.from({ length: (30 * DAY) / MINUTE }, (_, i) => {
    const at = i * MINUTE;
    const isOn = at >= 16 * DAY && at % DAY >= 3 * HOUR && at % DAY < 3 * HOUR + 20 * MINUTE;
    return (isOn ? 30 : 10) + random.normal();
  });
  const thresholds = automaticThresholds(MINUTE, {});
  const found = pointsRaised({ column, trainedDays: 14, intervalMs: MINUTE, thresholds });
  const nights = new Set(found.map(({ hour }) => hour).filter((hour) => hour.endsWith("T03")));
  expect(nights.size).toBeWithin(1, 9);
});
