// Fit of the ensemble of a feature to its training range: detectors, tails, ranks and weights.
import { DAY_MS } from "../../core/time/time.ts";
import { finish } from "../../runtime/steps.ts";
import { measure } from "../series.ts";
import { upperMedianOf } from "../stats/median.ts";
import { findQuantum } from "../stats/quantum.ts";
import { drawTail, fitTail, scaleTail, type Tail, tailDecades } from "../stats/tail.ts";
import { fitCalibration } from "./calibration.ts";
import { layOutByClock } from "./clock-change.ts";
import { detectorKinds, detectorNames } from "./kinds/index.ts";
import { type DetectorSample, type Training, toStoredZ, unscored } from "./kinds/kind.ts";
import { fitLinear, linearWindow } from "./linear.ts";
import { agreementOf, countsAt, meansAt, meansOf } from "./means.ts";
import { isOneSided, type Sides } from "./members.ts";
import { findBound } from "./neighbours/bound.ts";
import { encodeHistory, HISTORY_LENGTH, quantise } from "./neighbours/quanta.ts";
import { countRanks } from "./ranks/rank.ts";
import { fitRepeats } from "./repeats.ts";
import { type DetectionRules, detectionRules } from "./rules.ts";
import { chooseSeason } from "./seasons/choose.ts";
import {
  CLOCK_SPAN,
  type ClockSample,
  chooseEveryDays,
  chooseShift,
  clockDistances,
  lagsIn,
  mostShift,
} from "./seasons/clock.ts";
import { fitFloor } from "./seasons/floor.ts";
import { fitHourly } from "./seasons/hourly.ts";
import { findRecurring, findWeekTimes, localTimeOf } from "./seasons/recurring.ts";
import { fitProfile, Seasonal, type SeasonalProfile } from "./seasons/seasonal.ts";
import { fitWeekly } from "./seasons/weekly.ts";
import type { Timeline } from "./timeline.ts";
import type { DetectorFit, Ensemble, History, PerDetector } from "./types.ts";
import { findUsualOutliers, type UsualOutliers } from "./usual-outliers.ts";

/** Default of `FitInput.neighbourPoints`. */
const MAX_NEIGHBOUR_POINTS = 15_000;

export interface FitInput {
  readonly timeline: Timeline;
  /** Training range in units of the data; NaN = missing. */
  readonly column: Float64Array;
  /** With the baseline that the column is without; absent: it has none. */
  readonly observed?: Float64Array | undefined;
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
  "timeline" | "column" | "observed" | "span" | "sides" | "weekday" | "ranked" | "neighbourPoints"
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
  const { column, timeline, observed = column } = input;
  const seasonal = fitProfile(column, timeline, { days: chooseSeason(input) });
  const filled = fillGaps(column, seasonal, timeline);
  const location = locate(column);
  yield;
  const linear = fitLinear(filled, linearWindow(input.span, column.length), location, input.ranked);
  yield;
  const rankedFrom = Math.max(0, column.length - (input.ranked ?? column.length));
  const { neighbourPoints = MAX_NEIGHBOUR_POINTS } = input;
  const windowsFrom = Math.max(rankedFrom, column.length - neighbourPoints);
  const oneSided = isOneSided(input.sides);
  const fixed = { timeline, column, observed, filled, linear, seasonal, rankedFrom, windowsFrom, oneSided };
  const hourly = fitHourly(column, timeline, { usual: seasonal, deviation: location.scale });
  const floor = fitFloor(observed, timeline, location.scale);
  const repeats = fitRepeats(observed);
  const bound = findBound(column, location);
  const training = { ...fixed, clock: fitClock(fixed), hourly, floor, repeats, bound };
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
  const { linear, seasonal, clock, hourly, floor, repeats, bound, filled } = training;
  const quantum = findQuantum(training.observed, location.scale);
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
    days: at.map((i) => Math.floor((i * timeline.intervalMs) / DAY_MS)),
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
    ...(quantum !== undefined && { quantum }),
    ...(bound !== undefined && { bound }),
    ...(outliers && { outliers }),
    ...(calibration && { calibration }),
    agreement: agreementOf(means, input.rules ?? detectionRules),
    ...(clock && { clock: clock.fit }),
    ...(hourly && detectors.hourly && { hourly }),
    ...(floor && (detectors.quiet ?? detectors.busy) && { floor }),
    ...(detectors.same && { repeats }),
    history: historyOf(filled, { timeline, seasonal, location }),
  };
}

/** The end of a range, by the clock at its end. @param filled without gaps */
function historyOf(
  filled: Float64Array,
  { timeline, seasonal, location }: Pick<Sampled, "location"> & Pick<Training, "timeline" | "seasonal">,
): History {
  const { startAt, intervalMs } = timeline;
  const first = Math.max(0, filled.length - HISTORY_LENGTH);
  const column = filled.subarray(first);
  const laid = layOutByClock({ ...timeline, startAt: startAt + first * intervalMs }, column.length);
  const whole = fillGaps(laid.layOut(column), seasonal, laid.timeline);
  const { center, scale } = location;
  const values = encodeHistory(whole.map((value) => quantise((value - center) / scale)));
  return { values, endAt: startAt + filled.length * intervalMs };
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
  column,
  filled,
  linear,
  rankedFrom,
}: Pick<Training, "timeline" | "column" | "filled" | "linear" | "rankedFrom">): ClockSample | undefined {
  const [most, lagsAt] = [mostShift(timeline.intervalMs), lagsIn(timeline)];
  const z = filled.map((value) => toStoredZ(linear, value));
  const known: { readonly i: number; readonly byShift: Float64Array }[] = [];
  for (let i = Math.max(CLOCK_SPAN - 1, rankedFrom); i < z.length; i++) {
    const course = z.subarray(i - CLOCK_SPAN + 1, i + 1);
    const earlier = (lag: number) => z[i - lag] ?? Number.NaN;
    const byShift = clockDistances(lagsAt(i), most, { course, earlier });
    if (byShift) known.push({ i, byShift });
  }
  if (known.length === 0) return undefined;
  const shift = chooseShift(known.map(({ byShift }) => byShift));
  const distances = unscored(filled);
  for (const { i, byShift } of known) distances[i] = byShift[shift]!;
  // As many days as a value is compared with hold runs enough.
  const from = Math.max(rankedFrom, z.length - (lagsAt(z.length).at(-1) ?? 0));
  const judged = z.map((own, i) => (i >= from && Number.isFinite(column[i]!) ? own : Number.NaN));
  const everyDays = chooseEveryDays(judged, { lagsAt, shift, filled: z });
  return { fit: { shift, ...(everyDays > 1 && { everyDays }) }, distances, lagsAt, z };
}

function fitDetector(
  sample: DetectorSample,
  { weight, prior }: { weight: number; prior?: Tail | undefined },
  input: FitInput,
): DetectorFit {
  const { statistic, minScale, maxShape } = sample;
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
  const fitted = fitTail(count > 0 ? known : new Float64Array(1), total, maxShape);
  const tail = { ...fitted, scale: Math.max(fitted.scale, minScale) };
  // A deviation in a direction that does not count is no surprise.
  const ranks = countRanks(
    known.map((own) => tailDecades(tail, own)),
    total - count,
  );
  return { weight, tail, ranks };
}

function fillGaps(column: Float64Array, profile: SeasonalProfile, timeline: Timeline): Float64Array {
  const usual = new Seasonal(profile, timeline);
  return column.map((value, i) => (Number.isFinite(value) ? value : usual.expect(i)));
}

/** Median and deviation of the present values. */
function locate(column: Float64Array): { center: number; scale: number } {
  return { center: upperMedianOf(column), scale: measure(column).deviation };
}
