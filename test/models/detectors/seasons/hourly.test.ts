// Hours that vary differently: a night four times as loud is found though by day it would be nothing.
import { describe, expect, test } from "bun:test";
import { fitHourly } from "../../../../src/models/detectors/seasons/hourly.ts";
import { fitProfile } from "../../../../src/models/detectors/seasons/seasonal.ts";
import { createRandom } from "../../../../wasm/random.ts";
import { DAY, HOUR, MINUTE, raisedOf } from "../raised.ts";

const TRAINED_DAYS = 21;
const DAYS = 28;

/** 5 at night and 65 at noon, with a noise of 15 % of the value; on day 23 from 2:00 to 4:00 `odd` times that. */
function trafficOf(intervalMs: number, odd = 1): Float64Array {
  const random = createRandom(7);
  return Float64Array.from({ length: (DAYS * DAY) / intervalMs }, (_, i) => {
    const [day, hour] = [Math.floor((i * intervalMs) / DAY), ((i * intervalMs) % DAY) / HOUR];
    const usual = 5 + 60 * Math.max(0, Math.sin(((hour - 6) / 15) * Math.PI));
    return usual * (1 + 0.15 * random.normal()) * (day === 23 && hour >= 2 && hour < 4 ? odd : 1);
  });
}

describe.each([5 * MINUTE, 15 * MINUTE, HOUR])("every %i ms", (intervalMs) => {
  const raised = (odd?: number) =>
    raisedOf({ column: trafficOf(intervalMs, odd), trainedDays: TRAINED_DAYS, intervalMs });
  const atNight = (hours: string[]) => hours.filter((hour) => /T0[0-5]/.test(hour));

  test("no night raises anything", () => {
    expect(atNight(raised())).toEqual([]);
  });

  test("a night four times as loud is found within half an hour, or at its first interval", () => {
    expect(atNight(raised(4))[0]).toBe("27T02");
  });
});

describe("spread by the hour", () => {
  const intervalMs = 15 * MINUTE;
  const timeline = { startAt: 0, intervalMs };
  const fit = (column: Float64Array) =>
    fitHourly(column, timeline, { usual: fitProfile(column, timeline), deviation: 10 });
  const random = createRandom(3);
  const daysOf = (days: number, valueAt: (hour: number) => number) =>
    Float64Array.from({ length: (days * DAY) / intervalMs }, (_, i) =>
      valueAt(((i * intervalMs) % DAY) / HOUR),
    );
  const noisyByDay = (hour: number) => (hour >= 8 && hour < 20 ? 5 : 1) * random.normal();

  test("is that of the noise", () => {
    const { spreads } = fit(daysOf(60, noisyByDay))!;
    expect(spreads[6]).toBeWithin(0.8, 1.2);
    expect(spreads[28]).toBeWithin(4, 6);
  });

  test("is known of hours that vary half as much again", () => {
    const fitOf = (noon: number) =>
      fit(daysOf(60, (hour) => (hour >= 8 && hour < 20 ? noon : 1) * random.normal()));
    expect([1.2, 1.9].map((noon) => fitOf(noon) !== undefined)).toEqual([false, true]);
  });

  test("is at least a share of the deviation", () => {
    const { spreads } = fit(daysOf(60, (hour) => (hour >= 8 && hour < 20 ? 5 * random.normal() : 0)))!;
    expect(spreads[6]).toBe(0.5);
  });

  test.each<[string, Float64Array]>([
    ["hours that vary alike", daysOf(60, () => random.normal())],
    ["less than a week", daysOf(6, noisyByDay)],
  ])("is not known of %s", (_, column) => {
    expect(fit(column)).toBeUndefined();
  });
});
