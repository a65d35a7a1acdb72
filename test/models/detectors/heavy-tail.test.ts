// Values of a heavy tail, whose spikes are usual: windows compare them up to a bound, and do not hide what lasts.
import { expect, test } from "bun:test";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, HOUR, MINUTE, raisedOf } from "./raised.ts";

const INTERVAL = 5 * MINUTE;
const TRAINED_DAYS = 21;
const DAYS = 28;
/** Three hours of three times the value, on a day after the training: the 28th of January. */
const odd = { from: 24 * DAY + 3 * HOUR, to: 24 * DAY + 6 * HOUR };

/** Pareto of 20 and more, whose exponent is 2.5. */
function column(seed: number, factor: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: (DAYS * DAY) / INTERVAL }, (_, i) => {
    const at = i * INTERVAL;
    const value = 20 * (1 - random.uniform()) ** (-1 / 2.5);
    return at >= odd.from && at < odd.to ? factor * value : value;
  });
}

const raisedPoints = (seed: number) =>
  raisedOf({ column: column(seed, 3), trainedDays: TRAINED_DAYS, intervalMs: INTERVAL }).filter((hour) =>
    /^28T0[345]$/.test(hour),
  ).length;

test("of three hours of three times the value most points are raised", () => {
  const raised = [1, 2, 3, 4].map(raisedPoints);
  // Of 36 points 20 to 32, and 7 to 20 where windows compare values as high as they are.
  expect(Math.min(...raised)).toBeGreaterThan(18);
  expect(raised.reduce((sum, own) => sum + own, 0)).toBeGreaterThan(4 * 24);
});
