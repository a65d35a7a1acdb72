// Pulses with noise: a compressor that stays on or off is one anomaly until it comes and goes again, and nothing before.
import { describe, expect, test } from "bun:test";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, episodesOf, HOUR, MINUTE } from "./raised.ts";

const TRAINED_DAYS = 14;
const startAt = Date.UTC(2026, 0, 4);
const fromMs = (TRAINED_DAYS + 1.4) * DAY;
const thresholds = { min: 27.5, max: 55 };

/** Anomalies of two days after the training, hours from the one on which the compressor stays as it should not. */
function anomaliesOf(intervalMs: number, seed: number, stuck?: { on: boolean; hours: number }) {
  const random = createRandom(seed);
  let [isOn, leftMs] = [false, 0];
  const column = Float64Array.from({ length: ((TRAINED_DAYS + 2.5) * DAY) / intervalMs }, (_, i) => {
    leftMs -= intervalMs;
    if (leftMs <= 0) {
      isOn = !isOn;
      leftMs += (isOn ? 15 : 27) * MINUTE * (0.8 + 0.4 * random.uniform());
    }
    const since = i * intervalMs - fromMs;
    const isStuck = stuck !== undefined && since >= 0 && since < stuck.hours * HOUR;
    return (isStuck ? Number(stuck.on) : Number(isOn)) * 120 + 3 + 2 * random.normal();
  });
  const episodes = episodesOf({ column, trainedDays: TRAINED_DAYS, intervalMs, thresholds });
  return episodes.map(({ startAt: from, endAt }) => ({
    from: (from - startAt - fromMs) / HOUR,
    to: ((endAt ?? Number.POSITIVE_INFINITY) - startAt - fromMs) / HOUR,
  }));
}

describe.each([MINUTE, 5 * MINUTE])("every %i ms", (intervalMs) => {
  test.each([true, false])("stays on: %p", (on) => {
    const own = anomaliesOf(intervalMs, 1, { on, hours: 5 }).filter(({ to }) => to > 0);
    expect(own).toHaveLength(1);
    expect(own[0]!.from).toBeWithin(0, 2);
    expect(own[0]!.to).toBeWithin(5, 6);
  });

  test("comes and goes as it does", () => {
    expect(anomaliesOf(intervalMs, 2).length).toBeLessThan(2);
  });
});
