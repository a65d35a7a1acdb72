// Packet loss that is eight times as high for hours, skewed noise in it and around it: it flickers, and is one anomaly.
import { expect, test } from "bun:test";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, episodesOf, HOUR, MINUTE } from "./raised.ts";

const intervalMs = 5 * MINUTE;
const TRAINED_DAYS = 14;
/** At noon of the second day after the training. */
const FROM_MS = (TRAINED_DAYS + 1.5) * DAY;

test.each([1, 2, 3, 4, 5])("noise %d", (seed) => {
  const random = createRandom(seed);
  const column = Float64Array.from({ length: ((TRAINED_DAYS + 2) * DAY) / intervalMs }, (_, i) => {
    const sinceMs = i * intervalMs - FROM_MS;
    return 0.2 * Math.exp(0.6 * random.normal()) * (sinceMs >= 0 && sinceMs < 4 * HOUR ? 8 : 1);
  });
  const episodes = episodesOf({
    column,
    trainedDays: TRAINED_DAYS,
    intervalMs,
    thresholds: { min: 30, max: 60 },
  });
  const startAt = Date.UTC(2026, 0, 4) + FROM_MS;
  const own = episodes.filter(({ endAt }) => endAt === null || endAt > startAt);
  expect(own).toHaveLength(1);
  expect(own[0]!.startAt - startAt).toBeWithin(0, HOUR);
  expect(own[0]!.endAt! - startAt - 4 * HOUR).toBeWithin(0, HOUR);
});
