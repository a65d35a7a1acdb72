// Scoring pass: scores and bands of a feature, one interval after the other, from the memory of the pass before.
import type { Evidence } from "../../../core/anomaly/event.ts";
import { coverageOf } from "../combine.ts";
import { type DriftMemory, noDrift, pointsKeptAtDrift, stepDrift } from "../drift.ts";
import type { EnsembleInput } from "../ensemble-input.ts";
import { isOneSided, type Member, Members } from "../members.ts";
import { stretchesOf } from "../ranks/alarm.ts";
import type { PointScores } from "../ranks/anomalies.ts";
import { beginRun } from "../ranks/level-run.ts";
import { NormalRanks, type Ranked } from "../ranks/normal-ranks.ts";
import { findPulse } from "../ranks/pulse.ts";
import { RangeRank } from "../ranks/range-rank.ts";
import { boundRanked } from "../ranks/rarity-bounds.ts";
import { RecentPeaks } from "../ranks/recent-peaks.ts";
import { type DetectionRules, detectionRules } from "../rules.ts";
import { isAtFloor, isUsualAt } from "../seasons/floor.ts";
import { Seasonal } from "../seasons/seasonal.ts";
import { instantOf } from "../timeline.ts";
import { isTolerated, measuredNames } from "../tolerance.ts";
import type { Ensemble, Memory, PerDetector } from "../types.ts";
import { judgeOutliers, type OutlierJudge } from "../usual-outliers.ts";
import type { DecisionBand } from "./decision-band.ts";
import { explain } from "./evidence.ts";
import { ImputedSeries } from "./imputed-series.ts";
import { Imputer } from "./imputer.ts";
import { KnownSeries } from "./known-series.ts";
import { findPointBand, type JudgedPoint } from "./point-band.ts";
import { scoreOfPoint, scoreOfValue, scoreWithheld } from "./point-score.ts";

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

/** Rarity by the time of day, decades, up to which a value of an anomaly that was unusual then is no part of it. */
const BACK_DECADES = 1;

/** What the pass keeps of a point. */
interface Remembered {
  /** On the side that counts. */
  readonly ranked: Ranked;
  /** On either side. */
  readonly either: Ranked;
  readonly surprises: Readonly<PerDetector<number>>;
  readonly scores: PointScores;
  readonly isOfToleratedKind: boolean;
  readonly isUsualOutlier: boolean;
}

export class ScoringPass {
  readonly #normal: NormalRanks;
  readonly #seasonal: Seasonal;
  readonly #recentPeaks: RecentPeaks;
  readonly #imputed: ImputedSeries;
  readonly #known: KnownSeries;
  readonly #imputer: Imputer;
  readonly #members: Members;
  readonly #range: RangeRank;
  readonly #coverage: ReturnType<typeof coverageOf>;
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
    const [known, seasonal] = [this.#known, this.#seasonal];
    this.#imputer = new Imputer({ ensemble, input, imputed, known, seasonal, rules });
    for (const alarm of this.#normal.anomalies.barredAt(this.#timeOf(from))) this.#known.bar(alarm, true);
    const { neighbours, bounded, changes } = this.#known;
    this.#range = new RangeRank(ensemble, memory, neighbours, { ranged, detection: rules });
    const { observed = column } = input;
    const compared = { observed, imputed, neighbours, bounded, changes };
    const inAnomaly = () => this.#normal.inAnomaly;
    const live = { timeline, network, seasonal: this.#seasonal, inAnomaly, ...compared };
    this.#members = new Members({ ensemble, sides, live, resolution: rules.resolution });
    this.#coverage = coverageOf(column, ensemble.linear.window);
    this.#drift = memory?.drift ?? noDrift;
  }

  step(i: number): Step {
    const { column, network, shiftsAt } = this.input;
    const value = column[i]!;
    const at = this.#timeOf(i);
    if (shiftsAt?.includes(at)) this.#normal.anomalies.explain();
    for (const alarm of this.#normal.anomalies.admittedAt(at)) this.#known.bar(alarm, false);
    const isScored =
      Number.isFinite(value) && !(this.ensemble.detectors.network && Number.isNaN(network.nll[i]!));
    if (isScored && !this.#normal.inAnomaly) this.#imputer.bridge(i);
    const members = this.#members.at(i, isScored ? value : Number.NaN);
    const coverage = this.#coverage(i, stretchesOf(this.#normal.anomalies.all, this.input.timeline));
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
    this.#imputer.fill(i);
    this.#known.add(this.#imputed.column[i]!);
    return { band };
  }

  #scorePoint(
    i: number,
    { members, coverage, outliers, band }: JudgedPoint & { readonly band: DecisionBand },
  ): ScoredPoint {
    const value = this.input.column[i]!;
    const at = this.#timeOf(i);
    const { sides, thresholds } = this.input;
    const counts = value < band.expected ? sides.below : sides.above;
    const isOfToleratedKind = counts && this.#isTolerated(i, value, members);
    const { novelty, isRecord } = this.#known.compare(value, this.#rules);
    const bounds = outliers?.boundsOf(value);
    const surprises = surprisesOf(members, ({ surprise }) => surprise);
    const rank = (of: PerDetector<number>) =>
      boundRanked(this.#normal.rank(at, of, coverage, novelty), bounds);
    const ranked = rank(surprises);
    // What is odd on the side that does not count is withheld as well, or its aftermath would be raised.
    const either = isOneSided(sides)
      ? rank(surprisesOf(members, ({ ofEitherSide }) => ofEitherSide))
      : ranked;
    const { rarity } = ranked;
    this.#seasonal.learn(i, value);
    this.#followDrift(i, ranked);
    const facts = {
      inAnomaly: this.#normal.anomalies.isRaised,
      endsWithNext: this.#normal.anomalies.endsWith(value) && !this.#isHeldByRun(i),
      isPeak: isRecord || this.#recentPeaks.isNewPeak(ranked.peak),
      isTolerated: isOfToleratedKind,
      isCrowded: outliers?.isCrowded(value) ?? false,
    };
    const { repeatedPeakWeight } = this.#rules;
    const score = counts ? scoreOfPoint(ranked, facts, { min: thresholds.min, repeatedPeakWeight }) : 0;
    const hidden = isOneSided(sides) ? scoreWithheld(either, this.#normal.inAnomaly) : 0;
    const scores = { either: Math.max(score, hidden), shown: score };
    const isUsualOutlier = bounds !== undefined && scores.either <= thresholds.max;
    const remembered = { ranked, either, surprises, scores, isOfToleratedKind, isUsualOutlier };
    const rangeRarity = this.#remember(i, remembered);
    if (this.#normal.anomalies.hasBegun) this.#keepBeginning(i, band.expected);
    if (score < thresholds.min) return { score, rarity, rangeRarity };
    const timeBefore = (lag: number) => instantOf(this.input.timeline, i - lag);
    const { points } = this.#normal;
    const evidence = explain(this.ensemble, {
      members,
      ranked,
      points,
      coverage: coverage.observed,
      timeBefore,
    });
    return { score, rarity, rangeRarity, evidence };
  }

  /** Takes a point into ranks, peaks and the known series. @returns rarity of the stretch that ends at it, decades */
  #remember(
    i: number,
    { ranked, either, surprises, scores, isOfToleratedKind, isUsualOutlier }: Remembered,
  ): number {
    const at = this.#timeOf(i);
    // As in the training: usual outliers are left out of ranks, windows and expectations.
    const ofValue = scoreOfValue(either);
    const isUsual = ofValue !== undefined && ofValue < this.input.thresholds.min;
    const accepted = this.#normal.add(at, scores, isUsualOutlier ? {} : surprises, ofValue);
    // A tolerated point must not lower the score of later ones, nor enter their history.
    this.#recentPeaks.add(isOfToleratedKind ? 0 : ranked.peak);
    // A usual outlier is one by its distance from the seasonal value.
    if (isUsualOutlier) this.#imputed.impute(i, this.#seasonal.expect(i));
    // The first usual values of an anomaly are known: expectations without them would sustain it.
    else if ((this.#normal.inAnomaly && !isUsual) || isOfToleratedKind) {
      const { seasonal = Number.POSITIVE_INFINITY } = either.rarities;
      const isBack = this.#normal.anomalies.isUnusualAtItsTime && seasonal < BACK_DECADES;
      if (!isBack) this.#imputer.replace(i);
    }
    const compared = isUsualOutlier ? this.#imputed.column[i]! : this.input.column[i]!;
    const { neighbours40, neighbours100 } = ranked.rarities;
    const windows = [neighbours40, neighbours100].filter((own) => own !== undefined);
    const rangeRarity = this.#range.rank(this.#known.toZ(compared), {
      point: ranked.rarity,
      windows: isUsualOutlier ? [] : windows,
    });
    this.#known.add(compared);
    if (accepted) this.#known.bar(accepted, false);
    if (this.#normal.inAnomaly) this.#known.bar({ fromAt: at, toAt: at }, true);
    return rangeRarity;
  }

  /** The pulse before an anomaly that has begun, and its level where the other one was expected. */
  #keepBeginning(i: number, expected: number): void {
    const { column, observed = column, timeline } = this.input;
    const { floor, linear } = this.ensemble;
    const value = column[i]!;
    const pulse = findPulse(this.#imputed.column, { i, value, expected, intervalMs: timeline.intervalMs });
    const withBaseline = { value: observed[i]!, expected: expected + observed[i]! - value };
    const run = beginRun(floor, { ...withBaseline, deviation: linear.scale });
    this.#normal.anomalies.keep({ ...(pulse && { pulse }), ...(run && { run }) });
  }

  /** Whether the values of an anomaly have been at one level of pulses, which is not usual at this time. */
  #isHeldByRun(i: number): boolean {
    const { floor, linear } = this.ensemble;
    if (floor?.middle === undefined) return false;
    const { column, observed = column, timeline } = this.input;
    const atFloor = isAtFloor(floor, observed[i]!, linear.scale);
    return this.#normal.anomalies.staysAt({ atFloor }) && !isUsualAt(floor, i, { timeline, atFloor });
  }

  #followDrift(i: number, { rarity: ofWindows, ofValue = ofWindows }: Ranked): void {
    // Windows that hold an anomaly stay rare when it is over.
    const rarity = this.#normal.inAnomaly ? ofWindows : ofValue;
    const { intervalMs } = this.input.timeline;
    const { sinceAt } = this.#drift;
    this.#drift = stepDrift(this.#drift, { at: this.#timeOf(i), rarity, intervalMs });
    // Reduces the weight of the earlier points, so that the ranks adapt within half a day.
    if (sinceAt === undefined && this.#drift.sinceAt !== undefined)
      this.#normal.discount(pointsKeptAtDrift(intervalMs));
  }

  #findBand(i: number, judged: JudgedPoint): DecisionBand {
    const { ensemble, input } = this;
    const [rules, normal, known, recentPeaks] = [this.#rules, this.#normal, this.#known, this.#recentPeaks];
    const sources = { ensemble, input, rules, normal, known, recentPeaks };
    return findPointBand(this.#timeOf(i), judged, sources);
  }

  #isTolerated(i: number, value: number, members: readonly Member[]): boolean {
    const { tolerated } = this.input;
    if (!tolerated) return false;
    const judges = members.filter(({ name }) => measuredNames.some((other) => other === name));
    const distances = Object.fromEntries(judges.map(({ name, distanceOf }) => [name, distanceOf(value)]));
    return isTolerated(tolerated, { type: value < this.#imputer.expect(i) ? "low" : "high", distances });
  }

  /**
   * Judges the values of a point, in units of the data; undefined without usual outliers. In an anomaly they have no
   * bounds.
   */
  #outliersAt(i: number): OutlierJudge | undefined {
    const { outliers, linear } = this.ensemble;
    if (!outliers) return undefined;
    const { column } = this.input;
    const { anomalies, inAnomaly } = this.#normal;
    // Points of an anomaly that is over make no crowd.
    const before = (k: number) => (anomalies.wasAt(this.#timeOf(k)) ? undefined : column[k]);
    const distanceBefore = (lag: number) => (before(i - lag) ?? Number.NaN) - this.#seasonal.expect(i - lag);
    const expected = this.#seasonal.expect(i);
    const judge = judgeOutliers(outliers, distanceBefore, linear.window);
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

function surprisesOf(members: readonly Member[], of: (member: Member) => number): PerDetector<number> {
  const surprises: PerDetector<number> = {};
  for (const member of members) surprises[member.name] = of(member);
  return surprises;
}
