// Ensemble scoring: detectors ranked among their past and combined; expected value and band come from the same blend.
import type { NearestStretch } from "../../core/anomaly/event.ts";
import type { Thresholds } from "../../core/anomaly/state.ts";
import { DECADES, scoreOfRarity } from "../scoring/score.ts";
import { coverageOf, shareOf } from "./combine.ts";
import { alignBand, type DecisionBand, findBand } from "./decision-band.ts";
import { type DriftMemory, noDrift, pointsKeptAtDrift, stepDrift } from "./drift.ts";
import { ImputedSeries } from "./imputed-series.ts";
import { type Member, Members, type NetworkOutput, type Sides } from "./members.ts";
import {
  decodeHistory,
  encodeHistory,
  Neighbours,
  neighbourSpans,
  quantise,
  RANGE_SPAN,
} from "./neighbours.ts";
import { NormalRanks, type Ranked } from "./normal-ranks.ts";
import { RangeRank } from "./range-rank.ts";
import { RecentPeaks } from "./recent-peaks.ts";
import { Seasonal } from "./seasonal.ts";
import type { Timeline } from "./timeline.ts";
import { capScore, isTolerated, type ToleratedKind } from "./tolerance.ts";
import { type Alarm, type Ensemble, expectingNames, type Memory, type PerDetector } from "./types.ts";

/** Factor on the rarity of a point that does not exceed the peaks of its burst. */
const REPEATED_PEAK_WEIGHT = 0.75;

/** One feature over a grid, in units of the data. */
export interface EnsembleInput {
  readonly timeline: Timeline;
  /** NaN = missing. */
  readonly column: Float64Array;
  readonly network: NetworkOutput;
  /** First interval to score; those before it are history. */
  readonly from: number;
  readonly sides: Sides;
  readonly thresholds: Thresholds;
  /** Kinds of points that raise no anomaly. */
  readonly tolerated?: readonly ToleratedKind[] | undefined;
  readonly memory?: Memory | undefined;
  /** Rank long windows too. */
  readonly ranged?: boolean | undefined;
  /** Rarity (decades) that bounds the bands; absent: the threshold in force. */
  readonly bandLimit?: number | undefined;
}

/** Evidence of a rare point. */
export interface Evidence {
  /** Share of each detector in the rarity; they add up to 1. */
  readonly contributions: Readonly<PerDetector<number>>;
  /** The most similar earlier stretch, by the neighbour detector that contributes most. */
  readonly nearest?: NearestStretch;
}

/** By interval of the grid; NaN where nothing was scored. */
interface EnsembleScores {
  /** 0..100 */
  readonly score: Float64Array;
  /** Rarity in nats, unbounded, before the rule for bursts. */
  readonly rarity: Float64Array;
  /** Rarity of the stretch that ends at the point, decades; at least that of the point. */
  readonly rangeRarity: Float64Array;
  /** Expected value and the band of values that raise nothing; also where nothing was observed. */
  readonly expected: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Of the points at or above `thresholds.min`. */
  readonly evidence: ReadonlyMap<number, Evidence>;
  readonly memory: Memory;
}

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
  return { ...scores, evidence, memory: run.remember() };
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

class ScoringPass {
  readonly #normal: NormalRanks;
  readonly #seasonal: Seasonal;
  readonly #recentPeaks: RecentPeaks;
  readonly #imputed: ImputedSeries;
  readonly #neighbours: Neighbours;
  readonly #members: Members;
  readonly #range: RangeRank;
  readonly #coverage: (i: number) => number;
  #drift: DriftMemory;

  constructor(
    private readonly ensemble: Ensemble,
    private readonly input: EnsembleInput,
  ) {
    const { memory, timeline, thresholds, column, from, network, sides } = input;
    const { intervalMs } = timeline;
    this.#normal = new NormalRanks(ensemble, { intervalMs, thresholds }, memory);
    this.#seasonal = new Seasonal(memory?.seasonal ?? ensemble.seasonal, timeline);
    this.#recentPeaks = new RecentPeaks(intervalMs, memory ?? { scored: 0, peaks: [] });
    this.#imputed = new ImputedSeries(input, memory?.imputed ?? [], (i) => this.#seasonal.expect(i));
    const spans = [...Object.values(neighbourSpans), RANGE_SPAN];
    this.#neighbours = new Neighbours(this.#readHistory(), column.length - from, spans);
    for (const alarm of this.#normal.withheld) this.#bar(from - 1, alarm, true);
    this.#range = new RangeRank(ensemble, memory, this.#neighbours, input.ranged ?? false);
    this.#members = new Members({
      ensemble,
      sides,
      network,
      seasonal: this.#seasonal,
      neighbours: this.#neighbours,
      imputed: this.#imputed,
    });
    this.#coverage = coverageOf(column, ensemble.linear.window);
    this.#drift = memory?.drift ?? noDrift;
  }

  /**
   * Values before the first interval to score, in quanta: those remembered, continued by the history of the grid. Of
   * a range before the end of the training, those before the range.
   */
  #readHistory(): Float64Array {
    const { memory, timeline, from } = this.input;
    const known = memory?.history ?? this.ensemble.history;
    const values = known ? decodeHistory(known.values) : new Float64Array();
    const { intervalMs } = timeline;
    const endAt = known?.endAt ?? Number.NEGATIVE_INFINITY;
    const missing = Math.round((this.#timeOf(from) - endAt) / intervalMs);
    if (missing <= 0) return values.subarray(0, Math.max(0, values.length + missing));
    const start = Math.max(0, from - missing);
    const continued = this.#imputed.column.subarray(start, from).map((value) => quantise(this.#toZ(value)));
    const joined = new Float64Array(values.length + continued.length);
    joined.set(values);
    joined.set(continued, values.length);
    return joined;
  }

  step(i: number): Step {
    const { column, network } = this.input;
    const value = column[i]!;
    const isScored =
      Number.isFinite(value) && !(this.ensemble.detectors.network && Number.isNaN(network.nll[i]!));
    const members = this.#members.at(i, isScored ? value : Number.NaN);
    const coverage = this.#coverage(i);
    const band = this.#findBand(i, members, coverage);
    if (!isScored) return this.#skip(i, band);
    const scored = this.#scorePoint(i, { members, coverage, band });
    return { band: alignBand(band, value, this.#normal.inAnomaly), scored };
  }

  remember(): Memory {
    return {
      seasonal: this.#seasonal.toProfile(),
      ...this.#normal.toMemory(),
      ...this.#recentPeaks.toMemory(),
      ...this.#range.toMemory(),
      imputed: this.#imputed.toMemory(this.ensemble.linear.window),
      drift: this.#drift,
      history: {
        values: encodeHistory(this.#neighbours.toHistory()),
        endAt: this.#timeOf(this.input.column.length),
      },
    };
  }

  /** A missing point: its place in the history is taken by the expected value. */
  #skip(i: number, band: DecisionBand): Step {
    this.#impute(i);
    this.#remember(this.#imputed.column[i]!);
    return { band };
  }

  #scorePoint(
    i: number,
    { members, coverage, band }: { members: readonly Member[]; coverage: number; band: DecisionBand },
  ): ScoredPoint {
    const value = this.input.column[i]!;
    const at = this.#timeOf(i);
    const surprises: PerDetector<number> = {};
    for (const { name, surprise } of members) surprises[name] = surprise;
    const { sides, thresholds } = this.input;
    const counts = value < band.expected ? sides.below : sides.above;
    const isOfToleratedKind = counts && this.#isTolerated(i, value, members);
    const rarities = this.#normal.rarities(surprises);
    const ranked = this.#normal.rank(at, surprises, coverage);
    const { rarity } = ranked;
    this.#seasonal.learn(i, value);
    this.#followDrift(i, rarity);
    const score = counts ? this.#score(ranked, isOfToleratedKind) : 0;
    const accepted = this.#normal.add(at, score, surprises);
    // A tolerated point must not lower the score of later ones, nor enter their history.
    this.#recentPeaks.add(isOfToleratedKind ? 0 : ranked.peak);
    const rangeRarity = Math.max(rarity, this.#range.rank(this.#toZ(value), rarities.neighbours40));
    if (this.#normal.inAnomaly || isOfToleratedKind) this.#impute(i);
    this.#remember(value);
    if (accepted) this.#bar(i, accepted, false);
    if (this.#normal.inAnomaly) this.#neighbours.bar(0, true);
    if (score < thresholds.min) return { score, rarity, rangeRarity };
    return { score, rarity, rangeRarity, evidence: this.#explain(i, { members, rarities, coverage }) };
  }

  /** Replaces the value by the expectation of the network, or by the seasonal one without it. */
  #impute(i: number): void {
    const expected = this.input.network.expected[i]!;
    this.#imputed.impute(i, Number.isFinite(expected) ? expected : this.#seasonal.expect(i));
  }

  /**
   * Bars the windows that end within an anomaly, so that it is raised again when it repeats, or admits them. They stay
   * part of later windows.
   * @param last interval of the newest value of the neighbours
   */
  #bar(last: number, { fromAt, toAt }: Alarm, isBarred: boolean): void {
    if (fromAt === undefined || toAt === undefined) return;
    const { intervalMs } = this.input.timeline;
    for (let at = fromAt; at <= toAt; at += intervalMs)
      this.#neighbours.bar(Math.round((this.#timeOf(last) - at) / intervalMs), isBarred);
  }

  /** Appends to the history of the neighbours. */
  #remember(value: number): void {
    this.#neighbours.push(this.#toZ(value));
  }

  #toZ(value: number): number {
    const { center, scale } = this.ensemble.linear;
    return (value - center) / scale;
  }

  #followDrift(i: number, rarity: number): void {
    const { intervalMs } = this.input.timeline;
    const { sinceAt } = this.#drift;
    this.#drift = stepDrift(this.#drift, { at: this.#timeOf(i), rarity, intervalMs });
    // Reduces the weight of the earlier points, so that the ranks adapt within half a day.
    if (sinceAt === undefined && this.#drift.sinceAt !== undefined)
      this.#normal.discount(pointsKeptAtDrift(intervalMs));
  }

  #findBand(i: number, members: readonly Member[], coverage: number): DecisionBand {
    const isExpecting = ({ name }: Member) => expectingNames.some((other) => other === name);
    const judges = this.#normal.isNearAnomaly(this.#timeOf(i)) ? members.filter(isExpecting) : members;
    const rarityOf = (value: number) => {
      const surprises: PerDetector<number> = {};
      for (const { name, surpriseOf } of judges) surprises[name] = surpriseOf(value);
      return this.#normal.rarityBefore(surprises, coverage);
    };
    return findBand({
      rarityOf,
      candidates: judges.map(({ expected }) => expected),
      limit: this.input.bandLimit ?? this.#limit(),
      scale: this.ensemble.linear.scale,
    });
  }

  /** Largest rarity that raises nothing at this point: by the threshold in force, and by the rule for bursts. */
  #limit(): number {
    const { min, max } = this.input.thresholds;
    const threshold = ((this.#normal.inAnomaly ? min : max) / 100) * DECADES;
    return Math.min(Math.max(threshold, this.#recentPeaks.highest), threshold / REPEATED_PEAK_WEIGHT);
  }

  #isTolerated(i: number, value: number, members: readonly Member[]): boolean {
    const { tolerated, network } = this.input;
    if (!tolerated) return false;
    const judges = members.filter(({ name }) => expectingNames.some((other) => other === name));
    const distances = Object.fromEntries(
      judges.map(({ name, expected }) => [name, Math.abs(value - expected)]),
    );
    const expected = Number.isFinite(network.expected[i]!) ? network.expected[i]! : this.#seasonal.expect(i);
    return isTolerated(tolerated, { type: value < expected ? "low" : "high", distances });
  }

  /**
   * Score of a point: reduced below the peaks of its burst. Whether an anomaly goes on, or begins again, is decided by
   * the value.
   */
  #score({ rarity, peak, ofValue }: Ranked, isOfToleratedKind: boolean): number {
    const { min } = this.input.thresholds;
    const { inAnomaly } = this.#normal;
    const own = scoreOfRarity(this.#recentPeaks.isNewPeak(peak) ? rarity : REPEATED_PEAK_WEIGHT * rarity);
    // A tolerated point has no effect on an anomaly in progress.
    if (isOfToleratedKind && !inAnomaly) return capScore(own, min);
    if (ofValue === undefined) return own;
    const valueScore = scoreOfRarity(ofValue);
    if (!inAnomaly) return Math.min(own, valueScore);
    return valueScore >= min ? Math.max(own, min) : capScore(own, min);
  }

  /** Start of an interval, ms since the epoch. */
  #timeOf(i: number): number {
    const { startAt, intervalMs } = this.input.timeline;
    return startAt + i * intervalMs;
  }

  #explain(
    i: number,
    point: { members: readonly Member[]; rarities: PerDetector<number>; coverage: number },
  ): Evidence {
    const { detectors } = this.ensemble;
    const parts = point.members.map((member) => {
      const weight = shareOf(member.name, detectors[member.name]!.weight, point.coverage);
      return { member, part: weight * (point.rarities[member.name] ?? 0) };
    });
    const total = parts.reduce((sum, { part }) => sum + part, 0) || 1;
    const contributions = Object.fromEntries(parts.map(({ member, part }) => [member.name, part / total]));
    const [strongest] = parts.filter(({ member }) => member.nearest).sort((a, b) => b.part - a.part);
    if (!strongest) return { contributions };
    const { distance, lag } = strongest.member.nearest!;
    const points = neighbourSpans[strongest.member.name as keyof typeof neighbourSpans];
    return { contributions, nearest: { at: this.#timeOf(i - lag) / 1000, distance, points } };
  }
}
