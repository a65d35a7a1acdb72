// Fits the ensemble of a feature to its training range: companions, tails, ranks, and how much each detector counts.
import { fitTail, tailSurprise } from "../tail.ts";
import { type DetectorFit, type DetectorName, detectorNames, type Ensemble } from "./ensemble.ts";
import { expectLinear, fitLinear, linearWindow } from "./linear.ts";
import { countRanks } from "./rank.ts";
import { fitProfile, type Rhythm, Seasonal, type SeasonalProfile } from "./seasonal.ts";

/** With fewer points the network knows less than the companions however long it is trained: it counts in proportion. */
const NETWORK_POINTS = 1000;
/** The seasonal companion's scale is measured on what it was not fitted to. */
const SEASONAL_FIT_SHARE = 0.6;
/** Share of the series' deviation below which differences in accuracy mean nothing. */
const ACCURACY_FLOOR = 1e-3;

export interface FitInput {
  readonly rhythm: Rhythm;
  /** Training range in units of the data; NaN = missing. */
  readonly column: Float64Array;
  /** The network's statistic and expectation over the range, as long as it; NaN where it was not scored. */
  readonly nll: Float64Array;
  readonly expected: Float64Array;
  /** Window of the network, in intervals. */
  readonly span: number;
  /** Whether a difference from the network's expectation counts, by its sign. */
  readonly countsBelow: boolean;
  readonly countsAbove: boolean;
}

/** Needs at least as many points as the shortest window has. */
export function fitEnsemble(input: FitInput): Ensemble {
  const { column, rhythm, expected, nll } = input;
  const seasonal = fitProfile(column, rhythm);
  const filled = fillGaps(column, seasonal, rhythm);
  const points = column.reduce((count, value) => count + Number(Number.isFinite(value)), 0);
  const linear = fitLinear(filled, linearWindow(input.span, column.length), locate(column));
  const usual = new Seasonal(seasonal, rhythm);
  const away = {
    linear: column.map((value, i) => value - expectLinear(linear, filled, i)),
    seasonal: column.map((value, i) => usual.residual(i, value)),
  };
  const statistics = {
    network: nll,
    linear: away.linear.map((value, i) => (i < linear.window - 1 ? Number.NaN : Math.abs(value))),
    seasonal: away.seasonal.map(Math.abs),
  };
  const accuracies = {
    network: medianOf(column.map((value, i) => Math.abs(value - expected[i]!))),
    linear: medianOf(statistics.linear),
    seasonal: seasonalError(column, rhythm),
  };
  const weights = weigh(accuracies, { points, deviation: locate(column).scale });
  const fit = (name: DetectorName) => fitDetector(statistics[name], weights[name], input);
  return {
    detectors: { network: fit("network"), linear: fit("linear"), seasonal: fit("seasonal") },
    seasonal,
    linear,
  };
}

/** A detector that predicts closely sees small anomalies: shares go by the inverse of the median error. */
function weigh(
  errors: Readonly<Record<DetectorName, number>>,
  { points, deviation }: { points: number; deviation: number },
): Record<DetectorName, number> {
  const floor = ACCURACY_FLOOR * deviation + Number.MIN_VALUE;
  const raw = (name: DetectorName) => {
    const share = name === "network" ? Math.min(1, points / NETWORK_POINTS) : 1;
    return Number.isFinite(errors[name]) ? share / (errors[name] + floor) : 0;
  };
  const total = detectorNames.reduce((sum, name) => sum + raw(name), 0);
  const share = (name: DetectorName) => (total > 0 && Number.isFinite(total) ? raw(name) / total : 1 / 3);
  return { network: share("network"), linear: share("linear"), seasonal: share("seasonal") };
}

function fitDetector(statistic: Float64Array, weight: number, input: FitInput): DetectorFit {
  const scored = [...statistic.entries()].filter(([, value]) => Number.isFinite(value));
  const counted = scored.filter(([i]) => countsAt(input, i)).map(([, value]) => value);
  const tail = fitTail(Float64Array.from(counted.length > 0 ? counted : [0]), scored.length);
  const surprises = scored.map(([i, value]) => (countsAt(input, i) ? tailSurprise(tail, value) : 0));
  return { weight, tail, ranks: countRanks(surprises) };
}

function countsAt({ column, expected, countsAbove, countsBelow }: FitInput, i: number): boolean {
  return column[i]! < expected[i]! ? countsBelow : countsAbove;
}

function seasonalError(column: Float64Array, rhythm: Rhythm): number {
  const cut = Math.max(1, Math.floor(column.length * SEASONAL_FIT_SHARE));
  const usual = new Seasonal(fitProfile(column.subarray(0, cut), rhythm), rhythm);
  return medianOf(column.map((value, i) => (i < cut ? Number.NaN : Math.abs(value - usual.expect(i)))));
}

function fillGaps(column: Float64Array, profile: SeasonalProfile, rhythm: Rhythm): Float64Array {
  const usual = new Seasonal(profile, rhythm);
  return column.map((value, i) => (Number.isFinite(value) ? value : usual.expect(i)));
}

/** Median, and standard deviation, of what is present; a constant column has a scale of its own magnitude. */
function locate(column: Float64Array): { center: number; scale: number } {
  const present = column.filter(Number.isFinite);
  const center = medianOf(present);
  const mean = present.reduce((sum, value) => sum + value / present.length, 0);
  const variance = present.reduce((sum, value) => sum + (value - mean) ** 2 / present.length, 0);
  return { center, scale: Math.sqrt(variance) || Math.abs(center) || 1 };
}

/** Of what is finite; infinite where nothing is. */
function medianOf(values: Float64Array): number {
  const sorted = values.filter(Number.isFinite).sort();
  return sorted.length === 0 ? Number.POSITIVE_INFINITY : sorted[sorted.length >> 1]!;
}
