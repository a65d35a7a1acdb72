// Ensemble scoring: detectors ranked among their past and combined; expected value and band come from the same blend.
import type { Evidence } from "../../core/anomaly/event.ts";
import { DECADES, scoreOfRarity } from "../scoring/score.ts";
import { coverageOf } from "./combine.ts";
import { type DecisionBand, findBand } from "./decision-band.ts";
import { type DriftMemory, noDrift, pointsKeptAtDrift, stepDrift } from "./drift.ts";
import type { EnsembleInput, EnsembleScores } from "./ensemble-input.ts";
import { explain } from "./evidence.ts";
import { ImputedSeries } from "./imputed-series.ts";
import { KnownSeries } from "./known-series.ts";
import { isOneSided, type Member, Members } from "./members.ts";
import { NormalRanks, type Ranked } from "./ranks/normal-ranks.ts";
import { noveltyOf } from "./ranks/novelty.ts";
import { RangeRank } from "./ranks/range-rank.ts";
import { boundRanked, boundTo } from "./ranks/rarity-bounds.ts";
import { RecentPeaks } from "./ranks/recent-peaks.ts";
import { type DetectionRules, detectionRules } from "./rules.ts";
import { Seasonal } from "./seasons/seasonal.ts";
import { capScore, isTolerated, measuredNames } from "./tolerance.ts";
import type { Ensemble, Memory, PerDetector } from "./types.ts";
import { judgeOutliers, type OutlierJudge, type RarityBounds } from "./usual-outliers.ts";

/** Scores one interval after the other, each from the past alone. */
export function scoreEnsemble(ensemble: Ensemble, input: EnsembleInput): EnsembleScores {
  const run = new ScoringPass(ensemble, input);
  const column = () => new Float64Array(input.column.length).fill(Number.NaN);
  const scores = {
    score: column(),
    rarity: column(),
    rangeRarity: column(),
    expected: column(),
    lower: column(),
    upper: column(),
  };
  const evidence = new Map<number, Evidence>();
  for (let i = input.from; i < input.column.length; i++) {
    const { band, scored } = run.step(i);
    if (band) for (const key of ["expected", "lower", "upper"] as const) scores[key][i] = band[key];
    if (!scored) continue;
    scores.score[i] = scored.score;
    scores.rarity[i] = scored.rarity * Math.LN10;
    scores.rangeRarity[i] = scored.rangeRarity;
    if (scored.evidence) evidence.set(i, scored.evidence);
  }
  return { ...scores, evidence, memory: run.end() };
}

interface ScoredPoint {
  readonly score: number;
  /** Decades. */
  readonly rarity: number;
  readonly rangeRarity: number;
  readonly evidence?: Evidence;
}

interface Step {
  readonly band?: DecisionBand;
  readonly scored?: ScoredPoint;
}

/** What judges the values of a point. */
interface JudgedPoint {
  readonly members: readonly Member[];
  /** See `coverageOf`. */
  readonly coverage: number;
  /** Absent where no outliers are usual. */
  readonly outliers: OutlierJudge | undefined;
}

interface HiddenPoint extends Omit<JudgedPoint, "outliers"> {
  readonly novelty: number;
  readonly bounds: RarityBounds | undefined;
}

class ScoringPass {
  readonly #normal: NormalRanks;
  readonly #seasonal: Seasonal;
  readonly #recentPeaks: RecentPeaks;
  readonly #imputed: ImputedSeries;
  readonly #known: KnownSeries;
  readonly #members: Members;
  readonly #range: RangeRank;
  readonly #coverage: (i: number) => number;
  readonly #rules: DetectionRules;
  #drift: DriftMemory;

  constructor(
    private readonly ensemble: Ensemble,
    private readonly input: EnsembleInput,
  ) {
    const { memory, timeline, thresholds, column, from, network, sides, ranged = false } = input;
    const { intervalMs } = timeline;
    const { rules = detectionRules } = input;
    this.#rules = rules;
    this.#normal = new NormalRanks(ensemble, { timeline, thresholds, detection: rules }, memory);
    this.#seasonal = new Seasonal(memory?.seasonal ?? ensemble.seasonal, timeline);
    this.#recentPeaks = new RecentPeaks(intervalMs, memory ?? { scored: 0, peaks: [] });
    this.#imputed = new ImputedSeries(input, memory?.imputed ?? [], (i) => this.#seasonal.expect(i));
    const imputed = this.#imputed;
    const usual = (i: number) => this.#seasonal.expect(i);
    this.#known = new KnownSeries({ ensemble, timeline, imputed, from, usual, remembered: memory?.history });
    for (const alarm of this.#normal.withheld) this.#known.bar(alarm, true);
    const { neighbours, bounded, changes } = this.#known;
    this.#range = new RangeRank(ensemble, memory, neighbours, { ranged, detection: rules });
    const live = { timeline, network, seasonal: this.#seasonal, neighbours, bounded, changes, imputed };
    this.#members = new Members({ ensemble, sides, live, resolution: rules.resolution });
    this.#coverage = coverageOf(column, ensemble.linear.window);
    this.#drift = memory?.drift ?? noDrift;
  }

  step(i: number): Step {
    const { column, network, shiftsAt } = this.input;
    const value = column[i]!;
    if (shiftsAt?.includes(this.#timeOf(i))) this.#normal.explainPending();
    const isScored =
      Number.isFinite(value) && !(this.ensemble.detectors.network && Number.isNaN(network.nll[i]!));
    const members = this.#members.at(i, isScored ? value : Number.NaN);
    const coverage = this.#coverage(i);
    const judged = { members, coverage, outliers: this.#outliersAt(i) };
    const band = this.#findBand(i, judged);
    if (!isScored) return this.#skip(i, band);
    const scored = this.#scorePoint(i, { ...judged, band });
    return { band, scored };
  }

  /** Ends the pass: no step may follow. @returns the memory for the next */
  end(): Memory {
    this.#known.release();
    return {
      seasonal: this.#seasonal.toProfile(),
      ...this.#normal.toMemory(),
      ...this.#recentPeaks.toMemory(),
      ...this.#range.toMemory(),
      imputed: this.#imputed.toMemory(this.ensemble.linear.window),
      drift: this.#drift,
      history: this.#known.toMemory(),
    };
  }

  /** A missing point: its place in the history is taken by the expected value. */
  #skip(i: number, band: DecisionBand): Step {
    this.#impute(i);
    this.#known.add(this.#imputed.column[i]!);
    return { band };
  }

  #scorePoint(
    i: number,
    { members, coverage, outliers, band }: JudgedPoint & { readonly band: DecisionBand },
  ): ScoredPoint {
    const value = this.input.column[i]!;
    const at = this.#timeOf(i);
    const surprises: PerDetector<number> = {};
    for (const { name, surprise } of members) surprises[name] = surprise;
    const { sides, thresholds } = this.input;
    const counts = value < band.expected ? sides.below : sides.above;
    const isOfToleratedKind = counts && this.#isTolerated(i, value, members);
    const { novelty, isRecord } = this.#compareWithKnown(value);
    const bounds = outliers?.boundsOf(value);
    const ranked = boundRanked(this.#normal.rank(at, surprises, coverage, novelty), bounds);
    const { rarity, rarities } = ranked;
    this.#seasonal.learn(i, value);
    this.#followDrift(i, rarity);
    const score = counts
      ? this.#score(ranked, { isOfToleratedKind, isRecord, isCrowded: outliers?.isCrowded(value) ?? false })
      : 0;
    const hidden = isOneSided(sides)
      ? this.#scoreOfEitherSide(at, { members, coverage, novelty, bounds })
      : 0;
    const isUsualOutlier = bounds !== undefined && Math.max(score, hidden) <= thresholds.max;
    // As in the training: usual outliers are left out of ranks, windows and expectations.
    const accepted = this.#normal.add(at, Math.max(score, hidden), isUsualOutlier ? {} : surprises);
    // A tolerated point must not lower the score of later ones, nor enter their history.
    this.#recentPeaks.add(isOfToleratedKind ? 0 : ranked.peak);
    // A usual outlier is one by its distance from the seasonal value.
    if (isUsualOutlier) this.#imputed.impute(i, this.#seasonal.expect(i));
    else if (this.#normal.inAnomaly || isOfToleratedKind) this.#impute(i);
    const compared = isUsualOutlier ? this.#imputed.column[i]! : value;
    const windows = [rarities.neighbours40, rarities.neighbours100].filter((own) => own !== undefined);
    const rangeRarity = this.#range.rank(this.#known.toZ(compared), {
      point: rarity,
      windows: isUsualOutlier ? [] : windows,
    });
    this.#known.add(compared);
    if (accepted) this.#known.bar(accepted, false);
    if (this.#normal.inAnomaly) this.#known.bar({ fromAt: at, toAt: at }, true);
    if (score < thresholds.min) return { score, rarity, rangeRarity };
    const timeBefore = (lag: number) => this.#timeOf(i - lag);
    const { points } = this.#normal;
    const { alone } = ranked;
    const evidence = explain(this.ensemble, {
      ...{ members, rarity, points, rarities, alone, coverage, timeBefore },
    });
    return { score, rarity, rangeRarity, evidence };
  }

  /** Score on either side: what is odd on the one that does not count is withheld as well, or its aftermath would be raised. */
  #scoreOfEitherSide(at: number, { members, coverage, novelty, bounds }: HiddenPoint): number {
    const surprises: PerDetector<number> = {};
    for (const { name, ofEitherSide } of members) surprises[name] = ofEitherSide;
    const ranked = boundRanked(this.#normal.rank(at, surprises, coverage, novelty), bounds);
    const { rarity, ofValue = rarity } = ranked;
    return scoreOfRarity(this.#normal.inAnomaly ? ofValue : Math.min(rarity, ofValue));
  }

  /**
   * Replaces the value by the expectation of the network, or by the seasonal one without it. A value that is usual at its
   * time is kept: an expectation that is less exact would be odd, and sustain an anomaly that is over.
   */
  #impute(i: number): void {
    const { seasonal, linear } = this.ensemble;
    const near = Math.max(seasonal.scale, this.#rules.resolution * linear.scale);
    if (Math.abs(this.input.column[i]! - this.#seasonal.expect(i)) <= near) return;
    this.#imputed.impute(i, this.#expectedAt(i));
  }

  /** By the network, or by the seasonal detector without it. */
  #expectedAt(i: number): number {
    const expected = this.input.network.expected[i]!;
    return Number.isFinite(expected) ? expected : this.#seasonal.expect(i);
  }

  #followDrift(i: number, rarity: number): void {
    const { intervalMs } = this.input.timeline;
    const { sinceAt } = this.#drift;
    this.#drift = stepDrift(this.#drift, { at: this.#timeOf(i), rarity, intervalMs });
    // Reduces the weight of the earlier points, so that the ranks adapt within half a day.
    if (sinceAt === undefined && this.#drift.sinceAt !== undefined)
      this.#normal.discount(pointsKeptAtDrift(intervalMs));
  }

  #findBand(i: number, { members, coverage, outliers }: JudgedPoint): DecisionBand {
    const judges = members.flatMap(({ name, expected, surpriseOf }) =>
      surpriseOf ? [{ name, expected, surpriseOf }] : [],
    );
    const { limit, recordLimit } = this.#limits();
    const at = this.#timeOf(i);
    const byJudges = this.#normal.rarityOfValues(at, judges, coverage);
    const { range } = this.#known;
    const rarityOf = (value: number) => {
      const { novelty, isRecord } = this.#compareWithKnown(value, range);
      const rarity = boundTo(outliers?.boundsOf(value), byJudges(value, novelty));
      return isRecord ? (rarity * limit) / recordLimit : rarity;
    };
    const candidates = judges.map((judge) => {
      const alone = (value: number) => this.#normal.rarityOfValues(at, [judge], coverage)(value);
      const weighs = this.ensemble.detectors[judge.name]!.weight > 0;
      return { expected: judge.expected, rarityOf: alone, weighs };
    });
    return findBand({ rarityOf, candidates, limit, scale: this.ensemble.linear.scale });
  }

  /** Largest rarity that raises nothing at this point: by the threshold in force, and by the rule for bursts. */
  #limits(): { limit: number; recordLimit: number } {
    const { thresholds, bandLimit } = this.input;
    if (bandLimit !== undefined) return { limit: bandLimit, recordLimit: bandLimit };
    const threshold = ((this.#normal.inAnomaly ? thresholds.min : thresholds.max) / 100) * DECADES;
    const inBurst = Math.max(threshold, this.#recentPeaks.highest);
    return {
      limit: Math.min(inBurst, threshold / this.#rules.repeatedPeakWeight),
      recordLimit: threshold,
    };
  }

  #isTolerated(i: number, value: number, members: readonly Member[]): boolean {
    const { tolerated } = this.input;
    if (!tolerated) return false;
    const judges = members.filter(({ name }) => measuredNames.some((other) => other === name));
    const distances = Object.fromEntries(judges.map(({ name, distanceOf }) => [name, distanceOf(value)]));
    return isTolerated(tolerated, { type: value < this.#expectedAt(i) ? "low" : "high", distances });
  }

  /**
   * Score of a point: reduced below the peaks of its burst. Whether an anomaly goes on, or begins again, is decided by
   * the value.
   */
  #score(
    { rarity, peak, ofValue }: Ranked,
    {
      isOfToleratedKind,
      isRecord,
      isCrowded,
    }: { isOfToleratedKind: boolean; isRecord: boolean; isCrowded: boolean },
  ): number {
    const { min } = this.input.thresholds;
    const { inAnomaly } = this.#normal;
    const isPeak = isRecord || this.#recentPeaks.isNewPeak(peak);
    const own = scoreOfRarity(isPeak ? rarity : this.#rules.repeatedPeakWeight * rarity);
    // A tolerated point has no effect on an anomaly in progress.
    if (isOfToleratedKind && !inAnomaly) return capScore(own, min);
    if (ofValue === undefined) return own;
    const valueScore = scoreOfRarity(ofValue);
    if (!inAnomaly) return Math.min(own, valueScore);
    return valueScore >= min || isCrowded ? Math.max(own, min) : capScore(own, min);
  }

  /** @returns novelty in decades, and whether the value is a peak however rare it is */
  #compareWithKnown(value: number, range = this.#known.range): { novelty: number; isRecord: boolean } {
    const distance = range ? this.#known.distanceBeyond(value, range) : 0;
    const novelty = noveltyOf(distance, range?.points ?? 0, this.#rules);
    return { novelty, isRecord: distance >= this.#rules.recordDistance };
  }

  /**
   * Judges the values of a point, in units of the data; undefined without usual outliers. In an anomaly they have no
   * bounds.
   */
  #outliersAt(i: number): OutlierJudge | undefined {
    const { outliers, linear } = this.ensemble;
    if (!outliers) return undefined;
    const { column } = this.input;
    const distanceBefore = (lag: number) => (column[i - lag] ?? Number.NaN) - this.#seasonal.expect(i - lag);
    const expected = this.#seasonal.expect(i);
    const judge = judgeOutliers(outliers, distanceBefore, linear.window);
    const { inAnomaly } = this.#normal;
    return {
      boundsOf: (value) => (inAnomaly ? undefined : judge.boundsOf(value - expected)),
      isCrowded: (value) => judge.isCrowded(value - expected),
    };
  }

  /** Start of an interval, ms since the epoch. */
  #timeOf(i: number): number {
    const { startAt, intervalMs } = this.input.timeline;
    return startAt + i * intervalMs;
  }
}
