// Faults of a week: each is raised, however many came before it; windows that hold one are no change of the series.
import { expect, test } from "bun:test";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, episodesOf, HOUR, MINUTE } from "./raised.ts";

const intervalMs = 5 * MINUTE;
const TRAINED_DAYS = 14;
const startAt = Date.UTC(2026, 0, 4);

/** Day and hour after the training, length in intervals, and deviations from the usual value. */
const faults = [
  { day: 1, hour: 9, length: 1, by: 8 },
  { day: 1, hour: 20, length: 3, by: 8 },
  { day: 2, hour: 12, length: 4, by: -8 },
  { day: 3, hour: 4, length: 10, by: 8 },
  { day: 3, hour: 18, length: 12, by: -8 },
  { day: 4, hour: 10, length: 24, by: 8 },
].map(({ day, hour, length, by }) => {
  const fromMs = (TRAINED_DAYS + day) * DAY + hour * HOUR;
  return { fromMs, toMs: fromMs + length * intervalMs, by };
});

test.each([1, 2, 3])("six faults within four days, noise %d", (seed) => {
  const random = createRandom(seed);
  const column = Float64Array.from({ length: ((TRAINED_DAYS + 6) * DAY) / intervalMs }, (_, i) => {
    const ms = i * intervalMs;
    const fault = faults.find(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
    return 100 + 5 * (random.normal() + (fault?.by ?? 0));
  });
  const thresholds = { min: 27.5, max: 55 };
  const raised = episodesOf({ column, trainedDays: TRAINED_DAYS, intervalMs, thresholds });
  const isRaised = ({ fromMs, toMs }: (typeof faults)[number]) =>
    raised.some(
      ({ startAt: from, endAt }) =>
        from - startAt < toMs && (endAt ?? Number.POSITIVE_INFINITY) - startAt > fromMs,
    );
  expect(faults.map(isRaised)).toEqual(faults.map(() => true));
});
