// Batch ensemble: the detectors' statistics from earlier and later points, ranked among all normal points of a range.
import { createYielder, mapInSteps, runInSteps } from "../../runtime/steps.ts";
import { fitTail, tailDecades } from "../stats/tail.ts";
import { calibrate, fitCalibration } from "./calibration.ts";
import { meanRarity } from "./combine.ts";
import { detectorKinds } from "./kinds/index.ts";
import { expectLinear, linearStatistic } from "./linear.ts";
import { agreementOf } from "./means.ts";
import { quantise } from "./neighbours/quanta.ts";
import { CausalRank } from "./ranks/rank.ts";
import { detectionRules } from "./rules.ts";
import { Seasonal } from "./seasons/seasonal.ts";
import type { Timeline } from "./timeline.ts";
import { type DetectorName, type Ensemble, namesOf, type PerDetector } from "./types.ts";
import { profileOf } from "./window-profile.ts";

/** Points that tails and the agreement are fitted to, evenly spaced if there are more. */
const MAX_FITTED_POINTS = 50_000;
/** Longest windows, in points: looking back, longer ones would blur what they locate. */
const MAX_SPAN = 40;
/** Points combined between two yields. */
const POINTS_PER_STEP = 1000;

/** A stretch of one feature without gaps in time, columns equally long. */
export interface Stretch {
  readonly timeline: Timeline;
  /** In units of the data, without baseline; NaN = missing. */
  readonly column: Float64Array;
  /** Statistic of the network at all positions of its windows; NaN = not scored. */
  readonly nll: Float64Array;
}

interface BatchInput {
  /** In order of time: the range, and what is known of the series before and after it. */
  readonly stretches: readonly Stretch[];
  /** Index of the range in `stretches`. */
  readonly range: number;
  /** By interval of the range, 1 = part of an anomaly of live detection: neither ranked nor compared with. */
  readonly anomalous: Uint8Array;
}

/** By interval of the range, decades; NaN where nothing was observed. */
interface BatchRarities {
  readonly rarity: Float64Array;
  /** As `rarity`, extrapolated without a bound. */
  readonly unbounded: Float64Array;
}

/** One value per interval of all stretches. */
interface Statistics {
  readonly byDetector: Readonly<PerDetector<Float64Array>>;
  /** 1 = normal: enters the ranks. */
  readonly normal: Uint8Array;
}

/**
 * Ranks every point of a range.
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export async function rankBatch(
  ensemble: Ensemble,
  input: BatchInput,
  signal: AbortSignal,
): Promise<BatchRarities> {
  const { stretches, range, anomalous } = input;
  const before = stretches.slice(0, range).reduce((sum, { column }) => sum + column.length, 0);
  const length = stretches.reduce((sum, { column }) => sum + column.length, 0);
  const barred = new Uint8Array(length);
  barred.set(anomalous, before);
  const byDetector = await measureAll(ensemble, { stretches, barred }, signal);
  const statistics = { byDetector, normal: barred.map((flag) => 1 - flag) };
  const ranks = await fitRanks(statistics, signal);
  const means = await combine(ensemble, { byDetector, ranks }, signal);
  const normalMeans = means.rarity.filter((mean, i) => statistics.normal[i] === 1 && Number.isFinite(mean));
  const calibration = fitCalibration(thin(normalMeans));
  const agreement = agreementOf(thin(normalMeans), detectionRules);
  const toRarity = (mean: number) => (calibration ? calibrate(calibration, mean) : mean / agreement);
  const cut = (values: Float64Array) =>
    values
      .subarray(before, before + stretches[range]!.column.length)
      .map((mean) => (Number.isNaN(mean) ? mean : toRarity(mean)));
  return { rarity: cut(means.rarity), unbounded: cut(means.unbounded) };
}

interface Measured {
  readonly stretches: readonly Stretch[];
  /** By interval of all stretches. */
  readonly barred: Uint8Array;
}

async function measureAll(
  ensemble: Ensemble,
  { stretches, barred }: Measured,
  signal: AbortSignal,
): Promise<PerDetector<Float64Array>> {
  const { center, scale } = ensemble.linear;
  const found: Partial<Record<DetectorName, Float64Array[]>> = {};
  const filled: Float64Array[] = [];
  const add = (name: DetectorName, values: Float64Array) => {
    found[name] ??= [];
    found[name].push(values);
  };
  for (const { column, timeline, nll } of stretches) {
    const { statistic, usual } = await measureSeasonal(ensemble, { column, timeline }, signal);
    const whole = column.map((value, i) => (Number.isFinite(value) ? value : usual[i]!));
    filled.push(whole);
    add("network", nll);
    add("seasonal", statistic);
    const off = column.map((value, i) => value - usual[i]!);
    const { scale: seasonalScale } = ensemble.seasonal;
    add(
      "jump",
      off.map((own, i) => Math.abs(own - (off[i - 1] ?? Number.NaN)) / seasonalScale),
    );
    add("linear", await measureLinear(ensemble, { column, whole }, signal));
  }
  const isMissing = join(stretches.map(({ column }) => column)).map((value) => Number(Number.isNaN(value)));
  const quanta = join(filled).map((value) => quantise((value - center) / scale));
  for (const name of namesOf(ensemble)) {
    const { windows } = detectorKinds[name];
    // Changes are odd before and after what is odd: looking back, they would blur it.
    if (!windows || windows.span > MAX_SPAN || windows.of === "changes") continue;
    const distances = await profileOf(quanta, { span: windows.span, barred, signal });
    add(
      name,
      distances.map((value, i) => (isMissing[i] ? Number.NaN : value)),
    );
  }
  // The clock compares with earlier days alone, as in live detection: it has no part in looking back.
  const measured = namesOf(ensemble).filter((name) => found[name] !== undefined);
  return Object.fromEntries(measured.map((name) => [name, join(found[name]!)]));
}

/** Distances from a profile that learns, as in live detection, and the values it expects. */
async function measureSeasonal(
  ensemble: Ensemble,
  { column, timeline }: Pick<Stretch, "column" | "timeline">,
  signal: AbortSignal,
): Promise<{ statistic: Float64Array; usual: Float64Array }> {
  const seasonal = new Seasonal(ensemble.seasonal, timeline);
  const usual = await mapInSteps(
    column.length,
    (i) => {
      const expected = seasonal.expect(i);
      if (Number.isFinite(column[i]!)) seasonal.learn(i, column[i]!);
      return expected;
    },
    signal,
  );
  const { scale } = ensemble.seasonal;
  return { statistic: column.map((value, i) => Math.abs(value - usual[i]!) / scale), usual };
}

/** @param whole the column with gaps filled */
function measureLinear(
  { linear }: Ensemble,
  { column, whole }: { column: Float64Array; whole: Float64Array },
  signal: AbortSignal,
): Promise<Float64Array> {
  const statisticAt = (i: number) =>
    i < linear.window - 1 ? Number.NaN : linearStatistic(linear, column[i]! - expectLinear(linear, whole, i));
  return mapInSteps(column.length, statisticAt, signal);
}

interface Rank {
  readonly surpriseOf: (statistic: number) => number;
  readonly rank: CausalRank;
}

/** Ranks of the detectors among the normal points; without those that scored none. */
async function fitRanks({ byDetector, normal }: Statistics, signal: AbortSignal): Promise<PerDetector<Rank>> {
  const ranks: PerDetector<Rank> = {};
  const yieldIfDue = createYielder(signal);
  for (const name of Object.keys(byDetector) as DetectorName[]) {
    const sample = byDetector[name]!.filter((value, i) => normal[i] === 1 && Number.isFinite(value));
    if (sample.length === 0) continue;
    const tail = fitTail(thin(sample));
    const rank = new CausalRank([]);
    const surpriseOf = (statistic: number) => tailDecades(tail, statistic);
    for (const statistic of sample) {
      rank.add(surpriseOf(statistic));
      const turn = yieldIfDue();
      if (turn) await turn;
    }
    ranks[name] = { surpriseOf, rank };
  }
  return ranks;
}

/** Mean rarities of all points, without the correction for disagreement. */
async function combine(
  ensemble: Ensemble,
  { byDetector, ranks }: { byDetector: Statistics["byDetector"]; ranks: PerDetector<Rank> },
  signal: AbortSignal,
): Promise<BatchRarities> {
  const names = Object.keys(ranks) as DetectorName[];
  const length = byDetector[names[0]!]?.length ?? 0;
  const { detectors } = ensemble;
  const rarity = new Float64Array(length).fill(Number.NaN);
  const unbounded = rarity.slice();
  await runInSteps(length, { part: POINTS_PER_STEP, signal }, (from, to) => {
    for (let i = from; i < to; i++) {
      const own: PerDetector<number> = {};
      const beyond: PerDetector<number> = {};
      for (const name of names) {
        const statistic = byDetector[name]![i]!;
        if (!Number.isFinite(statistic)) continue;
        const { surpriseOf, rank } = ranks[name]!;
        const surprise = surpriseOf(statistic);
        own[name] = rank.rarityOf(surprise);
        beyond[name] = rank.unboundedRarityOf(surprise);
      }
      if (own.seasonal === undefined) continue;
      rarity[i] = meanRarity(detectors, own);
      unbounded[i] = meanRarity(detectors, beyond);
    }
  });
  return { rarity, unbounded };
}

function thin(values: Float64Array): Float64Array {
  const step = Math.ceil(values.length / MAX_FITTED_POINTS);
  return step > 1 ? values.filter((_, i) => i % step === 0) : values;
}

function join(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
