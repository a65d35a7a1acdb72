// Sensors that round: several steps beside the usual are an anomaly.
import { expect, test } from "bun:test";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, episodesOf, MINUTE } from "./raised.ts";

const intervalMs = 15 * MINUTE;
const TRAINED_DAYS = 28;
const DAYS = 35;
const PER_DAY = DAY / intervalMs;
const thresholds = { min: 25, max: 50 };

/** A room that is warmest in the afternoon, in half degrees. */
function makeColumn(seed: number): Float64Array {
  const random = createRandom(seed);
  let off = 0;
  return Float64Array.from({ length: DAYS * PER_DAY }, (_, i) => {
    off = 0.97 * off + 0.05 * random.normal();
    return Math.round((21 + 2 * Math.sin((2 * Math.PI * i) / PER_DAY) + off) * 2) / 2;
  });
}

const count = (column: Float64Array) =>
  episodesOf({ column, trainedDays: TRAINED_DAYS, intervalMs, thresholds }).length;

test.each([1, 2])("a window that is open for two hours does, noise %d", (seed) => {
  const column = makeColumn(seed);
  const before = count(column);
  const from = (DAYS - 2) * PER_DAY + 40;
  for (let i = from; i < from + 8; i++) column[i]! -= 3;
  expect(count(column)).toBeGreaterThan(before);
});
