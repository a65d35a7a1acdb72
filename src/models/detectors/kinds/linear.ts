// Linear detector: residual of a value after the principal components of its window.
import { expectationsOf, linearExpectation, linearStatistic } from "../linear.ts";
import { atOnce, type DetectorKind } from "./kind.ts";

/** Least scale of the tail, in deviations: data without noise would make rounding errors rare. */
const MIN_SCALE = 0.02;

export const linear: DetectorKind = {
  explanation: "unusual after the values before it",
  weight: 1,
  expects: true,
  holds: 0,
  judgesShape: false,
  sample: atOnce(({ column, filled, linear: fit, rankedFrom }) => {
    const from = Math.max(fit.window - 1, rankedFrom);
    const expected = expectationsOf(fit, filled, rankedFrom);
    const statistic = column.map((value, i) =>
      i < from ? Number.NaN : linearStatistic(fit, value - expected[i]!),
    );
    return { statistic, expected, minScale: MIN_SCALE * fit.scale };
  }),
  judge({ linear: fit, imputed }, i, value) {
    // The components expect the last point from the whole window, the point itself included: of a missing one, the imputed.
    const expectedWith = linearExpectation(fit, imputed.column, i);
    const first = expectedWith(fit.center);
    const slope = (expectedWith(fit.center + fit.scale) - first) / fit.scale;
    const expectedOf = (last: number) => first + slope * (last - fit.center);
    const statisticOf = (last: number) => linearStatistic(fit, Math.abs(last - expectedOf(last)));
    return {
      // The value that is expected of itself.
      expected: slope < 1 - 1e-9 ? (first - slope * fit.center) / (1 - slope) : first,
      statisticOf,
      // As a training measures the distances of false alarms: from the expectation with the value in the window.
      distanceOf: (last) => Math.abs(last - expectedWith(last)),
      ...(Number.isFinite(value) && { statistic: statisticOf(value) }),
    };
  },
};
