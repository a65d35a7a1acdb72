// Change points of a series: where level or slope change for good, by moving sums under piecewise linearity.
// Kim, Oh, Cho 2022, arXiv:2208.04900.
import { runInSteps } from "../../runtime/steps.ts";
import { MAD_TO_DEVIATION, medianOf } from "../stats/median.ts";
import { type Seasons, seasonsOf, subtract } from "./expectation.ts";
import { findGrowth, hasDirection } from "./growth.ts";
import { LineSums } from "./line-sums.ts";
import { deviationOf, removeSpikes } from "./spikes.ts";

/** Points on either side of a change: a share of the series, within bounds. */
const WINDOW = { share: 1 / 12, min: 5, max: 100 };
/** Fewest points on either side: two lie on a line in any case. */
export const MIN_WINDOW = 3;
/** Of a line. */
const PARAMETERS = 2;
/** Least noise, as a share of the series' robust deviation. */
const FLOOR_SHARE = 0.02;
/** Lower quartile of evidence without changes: of chi-squared with two degrees of freedom. */
const QUARTILE = 2 * Math.log(4 / 3);
/** Windows in a series that show by how much noise that is not independent makes evidence greater. */
const WINDOWS_OF_FACTOR = 5;
/** Power of the noise of windows, beyond the usual one, that evidence is divided by; 1 would be their own F statistic. */
const INSTABILITY_POWER = 1.5;
/** Rarity of a confidence of a half, in decades: 3 decades are a tenth. */
const HALF_DECADES = 27;
/** Sums between two yields to the event loop. */
const SUMS_PER_STEP = 400_000;

export interface ChangePointInput extends Seasons {
  /** One value per interval; NaN = missing. */
  readonly column: Float64Array;
  /** Points before and after a change through which the trend is stable; absent: by the length of the series. */
  readonly window?: number | undefined;
}

/**
 * Confidence that level or slope change with a point, 0..1, by the rarity of such evidence in a series without changes.
 * It is 0 within a window of greater evidence, and of the ends.
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export async function scoreChanges(input: ChangePointInput, signal: AbortSignal): Promise<Float64Array> {
  const column = standardise(straighten(input));
  const window = input.window ?? defaultWindow(column.length);
  const rest = removeSpikes(subtract(column, await seasonsOf(column, input, signal)));
  const least = Math.max(FLOOR_SHARE, noiseOf(rest)) ** 2;
  const evidence = weigh(await compareLines(rest, window, signal), { window, least });
  // The best of all points is as rare as each of them is, times their number.
  const choices = Math.log10(Math.max(1, column.length - 2 * window + 1));
  return keepPeaks(evidence, window).map((size, i) => {
    if (i < window || i > column.length - window) return 0;
    // Tail of chi-squared with two degrees of freedom, of level and slope.
    const decades = Math.max(0, size / (2 * Math.LN10) - choices);
    return decades / (decades + HALF_DECADES);
  });
}

/** Smooth growth is no change. */
function straighten({ column, period }: ChangePointInput): Float64Array {
  const growth = hasDirection(column, period) ? findGrowth(column, period) : undefined;
  return growth ? column.map(growth.straighten) : column;
}

function defaultWindow(length: number): number {
  return Math.min(WINDOW.max, Math.max(WINDOW.min, Math.round(WINDOW.share * length)));
}

/** Distances from the median, in robust deviations. */
function standardise(column: Float64Array): Float64Array {
  const center = medianOf(column);
  const unit = deviationOf(column.map((value) => value - center));
  return column.map((value) => (value - center) / unit);
}

/** Two lines before and from each point against one through both; NaN where a side has too few points. */
interface Comparison {
  /** Squared error that the second line saves. */
  readonly gain: Float64Array;
  /** Squared error that is left, per degree of freedom. */
  readonly noise: Float64Array;
}

/** Windows are cut off at the ends. */
async function compareLines(column: Float64Array, window: number, signal: AbortSignal): Promise<Comparison> {
  const gain = new Float64Array(column.length).fill(Number.NaN);
  const noise = gain.slice();
  const part = Math.ceil(SUMS_PER_STEP / window);
  const [before, after, both] = [new LineSums(), new LineSums(), new LineSums()];
  await runInSteps(column.length, { part, signal }, (from, to) => {
    for (let i = from; i < to; i++) {
      const [start, end] = [Math.max(0, i - window), Math.min(column.length, i + window)];
      before.set(column, start, i);
      after.set(column, i, end);
      if (Math.min(before.count, after.count) < MIN_WINDOW) continue;
      both.set(column, start, end);
      const rest = before.squaredError() + after.squaredError();
      gain[i] = Math.max(0, both.squaredError() - rest);
      noise[i] = rest / (both.count - 2 * PARAMETERS);
    }
  });
  return { gain, noise };
}

/**
 * Evidence of a change by point, which without changes is chi-squared with two degrees of freedom: what the second line
 * saves, in units of the noise, and less in windows that are less stable. Noise that is not independent makes all
 * evidence greater, by a factor that its lower quartile shows (genomic control: Devlin, Roeder 1999).
 */
function weigh({ gain, noise }: Comparison, { window, least }: Weights): Float64Array {
  const isLong = gain.length >= WINDOWS_OF_FACTOR * window;
  const usual = isLong ? Math.max(least, lowerQuartile(noise)) : least;
  const sizes = gain.map((saved, i) => (saved / usual) * Math.min(1, usual / noise[i]!) ** INSTABILITY_POWER);
  const factor = isLong ? Math.max(1, lowerQuartile(sizes) / QUARTILE) : 1;
  return sizes.map((size) => size / factor);
}

interface Weights {
  readonly window: number;
  /** Variance of the noise. */
  readonly least: number;
}

/** Deviation of noise by the distances of points from the middle of their neighbours (Gasser, Sroka, Jennen-Steinmetz 1986). */
function noiseOf(column: Float64Array): number {
  const rests = column.map((value, i) => value - (column[i - 1]! + column[i + 1]!) / 2);
  return (MAD_TO_DEVIATION * (medianOf(rests.map(Math.abs)) || 0)) / Math.sqrt(1.5);
}

/** 0 without present values. */
function lowerQuartile(sizes: Float64Array): number {
  const present = sizes.filter(Number.isFinite).sort();
  return present[Math.floor(present.length / 4)] ?? 0;
}

/** Only the greatest evidence within a window; of equal evidence, the first. */
function keepPeaks(sizes: Float64Array, window: number): Float64Array {
  const kept = new Float64Array(sizes.length);
  const taken = new Uint8Array(sizes.length);
  const order = [...sizes.keys()].filter((i) => sizes[i]! > 0).sort((a, b) => sizes[b]! - sizes[a]!);
  for (const i of order) {
    if (taken[i]) continue;
    kept[i] = sizes[i]!;
    taken.fill(1, Math.max(0, i - window + 1), i + window);
  }
  return kept;
}
