// Jump detector: change of the deviation from the usual value, from one point to the next.
import { Seasonal } from "../seasons/seasonal.ts";
import { atOnce, type DetectorKind } from "./kind.ts";
import { MIN_SCALE } from "./seasonal.ts";

/** Least length of a training. */
const MIN_POINTS = 100;

export const jump: DetectorKind = {
  explanation: "an unusual jump",
  // In full it costs series that jump by nature more than it gives the others.
  weight: 0.5,
  expects: false,
  holds: 1,
  judgesShape: false,
  sample: atOnce(({ column, filled, timeline, seasonal, rankedFrom }) => {
    const usual = new Seasonal(seasonal, timeline);
    if (column.length < MIN_POINTS) return undefined;
    const offAt = (i: number) => (i < 0 ? Number.NaN : filled[i]! - usual.expect(i));
    return {
      statistic: column.map((value, i) =>
        i < Math.max(1, rankedFrom)
          ? Number.NaN
          : Math.abs(value - usual.expect(i) - offAt(i - 1)) / seasonal.scale,
      ),
      expected: column.map((_, i) => usual.expect(i) + offAt(i - 1)),
      minScale: MIN_SCALE,
    };
  }),
  judge({ seasonal, seasonalScale, imputed }, i, value) {
    if (i === 0) return undefined;
    const expected = seasonal.expect(i) + imputed.column[i - 1]! - seasonal.expect(i - 1);
    return {
      expected,
      ...(Number.isFinite(value) && { statistic: Math.abs(value - expected) / seasonalScale }),
    };
  },
};
