// Course detector: mean deviation from the usual values over the last quarter of a day, as far as the newest one shares it.
import { DAY_MS } from "../../../core/time/time.ts";
import { clip } from "../linear.ts";
import { Seasonal } from "../seasons/seasonal.ts";
import { atOnce, type DetectorKind, isScoredEnough, type Live, toStoredZ } from "./kind.ts";
import { MIN_SCALE } from "./seasonal.ts";

/** Length of the stretch, as a share of the day, and its least one in points. */
const DAY_SHARE = 1 / 4;
const MIN_SPAN = 6;
/** Points of the stretch that are looked at, evenly spaced. */
const MAX_POINTS = 24;
/** Most that one point counts, in robust deviations: a spike is no course. */
const CLIP = 6;
/** Share of the mean that the newest deviation must reach to count in full. */
const SHARED = 0.5;

interface Stretch {
  /** Points before the newest one that are looked at, and the distance between them. */
  readonly count: number;
  readonly stride: number;
}

function stretchOf(intervalMs: number): Stretch {
  const span = Math.max(MIN_SPAN, Math.floor((DAY_SHARE * DAY_MS) / intervalMs));
  const stride = Math.ceil(span / MAX_POINTS);
  return { stride, count: Math.floor(span / stride) };
}

/** @param before sum of the clipped deviations before the newest one, and their number */
function statisticOf(newest: number, { sum, count }: { sum: number; count: number }): number {
  const mean = (sum + clip(newest, CLIP)) / (count + 1);
  return mean * newest <= 0 ? 0 : Math.min(Math.abs(mean), Math.abs(newest) / SHARED);
}

/** Deviation of a stored value (standardised) from the usual one, which is clipped like it; in robust deviations. */
function offOf(
  stored: number,
  usual: number,
  { linear, seasonalScale }: Pick<Live, "linear" | "seasonalScale">,
): number {
  return ((stored - toStoredZ(linear, usual)) * linear.scale) / seasonalScale;
}

export const course: DetectorKind = {
  explanation: "off for hours",
  weight: 0,
  alone: "by rank",
  expects: true,
  holds: 0,
  judgesShape: false,
  sample: atOnce(({ column, timeline, linear, seasonal, rankedFrom }) => {
    const usual = new Seasonal(seasonal, timeline);
    const { stride, count } = stretchOf(timeline.intervalMs);
    const stored = column.map((value, i) =>
      offOf(toStoredZ(linear, value), usual.expect(i), { linear, seasonalScale: seasonal.scale }),
    );
    const statistic = column.map((_, i) => {
      if (i < Math.max(rankedFrom, stride * count)) return Number.NaN;
      const before = sumOf((k) => stored[i - k * stride]!, count);
      return statisticOf(usual.residual(i, column[i]!), before);
    });
    if (!isScoredEnough(statistic)) return undefined;
    return { statistic, expected: column.map((_, i) => usual.expect(i)), minScale: MIN_SCALE / 2 };
  }),
  judge({ seasonal, seasonalScale, neighbours, linear, timeline, inAnomaly }, i, value) {
    const { stride, count } = stretchOf(timeline.intervalMs);
    if (neighbours.count < stride * count) return undefined;
    const expected = seasonal.expect(i);
    // One that is over is no part of a course: what is left of its hours would begin another.
    const valueAt = (age: number) => (inAnomaly() ? neighbours.recorded(age) : neighbours.valueBefore(age));
    const offAt = (k: number) =>
      offOf(valueAt(k * stride - 1), seasonal.expect(i - k * stride), { linear, seasonalScale });
    const before = sumOf(offAt, count);
    const own = (other: number) => statisticOf((other - expected) / seasonalScale, before);
    return { expected, statisticOf: own, ...(Number.isFinite(value) && { statistic: own(value) }) };
  },
};

function sumOf(offAt: (k: number) => number, points: number): { sum: number; count: number } {
  let [sum, count] = [0, 0];
  for (let k = 1; k <= points; k++) {
    const off = offAt(k);
    if (Number.isNaN(off)) continue;
    sum += clip(off, CLIP);
    count++;
  }
  return { sum, count };
}
