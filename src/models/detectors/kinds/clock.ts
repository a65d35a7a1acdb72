// Clock detector: distance of the last points from those of earlier days at the same local time.
import { DISTANCE_FLOOR } from "../neighbours/windows.ts";
import { CLOCK_SPAN, clockDistanceOf, lagsAt } from "../seasons/clock.ts";
import { atOnce, type DetectorKind, toStoredZ, unscored } from "./kind.ts";

export const clock: DetectorKind = {
  explanation: "unusual at this time of day",
  weight: 1,
  alone: "by rank",
  expects: true,
  holds: 0,
  judgesShape: true,
  sample: atOnce(({ clock: sample, column, filled, linear }) => {
    if (!sample) return undefined;
    const [statistic, expected] = [unscored(column), unscored(column)];
    for (let i = 0; i < column.length; i++) {
      if (Number.isNaN(column[i]!) || Number.isNaN(sample.distances[i]!)) continue;
      statistic[i] = sample.distances[i]!;
      const dayBefore = filled[i - sample.lagsAt(i)[0]!] ?? Number.NaN;
      expected[i] = toStoredZ(linear, dayBefore) * linear.scale + linear.center;
    }
    return { statistic, expected, minScale: DISTANCE_FLOOR };
  }),
  judge({ clock: fit, imputed, linear, neighbours, timeline }, i, value) {
    if (!fit || i < CLOCK_SPAN - 1) return undefined;
    const lags = lagsAt(i, timeline);
    const earlier = (lag: number) => neighbours.valueBefore(lag - 1);
    const before = Array.from(imputed.column.subarray(i - CLOCK_SPAN + 1, i), (own) =>
      toStoredZ(linear, own),
    );
    const distanceOf = clockDistanceOf(lags, fit.shift, { before, earlier });
    if (!distanceOf) return undefined;
    const known = lags.map(earlier).filter(Number.isFinite);
    const expected = known.toSorted((a, b) => a - b)[known.length >> 1]! * linear.scale + linear.center;
    const statisticOf = (last: number) => distanceOf(toStoredZ(linear, last));
    return { expected, statisticOf, ...(Number.isFinite(value) && { statistic: statisticOf(value) }) };
  },
};
