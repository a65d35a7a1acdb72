// Rarities from the past alone, cheap enough for thousands of series: a change shows with its first interval.
import { yieldToEventLoop } from "../../runtime/steps.ts";
import { lowerBound } from "../stats/indices.ts";
import { MAD_TO_DEVIATION, medianOf } from "../stats/median.ts";
import { quantileOf } from "../stats/outliers.ts";
import { type Seasons, seasonsOf, subtract } from "./expectation.ts";
import { residualScale } from "./residual-scale.ts";

/**
 * Weights of the newest value in the level: the one with the smallest errors shows what is sudden, the first what grows
 * slowly, which the others follow.
 */
const LEVEL_WEIGHTS = [0.02, 0.1, 0.3, 0.7];
/** Weight of the newest error in the moving scale. */
const SCALE_WEIGHT = 0.02;
/** Error beyond which a value moves level and scale no further, in deviations: an anomaly is not learned at once. */
const MAX_STEP = 3;
/** Where the tail starts, and the least growth of the size by a decade, as a share of its start: noise of few values is steep. */
const TAIL = { share: 0.1, minDecade: 0.5 } as const;
/** Share of anomalies that the scale bears. */
const MAX_RATIO = 0.25;

/** One value per interval. */
export interface PastOnly {
  /** -log10 of the share of normal intervals that are as far from what was expected; NaN where missing. */
  readonly rarity: Float64Array;
  /** Observed minus expected. */
  readonly errors: Float64Array;
}

/**
 * Compares each interval with a level of those before it, beside the seasons of the whole series.
 * @param column NaN = missing
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export async function scoreFromPast(
  column: Float64Array,
  seasons: Seasons,
  signal: AbortSignal,
): Promise<PastOnly> {
  const flat = subtract(column, await seasonsOf(column, seasons, signal));
  const followed: { readonly errors: Float64Array; readonly scale: number }[] = [];
  for (const weight of LEVEL_WEIGHTS) {
    await yieldToEventLoop(signal);
    const errors = followLevel(flat, weight);
    followed.push({ errors, scale: residualScale(errors, flat, MAX_RATIO) });
  }
  const [slow] = followed;
  const best = followed.reduce((a, b) => (b.scale < a.scale ? b : a));
  const rarityOf = ({ errors, scale }: typeof best) => raritiesOf(standardise(errors, scale));
  const [own, long] = [rarityOf(best), rarityOf(slow!)];
  return {
    errors: best.errors.map((error, i) => (long[i]! > own[i]! ? slow!.errors[i]! : error)),
    rarity:
      best === slow ? own : own.map((rarity, i) => Math.max(0, Math.max(rarity, long[i]!) - Math.log10(2))),
  };
}

/** Distances from an exponentially weighted level of the values before; the first value has none. */
function followLevel(flat: Float64Array, weight: number): Float64Array {
  const steps = flat.map((value, i) => Math.abs(value - flat[i - 1]!)).filter(Number.isFinite);
  const most = (MAX_STEP * MAD_TO_DEVIATION * medianOf(steps)) / Math.SQRT2 || Number.POSITIVE_INFINITY;
  let level = Number.NaN;
  return flat.map((value) => {
    if (Number.isNaN(value)) return Number.NaN;
    const error = Number.isNaN(level) ? 0 : value - level;
    level = Number.isNaN(level) ? value : level + weight * Math.max(-most, Math.min(most, error));
    return error;
  });
}

/**
 * Sizes in deviations: those of the whole series, or of the last intervals where these vary more from one to the next. A
 * lasting distance from the level does not count as noise.
 */
function standardise(errors: Float64Array, overall: number): Float64Array {
  let [moving, before] = [overall, Number.NaN];
  return errors.map((error) => {
    if (Number.isNaN(error)) return Number.NaN;
    const scale = Math.max(overall, moving);
    const step = Number.isNaN(before) ? 0 : Math.abs(error - before) / Math.SQRT2;
    moving += SCALE_WEIGHT * (Math.min(step, MAX_STEP * overall) * Math.sqrt(Math.PI / 2) - moving);
    before = error;
    return Math.abs(error) / scale;
  });
}

/**
 * By an exponential tail through the sizes that one interval in ten and one in twenty exceed: anomalies of the past, which
 * are rarer, do not change it.
 */
function raritiesOf(sizes: Float64Array): Float64Array {
  const sorted = sizes.filter(Number.isFinite).sort();
  const start = quantileOf(sorted, 1 - TAIL.share) || Number.MIN_VALUE;
  const doubled = quantileOf(sorted, 1 - TAIL.share / 2) - start;
  const decade = Math.max(TAIL.minDecade * start, doubled / Math.log10(2));
  return sizes.map((size) => {
    if (Number.isNaN(size)) return Number.NaN;
    if (size > start) return -Math.log10(TAIL.share) + (size - start) / decade;
    return -Math.log10(Math.max(TAIL.share, 1 - lowerBound(sorted, size) / sorted.length));
  });
}
