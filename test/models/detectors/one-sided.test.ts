// One direction that counts: an outage in the other one raises nothing, nor does its end; in both it is one anomaly.
import { describe, expect, test } from "bun:test";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, episodesOf, HOUR } from "./raised.ts";

const TRAINED_DAYS = 27;
const FROM = 24 * (TRAINED_DAYS + 1) + 12;
/** Of hours: an anomaly in two weeks. */
const thresholds = { min: 22, max: 44 };

/** Anomalies of counts by the hour that are cut for some hours. */
function anomaliesOf(seed: number, hours: number, cutTo: number, sides: { below: boolean; above: boolean }) {
  const random = createRandom(seed);
  const column = Float64Array.from({ length: FROM + 48 }, (_, i) => {
    const usual = 40 + 25 * Math.sin((2 * Math.PI * (i - 8)) / 24);
    const value = Math.max(0, Math.round(usual + Math.sqrt(usual) * random.normal()));
    return i >= FROM && i < FROM + hours ? cutTo : value;
  });
  const cutAt = Date.UTC(2026, 0, 4) + FROM * HOUR;
  return episodesOf({ column, trainedDays: TRAINED_DAYS, intervalMs: DAY / 24, thresholds, sides })
    .filter(({ endAt }) => endAt === null || endAt > cutAt)
    .map(({ startAt }) => (startAt - cutAt) / HOUR);
}

describe.each([1, 2, 3, 4])("noise %d", (seed) => {
  test.each([3, 6, 12])("%d hours", (hours) => {
    const [low, high] = [0, 200];
    expect(anomaliesOf(seed, hours, low, { below: false, above: true })).toEqual([]);
    expect(anomaliesOf(seed, hours, high, { below: true, above: false })).toEqual([]);
    expect(anomaliesOf(seed, hours, low, { below: true, above: true })).toEqual([0]);
  });
});
