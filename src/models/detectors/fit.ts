// Fit of the ensemble of a feature to its training range: detectors, tails, ranks and weights.
import { finish } from "../../runtime/steps.ts";
import { measure } from "../series.ts";
import { drawTail, fitTail, scaleTail, type Tail, tailDecades } from "../stats/tail.ts";
import { fitCalibration } from "./calibration.ts";
import { meanRarity } from "./combine.ts";
import { detectorKinds, detectorNames } from "./kinds/index.ts";
import { type DetectorSample, type Training, toStoredZ, unscored } from "./kinds/kind.ts";
import { fitLinear, linearWindow } from "./linear.ts";
import { isOneSided, type Sides } from "./members.ts";
import { findBound } from "./neighbours/bound.ts";
import { encodeHistory, quantise } from "./neighbours/quanta.ts";
import { CausalRank, countRanks } from "./ranks/rank.ts";
import { type DetectionRules, detectionRules } from "./rules.ts";
import {
  CLOCK_SPAN,
  type ClockSample,
  chooseShift,
  clockDistances,
  lagsAt,
  mostShift,
} from "./seasons/clock.ts";
import { fitHourly } from "./seasons/hourly.ts";
import {
  findRecurring,
  findWeekTimes,
  isRecurringWeekTime,
  localTimeOf,
  type Means,
} from "./seasons/recurring.ts";
import { fitProfile, holdsSeason, type Season, Seasonal, type SeasonalProfile } from "./seasons/seasonal.ts";
import { fitWeekly } from "./seasons/weekly.ts";
import type { Timeline } from "./timeline.ts";
import { type DetectorFit, type Ensemble, namesOf, type PerDetector } from "./types.ts";
import { findUsualOutliers, type UsualOutliers } from "./usual-outliers.ts";

/** Share of the range that the seasonal profile is fitted to when its error is measured on the rest. */
const SEASONAL_FIT_SHARE = 0.6;
const MIN_AGREEMENT_POINTS = 200;
/** Weight of the detectors that judge a point from which its mean may count. */
const MIN_WEIGHT = 0.6;
/** Default of `FitInput.neighbourPoints`. */
const MAX_NEIGHBOUR_POINTS = 15_000;
export interface FitInput {
  readonly timeline: Timeline;
  /** Training range in units of the data; NaN = missing. */
  readonly column: Float64Array;
  /** Values that the training leaves out as outliers, as long as the column; NaN elsewhere. */
  readonly outliers?: Float64Array | undefined;
  /** Statistic and expectation of the network, per interval of the range; NaN where it was not scored. */
  readonly nll: Float64Array;
  readonly expected: Float64Array;
  /** Window of the network, in intervals. */
  readonly span: number;
  readonly sides: Sides;
  /** Whether the season is a week; absent: chosen by the data. */
  readonly weekday?: boolean | undefined;
  /** Points of the range, from its end, that the neighbour detectors are fitted to: bounds the work. */
  readonly neighbourPoints?: number | undefined;
  /** Points of the range, from its end, that the detectors are ranked on; absent: all. */
  readonly ranked?: number | undefined;
  /** Absent: the range is all that is known. */
  readonly prior?: Prior | undefined;
  /** Default: `detectionRules`. */
  readonly rules?: DetectionRules | undefined;
}

/** Statistics of series alike, which few points are ranked among. */
export interface Prior {
  /** Weight of the statistics, in points: n points of the range have a share of n / (n + points). */
  readonly points: number;
  /** That of the linear detector in units of its scale. */
  readonly tails: Readonly<PerDetector<Tail>>;
}

/** Fits the ensemble; the range must hold at least the shortest window. */
export function fitEnsemble(input: FitInput): Ensemble {
  return finish(ensembleSteps(input));
}

/** As `fitEnsemble`, in steps of some milliseconds. */
export function* ensembleSteps(input: FitInput): Generator<void, Ensemble> {
  return yield* rankingSteps(input, yield* samplingSteps(input));
}

export type SamplingInput = Pick<
  FitInput,
  "timeline" | "column" | "span" | "sides" | "weekday" | "ranked" | "neighbourPoints"
>;

/** What the detectors say of the range, without the network: it can be had while the network is trained. */
export interface Sampled {
  readonly training: Omit<Training, "nll" | "expected">;
  readonly samples: Readonly<PerDetector<DetectorSample>>;
  /** Median and deviation of the range. */
  readonly location: { readonly center: number; readonly scale: number };
}

/** Statistics of all detectors but the network, in steps of some milliseconds. */
export function* samplingSteps(input: SamplingInput): Generator<void, Sampled> {
  const { column, timeline } = input;
  const seasonal = fitProfile(column, timeline, chooseSeason(input));
  const filled = fillGaps(column, seasonal, timeline);
  const location = locate(column);
  yield;
  const linear = fitLinear(filled, linearWindow(input.span, column.length), location, input.ranked);
  yield;
  const rankedFrom = Math.max(0, column.length - (input.ranked ?? column.length));
  const { neighbourPoints = MAX_NEIGHBOUR_POINTS } = input;
  const windowsFrom = Math.max(rankedFrom, column.length - neighbourPoints);
  const oneSided = isOneSided(input.sides);
  const fixed = { timeline, column, filled, linear, seasonal, rankedFrom, windowsFrom, oneSided };
  const hourly = fitHourly(column, timeline, { usual: seasonal, deviation: location.scale });
  const training = { ...fixed, clock: fitClock(fixed), hourly, bound: findBound(column, location) };
  const samples: PerDetector<DetectorSample> = {};
  const silent = { nll: unscored(column), expected: unscored(column) };
  for (const name of detectorNames) {
    const sample = yield* detectorKinds[name].sample({ ...training, ...silent });
    if (sample) samples[name] = sample;
  }
  return { training, samples, location };
}

/** Tails, ranks and weights of the detectors, in steps of some milliseconds. */
export function* rankingSteps(input: FitInput, sampled: Sampled): Generator<void, Ensemble> {
  const { column, timeline, expected, nll, prior } = input;
  const { training, location } = sampled;
  const { linear, seasonal, clock, hourly, bound, filled } = training;
  const ofNetwork = yield* detectorKinds.network.sample({ ...training, nll, expected });
  const samples = { ...sampled.samples, ...(ofNetwork && { network: ofNetwork }) };
  yield;
  const names = detectorNames.filter((name) => samples[name] !== undefined);
  const total = names.reduce((sum, name) => sum + detectorKinds[name].weight, 0);
  const fits = names.map((name) => {
    const known = prior?.tails[name];
    const alike = known && name === "linear" ? scaleTail(known, linear.scale) : known;
    const weight = detectorKinds[name].weight / total;
    return [name, fitDetector(samples[name]!, { weight, prior: alike }, input)];
  });
  const detectors = Object.fromEntries(fits) as Ensemble["detectors"];
  const { judged, most } = meansOf(detectors, samples, input);
  const { means, at } = judged;
  const recurring = findRecurring(judged);
  const weekTimes = findWeekTimes(most, recurring?.times);
  const calibration = fitCalibration(means, {
    recurring,
    timeOf: (i) => localTimeOf(timeline, at[i]!),
    weekly: weekTimes.length > 0 ? { times: weekTimes, means: meansAt(most, weekTimes) } : undefined,
  });
  const outliers = fitOutliers(input, training);
  const weekly = fitWeekly(column, timeline, weekTimes);
  const ofWeeks = yield* detectorKinds.weekly.sample({ ...training, nll, expected, weekly });
  return {
    detectors: { ...detectors, ...(ofWeeks && { weekly: fitDetector(ofWeeks, { weight: 0 }, input) }) },
    ...(weekly && ofWeeks && { weekly: weekly.fit }),
    seasonal,
    linear,
    ...(bound !== undefined && { bound }),
    ...(outliers && { outliers }),
    ...(calibration && { calibration }),
    agreement: agreementOf(means, input.rules ?? detectionRules),
    ...(clock && { clock: clock.fit }),
    ...(hourly && detectors.hourly && { hourly }),
    history: {
      values: encodeHistory(filled.map((value) => quantise((value - location.center) / location.scale))),
      endAt: timeline.startAt + column.length * timeline.intervalMs,
    },
  };
}

/** Undefined where they are few. */
function fitOutliers(
  { column, outliers, timeline }: FitInput,
  { seasonal, linear }: Pick<Training, "seasonal" | "linear">,
): UsualOutliers | undefined {
  if (!outliers) return undefined;
  const marks = Uint8Array.from(outliers, (value) => Number(Number.isFinite(value)));
  const usual = new Seasonal(seasonal, timeline);
  const distances = column.map((value, i) => (marks[i] === 1 ? outliers[i]! : value) - usual.expect(i));
  return findUsualOutliers({ distances, marks, window: linear.window });
}

/** Undefined where no two days are known. */
function fitClock({
  timeline,
  filled,
  linear,
  rankedFrom,
}: Pick<Training, "timeline" | "filled" | "linear" | "rankedFrom">): ClockSample | undefined {
  const most = mostShift(timeline.intervalMs);
  const z = filled.map((value) => toStoredZ(linear, value));
  const known: { readonly i: number; readonly byShift: Float64Array }[] = [];
  for (let i = Math.max(CLOCK_SPAN - 1, rankedFrom); i < z.length; i++) {
    const course = z.subarray(i - CLOCK_SPAN + 1, i + 1);
    const earlier = (lag: number) => z[i - lag] ?? Number.NaN;
    const byShift = clockDistances(lagsAt(i, timeline), most, { course, earlier });
    if (byShift) known.push({ i, byShift });
  }
  if (known.length === 0) return undefined;
  const shift = chooseShift(known.map(({ byShift }) => byShift));
  const distances = unscored(filled);
  for (const { i, byShift } of known) distances[i] = byShift[shift]!;
  return { fit: { shift }, distances };
}

function fitDetector(
  sample: DetectorSample,
  { weight, prior }: { weight: number; prior?: Tail | undefined },
  input: FitInput,
): DetectorFit {
  const { statistic, minScale } = sample;
  const alike = prior ? drawTail(prior, input.prior!.points) : new Float64Array();
  const counted = new Float64Array(statistic.length + alike.length);
  counted.set(alike);
  let [count, total] = [alike.length, alike.length];
  for (let i = 0; i < statistic.length; i++) {
    if (!Number.isFinite(statistic[i]!)) continue;
    total++;
    if (countsAt(sample, input, i)) counted[count++] = statistic[i]!;
  }
  const known = counted.subarray(0, count);
  const fitted = fitTail(count > 0 ? known : new Float64Array(1), total);
  const tail = { ...fitted, scale: Math.max(fitted.scale, minScale) };
  // A deviation in a direction that does not count is no surprise.
  const ranks = countRanks(
    known.map((own) => tailDecades(tail, own)),
    total - count,
  );
  return { weight, tail, ranks };
}

/** Whether the deviation of a point from the detector's expectation counts. */
function countsAt({ expected }: DetectorSample, { column, sides }: FitInput, i: number): boolean {
  return column[i]! < expected[i]! ? sides.below : sides.above;
}

/**
 * Mean rarities of the points that most detectors judge, in order of time, decades, and of those that all do: the longest
 * windows begin late, so of short ranges the former ones.
 */
function meansOf(
  detectors: Ensemble["detectors"],
  samples: PerDetector<DetectorSample>,
  input: FitInput,
): { readonly judged: Means; readonly most: Means } {
  const names = namesOf({ detectors }).filter((name) => detectors[name]!.weight > 0);
  const { rules = detectionRules } = input;
  const ranks = new Map(names.map((name) => [name, new CausalRank(detectors[name]!.ranks, rules)]));
  const [ofAll, ofMost]: [[i: number, mean: number][], [i: number, mean: number][]] = [[], []];
  for (let i = 0; i < input.column.length; i++) {
    const rarities: PerDetector<number> = {};
    let weight = 0;
    for (const name of names) {
      const sample = samples[name]!;
      if (!Number.isFinite(sample.statistic[i]!)) continue;
      const counts = countsAt(sample, input, i);
      const surprise = counts ? tailDecades(detectors[name]!.tail, sample.statistic[i]!) : 0;
      rarities[name] = ranks.get(name)!.rarityOf(surprise);
      weight += detectors[name]!.weight;
    }
    if (weight < MIN_WEIGHT) continue;
    const mean = meanRarity(detectors, rarities);
    ofMost.push([i, mean]);
    if (names.every((name) => rarities[name] !== undefined)) ofAll.push([i, mean]);
  }
  const toMeans = (list: typeof ofAll): Means => ({
    means: Float64Array.from(list, ([, mean]) => mean),
    at: Int32Array.from(list, ([i]) => i),
    timeline: input.timeline,
  });
  const most = toMeans(ofMost);
  return { judged: ofAll.length < MIN_AGREEMENT_POINTS ? most : toMeans(ofAll), most };
}

function meansAt({ means, at, timeline }: Means, weekTimes: readonly number[]): Float64Array {
  return means.filter((_, i) => isRecurringWeekTime(weekTimes, localTimeOf(timeline, at[i]!)));
}

/**
 * Agreement of the detectors by mean rarities of normal points: at full agreement one mean in a hundred exceeds two
 * decades; at less agreement the same quantile is lower.
 */
export function agreementOf(combined: Float64Array, rules: DetectionRules): number {
  if (combined.length < MIN_AGREEMENT_POINTS) return rules.priorAgreement;
  const sorted = combined.slice().sort();
  const rarity = sorted[Math.floor(sorted.length * 0.99)]!;
  return Math.max(rules.minAgreement, Math.min(1, (rarity / 2 + rules.priorAgreement) / 2));
}

/** The season whose profile predicts the end of the range best, among those that range and settings allow. */
function chooseSeason({ column, timeline, weekday }: SamplingInput): Season {
  const known = Math.floor(column.length * SEASONAL_FIT_SHARE);
  if (weekday === false || !holdsSeason(column.length, timeline.intervalMs, 7)) return 1;
  if (weekday || !holdsSeason(known, timeline.intervalMs, 7)) return weekday ? 7 : 1;
  return seasonalError(column, timeline, 7) < seasonalError(column, timeline, 1) ? 7 : 1;
}

function seasonalError(column: Float64Array, timeline: Timeline, season: Season): number {
  const cut = Math.max(1, Math.floor(column.length * SEASONAL_FIT_SHARE));
  const usual = new Seasonal(fitProfile(column.subarray(0, cut), timeline, season), timeline);
  return upperMedianOf(column.map((value, i) => (i < cut ? Number.NaN : Math.abs(value - usual.expect(i)))));
}

function fillGaps(column: Float64Array, profile: SeasonalProfile, timeline: Timeline): Float64Array {
  const usual = new Seasonal(profile, timeline);
  return column.map((value, i) => (Number.isFinite(value) ? value : usual.expect(i)));
}

/** Median and deviation of the present values. */
function locate(column: Float64Array): { center: number; scale: number } {
  return { center: upperMedianOf(column), scale: measure(column).deviation };
}

/** Upper median of the finite values; infinite without any. */
function upperMedianOf(values: Float64Array): number {
  const sorted = values.filter(Number.isFinite).sort();
  return sorted.length === 0 ? Number.POSITIVE_INFINITY : sorted[sorted.length >> 1]!;
}
