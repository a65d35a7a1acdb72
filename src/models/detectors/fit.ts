// Fit of the ensemble of a feature to its training range: detectors, tails, ranks and weights.
import { measure } from "../series.ts";
import { fitTail, tailDecades } from "../stats/tail.ts";
import { combineRarities } from "./combine.ts";
import { expectLinear, fitLinear, linearStatistic, linearWindow } from "./linear.ts";
import { CausalRank, countRanks } from "./rank.ts";
import { fitProfile, holdsSeason, type Season, Seasonal, type SeasonalProfile } from "./seasonal.ts";
import type { Timeline } from "./timeline.ts";
import { type DetectorFit, type DetectorName, detectorNames, type Ensemble } from "./types.ts";

/** Training points from which the network has its full weight; below, in proportion. */
const NETWORK_FULL_WEIGHT_POINTS = 1000;
/** Share of the range that the seasonal profile is fitted to when its error is measured on the rest. */
const SEASONAL_FIT_SHARE = 0.6;
/** Error below which accuracies are equal, as a share of the series' deviation. */
const ACCURACY_FLOOR = 1e-3;
/** Typical agreement of the detectors, towards which the measured one is shrunk by half. */
const PRIOR_AGREEMENT = 0.8;
const MIN_AGREEMENT_POINTS = 200;
/** Least scale of a tail, in nats and in deviations: data without noise would make rounding errors rare. */
const MIN_SCALE = 0.25;
const LINEAR_MIN_SCALE = 0.02;

export interface FitInput {
  readonly timeline: Timeline;
  /** Training range in units of the data; NaN = missing. */
  readonly column: Float64Array;
  /** Statistic and expectation of the network, per interval of the range; NaN where it was not scored. */
  readonly nll: Float64Array;
  readonly expected: Float64Array;
  /** Window of the network, in intervals. */
  readonly span: number;
  /** Whether deviations below and above the expectation of the network count. */
  readonly countsBelow: boolean;
  readonly countsAbove: boolean;
  /** Whether the season is a week; absent: chosen by the data. */
  readonly weekday?: boolean | undefined;
}

/** Fits the ensemble; the range must hold at least the shortest window. */
export function fitEnsemble(input: FitInput): Ensemble {
  const { column, timeline, expected, nll } = input;
  const season = chooseSeason(input);
  const seasonal = fitProfile(column, timeline, season);
  const filled = fillGaps(column, seasonal, timeline);
  const points = column.reduce((count, value) => count + Number(Number.isFinite(value)), 0);
  const linear = fitLinear(filled, linearWindow(input.span, column.length), locate(column));
  const profile = new Seasonal(seasonal, timeline);
  const away = {
    linear: column.map((value, i) => value - expectLinear(linear, filled, i)),
    seasonal: column.map((value, i) => profile.residual(i, value)),
  };
  const statistics = {
    network: nll,
    linear: away.linear.map((value, i) =>
      i < linear.window - 1 ? Number.NaN : linearStatistic(linear, value),
    ),
    seasonal: away.seasonal.map(Math.abs),
  };
  const accuracies = {
    network: upperMedianOf(column.map((value, i) => Math.abs(value - expected[i]!))),
    linear: upperMedianOf(statistics.linear),
    seasonal: seasonalError(column, timeline, season),
  };
  const weights = weighDetectors(accuracies, { points, deviation: locate(column).scale });
  const fit = (name: DetectorName) => {
    const resolution = name === "linear" ? LINEAR_MIN_SCALE * linear.scale : MIN_SCALE;
    return fitDetector({ statistic: statistics[name], weight: weights[name], minScale: resolution }, input);
  };
  const detectors = { network: fit("network"), linear: fit("linear"), seasonal: fit("seasonal") };
  return { detectors, seasonal, linear, agreement: measureAgreement(detectors, statistics, input) };
}

/** Weights by the inverse of the median error: an accurate detector finds small anomalies. */
function weighDetectors(
  errors: Readonly<Record<DetectorName, number>>,
  { points, deviation }: { points: number; deviation: number },
): Record<DetectorName, number> {
  const floor = ACCURACY_FLOOR * deviation + Number.MIN_VALUE;
  const raw = (name: DetectorName) => {
    const share = name === "network" ? Math.min(1, points / NETWORK_FULL_WEIGHT_POINTS) : 1;
    return Number.isFinite(errors[name]) ? share / (errors[name] + floor) : 0;
  };
  const total = detectorNames.reduce((sum, name) => sum + raw(name), 0);
  const share = (name: DetectorName) => (total > 0 && Number.isFinite(total) ? raw(name) / total : 1 / 3);
  return { network: share("network"), linear: share("linear"), seasonal: share("seasonal") };
}

interface DetectorSample {
  readonly statistic: Float64Array;
  readonly weight: number;
  /** Least scale of the tail, in units of the statistic. */
  readonly minScale: number;
}

function fitDetector(
  { statistic, weight, minScale: resolution }: DetectorSample,
  input: FitInput,
): DetectorFit {
  const scored = [...statistic.entries()].filter(([, value]) => Number.isFinite(value));
  const counted = scored.filter(([i]) => countsAt(input, i)).map(([, value]) => value);
  const fitted = fitTail(Float64Array.from(counted.length > 0 ? counted : [0]), scored.length);
  const tail = { ...fitted, scale: Math.max(fitted.scale, resolution) };
  const surprises = scored.map(([i, value]) => (countsAt(input, i) ? tailDecades(tail, value) : 0));
  return { weight, tail, ranks: countRanks(surprises) };
}

function countsAt({ column, expected, countsAbove, countsBelow }: FitInput, i: number): boolean {
  return column[i]! < expected[i]! ? countsBelow : countsAbove;
}

/**
 * The combined rarity of the 99 % quantile of the training points, relative to the two decades it should be. This
 * quantile is far enough in the tail to matter, and can be measured on short ranges.
 */
function measureAgreement(
  detectors: Readonly<Record<DetectorName, DetectorFit>>,
  statistics: Readonly<Record<DetectorName, Float64Array>>,
  input: FitInput,
): number {
  const ranks = new Map(detectorNames.map((name) => [name, new CausalRank(detectors[name].ranks)]));
  const combined: number[] = [];
  for (let i = 0; i < input.column.length; i++) {
    if (!countsAt(input, i) || detectorNames.some((name) => !Number.isFinite(statistics[name][i]!))) continue;
    const surpriseOf = (name: DetectorName) => tailDecades(detectors[name].tail, statistics[name][i]!);
    const rarityOf = (name: DetectorName) => ranks.get(name)!.rarityOf(surpriseOf(name));
    combined.push(combineRarities({ detectors, agreement: 1 }, rarityOf));
  }
  if (combined.length < MIN_AGREEMENT_POINTS) return PRIOR_AGREEMENT;
  const sorted = Float64Array.from(combined).sort();
  const rarity = sorted[Math.floor(sorted.length * 0.99)]!;
  return Math.min(1, (rarity / 2 + PRIOR_AGREEMENT) / 2);
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
