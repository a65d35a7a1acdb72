// Fit of the ensemble of a feature to its training range: detectors, tails, ranks and weights.
import { finish } from "../../runtime/steps.ts";
import { measure } from "../series.ts";
import { drawTail, fitTail, scaleTail, type Tail, tailDecades } from "../stats/tail.ts";
import { combineRarities } from "./combine.ts";
import { expectLinear, fitLinear, linearStatistic, linearWindow } from "./linear.ts";
import type { Sides } from "./members.ts";
import {
  DISTANCE_FLOOR,
  encodeHistory,
  Neighbours,
  neighbourSpans,
  quantise,
  RANGE_SPAN,
} from "./neighbours.ts";
import { CausalRank, countRanks } from "./ranks/rank.ts";
import { type DetectionRules, detectionRules } from "./rules.ts";
import { fitProfile, holdsSeason, type Season, Seasonal, type SeasonalProfile } from "./seasonal.ts";
import type { Timeline } from "./timeline.ts";
import {
  type DetectorFit,
  type DetectorName,
  type Ensemble,
  namesOf,
  neighbourNames,
  type PerDetector,
} from "./types.ts";

/** Share of the range that the seasonal profile is fitted to when its error is measured on the rest. */
const SEASONAL_FIT_SHARE = 0.6;
const MIN_AGREEMENT_POINTS = 200;
/** Least scale of a tail, in nats and in deviations: data without noise would make rounding errors rare. */
const MIN_SCALE = 0.25;
const LINEAR_MIN_SCALE = 0.02;
/** Default of `FitInput.neighbourPoints`. */
const MAX_NEIGHBOUR_POINTS = 15_000;
/** Least number of points for windows of a length, in lengths. */
const MIN_SPANS = 6;
/** Points whose neighbours are searched in some milliseconds. */
const POINTS_PER_STEP = 100;
/** Least number of scored points of a neighbour detector. */
const MIN_SCORED = 30;

export interface FitInput {
  readonly timeline: Timeline;
  /** Training range in units of the data; NaN = missing. */
  readonly column: Float64Array;
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
  readonly range?: Tail | undefined;
}

/** Statistics of a detector over the training range. */
interface DetectorSample {
  /** NaN = not scored. */
  readonly statistic: Float64Array;
  /** Expected value per interval. */
  readonly expected: Float64Array;
  /** Least scale of the tail, in units of the statistic. */
  readonly minScale: number;
  /** Tail of the statistic in series alike. */
  readonly prior?: Tail | undefined;
}

/** Fits the ensemble; the range must hold at least the shortest window. */
export function fitEnsemble(input: FitInput): Ensemble {
  return finish(ensembleSteps(input));
}

/** As `fitEnsemble`, in steps of some milliseconds. */
export function* ensembleSteps(input: FitInput): Generator<void, Ensemble> {
  const { column, timeline, expected, nll, prior } = input;
  const seasonal = fitProfile(column, timeline, chooseSeason(input));
  const filled = fillGaps(column, seasonal, timeline);
  const location = locate(column);
  yield;
  const linear = fitLinear(filled, linearWindow(input.span, column.length), location, input.ranked);
  yield;
  const { neighbours, range } = yield* sampleNeighbours(input, filled, location);
  const samples: PerDetector<DetectorSample> = {
    ...(nll.some(Number.isFinite) && { network: { statistic: nll, expected, minScale: MIN_SCALE } }),
    linear: sampleLinear(linear, input, filled),
    seasonal: sampleSeasonal(seasonal, input),
    ...neighbours,
  };
  yield;
  const names = Object.keys(samples) as DetectorName[];
  const weight = 1 / names.length;
  const fits = names.map((name) => {
    const known = prior?.tails[name];
    const alike = known && name === "linear" ? scaleTail(known, linear.scale) : known;
    return [name, fitDetector({ ...samples[name]!, prior: alike }, weight, input)];
  });
  const detectors = Object.fromEntries(fits) as Ensemble["detectors"];
  return {
    detectors,
    ...(range && { range: fitDetector({ ...range, prior: prior?.range }, 1, input) }),
    seasonal,
    linear,
    agreement: measureAgreement(detectors, samples, input),
    history: {
      values: encodeHistory(filled.map((value) => quantise((value - location.center) / location.scale))),
      endAt: timeline.startAt + column.length * timeline.intervalMs,
    },
  };
}

/** First index that the detectors are ranked on. */
function rankedFrom({ column, ranked = column.length }: Pick<FitInput, "column" | "ranked">): number {
  return Math.max(0, column.length - ranked);
}

function sampleLinear(linear: Ensemble["linear"], input: FitInput, filled: Float64Array): DetectorSample {
  const { column } = input;
  const from = Math.max(linear.window - 1, rankedFrom(input));
  const expected = column.map((_, i) =>
    i < rankedFrom(input) ? Number.NaN : expectLinear(linear, filled, i),
  );
  const statistic = column.map((value, i) =>
    i < from ? Number.NaN : linearStatistic(linear, value - expected[i]!),
  );
  return { statistic, expected, minScale: LINEAR_MIN_SCALE * linear.scale };
}

function sampleSeasonal(seasonal: SeasonalProfile, input: FitInput): DetectorSample {
  const { column, timeline } = input;
  const usual = new Seasonal(seasonal, timeline);
  const from = rankedFrom(input);
  return {
    statistic: column.map((value, i) => (i < from ? Number.NaN : Math.abs(usual.residual(i, value)))),
    expected: column.map((_, i) => usual.expect(i)),
    minScale: MIN_SCALE,
  };
}

interface NeighbourSamples {
  /** Of the windows that the range has enough points for. */
  readonly neighbours: PerDetector<DetectorSample>;
  readonly range?: DetectorSample;
}

/** Distances of every window from those before it. */
function* sampleNeighbours(
  { column, neighbourPoints = MAX_NEIGHBOUR_POINTS, ranked = column.length }: FitInput,
  filled: Float64Array,
  { center, scale }: { center: number; scale: number },
): Generator<void, NeighbourSamples> {
  const points = countFinite(column);
  const from = Math.max(0, column.length - Math.min(neighbourPoints, ranked));
  const before = filled.subarray(0, from).map((value) => quantise((value - center) / scale));
  const spans = [...Object.values(neighbourSpans), RANGE_SPAN].filter((span) => points >= MIN_SPANS * span);
  const neighbours = new Neighbours(before, column.length - from, spans);
  const empty = () => new Float64Array(column.length).fill(Number.NaN);
  const samples = new Map(
    spans.map((span) => [span, { statistic: empty(), expected: empty(), minScale: DISTANCE_FLOOR }]),
  );
  for (let i = from; i < column.length; i++) {
    if (i % POINTS_PER_STEP === 0) yield;
    const z = (filled[i]! - center) / scale;
    for (const [span, { statistic, expected }] of samples) {
      if (!neighbours.prepare(span) || Number.isNaN(column[i]!)) continue;
      statistic[i] = neighbours.nearest(span, z).distance;
      expected[i] = neighbours.expected(span) * scale + center;
    }
    neighbours.push(z);
  }
  const usable = (span: number) => {
    const sample = samples.get(span);
    return sample && countFinite(sample.statistic) >= MIN_SCORED ? sample : undefined;
  };
  const found = neighbourNames.flatMap((name) => {
    const sample = usable(neighbourSpans[name]);
    return sample ? [[name, sample] as const] : [];
  });
  const range = usable(RANGE_SPAN);
  return { neighbours: Object.fromEntries(found), ...(range && { range }) };
}

function fitDetector(sample: DetectorSample, weight: number, input: FitInput): DetectorFit {
  const { statistic, minScale, prior } = sample;
  const scored = [...statistic.keys()].filter((i) => Number.isFinite(statistic[i]!));
  const alike = prior ? Array.from(drawTail(prior, input.prior!.points)) : [];
  const counted = [...scored.filter((i) => countsAt(sample, input, i)).map((i) => statistic[i]!), ...alike];
  const total = scored.length + alike.length;
  const fitted = fitTail(Float64Array.from(counted.length > 0 ? counted : [0]), total);
  const tail = { ...fitted, scale: Math.max(fitted.scale, minScale) };
  const surprises = scored.map((i) => (countsAt(sample, input, i) ? tailDecades(tail, statistic[i]!) : 0));
  const known = alike.map((value) => tailDecades(tail, value));
  return { weight, tail, ranks: countRanks([...surprises, ...known]) };
}

/** Whether the deviation of a point from the detector's expectation counts. */
function countsAt({ expected }: DetectorSample, { column, sides }: FitInput, i: number): boolean {
  return column[i]! < expected[i]! ? sides.below : sides.above;
}

/**
 * Agreement of the detectors: at full agreement one mean rarity in a hundred exceeds two decades; at less agreement the
 * same quantile is lower.
 */
function measureAgreement(
  detectors: Ensemble["detectors"],
  samples: PerDetector<DetectorSample>,
  input: FitInput,
): number {
  const names = namesOf({ detectors });
  const { rules = detectionRules } = input;
  const ranks = new Map(names.map((name) => [name, new CausalRank(detectors[name]!.ranks, rules)]));
  const combined: number[] = [];
  for (let i = 0; i < input.column.length; i++) {
    if (names.some((name) => !Number.isFinite(samples[name]!.statistic[i]!))) continue;
    const rarities: PerDetector<number> = {};
    for (const name of names) {
      const sample = samples[name]!;
      const counts = countsAt(sample, input, i);
      const surprise = counts ? tailDecades(detectors[name]!.tail, sample.statistic[i]!) : 0;
      rarities[name] = ranks.get(name)!.rarityOf(surprise);
    }
    combined.push(combineRarities({ detectors, agreement: 1 }, rarities));
  }
  return agreementOf(Float64Array.from(combined), rules);
}

/** Agreement by mean rarities of normal points, decades; see `measureAgreement`. */
export function agreementOf(combined: Float64Array, rules: DetectionRules): number {
  if (combined.length < MIN_AGREEMENT_POINTS) return rules.priorAgreement;
  const sorted = combined.slice().sort();
  const rarity = sorted[Math.floor(sorted.length * 0.99)]!;
  return Math.max(rules.minAgreement, Math.min(1, (rarity / 2 + rules.priorAgreement) / 2));
}

/** The season whose profile predicts the end of the range best, among those that range and settings allow. */
function chooseSeason({ column, timeline, weekday }: FitInput): Season {
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

function countFinite(values: Float64Array): number {
  return values.reduce((count, value) => count + Number(Number.isFinite(value)), 0);
}
