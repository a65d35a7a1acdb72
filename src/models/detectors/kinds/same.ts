// Same detector: how long a series has had one value, by how often that value is followed by itself: a sensor that is stuck.
import { repeatDecades } from "../repeats.ts";
import { atOnce, type DetectorKind, isScoredEnough, unscored } from "./kind.ts";
import { MAX_SHAPE, MIN_SCALE } from "./run.ts";

/** Decades by which the tail must exceed a rarity: rounded values repeat in stretches, which are rarer than they look. */
const TAIL_MARGIN = 2;

export const same: DetectorKind = {
  explanation: "the same value for longer than usual",
  weight: 0,
  alone: { tailMargin: TAIL_MARGIN },
  bothSides: true,
  expects: false,
  holds: 0,
  judgesShape: true,
  sample: atOnce(({ repeats, column, observed, linear, rankedFrom }) => {
    const statistic = unscored(column);
    let [previous, run] = [Number.NaN, 0];
    for (const [i, value] of observed.entries()) {
      if (Number.isNaN(value)) continue;
      run = value === previous ? Math.min(run + 1, linear.window - 1) : 0;
      previous = value;
      if (i >= rankedFrom) statistic[i] = run * repeatDecades(repeats, value);
    }
    if (!isScoredEnough(statistic)) return undefined;
    return { statistic, expected: column, minScale: MIN_SCALE, maxShape: MAX_SHAPE };
  }),
  judge({ repeats, linear, observed, seasonal }, i, value) {
    if (!repeats) return undefined;
    const expected = seasonal.expect(i);
    if (!Number.isFinite(value)) return { expected };
    const own = observed[i]!;
    let run = 0;
    for (let k = i - 1; k > Math.max(-1, i - linear.window); k--) {
      if (Number.isNaN(observed[k]!)) continue;
      if (observed[k] !== own) break;
      run++;
    }
    return { expected, statistic: run * repeatDecades(repeats, own) };
  },
};
