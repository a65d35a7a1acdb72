// The ensemble: network, linear and seasonal companions, each ranked among its own past, combined into one score; pure.
import type { Thresholds } from "../../core/anomaly/state.ts";
import { scoreOfRarity } from "../scoring/score.ts";
import { tailDecades } from "../stats/tail.ts";
import { coverageOf } from "./combine.ts";
import { type DriftMemory, noDrift, pointsKeptAtDrift, stepDrift } from "./drift.ts";
import { ImputedSeries } from "./imputed-series.ts";
import { expectLinear, linearStatistic } from "./linear.ts";
import { NormalRanks, type Ranked } from "./normal-ranks.ts";
import { RecentPeaks } from "./recent-peaks.ts";
import { Seasonal } from "./seasonal.ts";
import type { Timeline } from "./timeline.ts";
import { capScore, isTolerated, type ToleratedKind } from "./tolerance.ts";
import { type Ensemble, type Memory, type PerDetector, perDetector } from "./types.ts";

/** What a point counts for that is no odder than what its burst has shown before. */
const REPEATED_PEAK_WEIGHT = 0.75;

/** One feature over a grid, in units of the data. */
export interface EnsembleInput {
  readonly timeline: Timeline;
  /** NaN = missing. */
  readonly column: Float64Array;
  /** What the network expects; NaN = it was not asked. */
  readonly expected: Float64Array;
  /** Statistic of the network: its nll; NaN = not scored. */
  readonly nll: Float64Array;
  /** The first interval to score: those before it are history. */
  readonly from: number;
  /** Whether a point deviates in a direction that counts. */
  readonly counts: (i: number) => boolean;
  readonly thresholds: Thresholds;
  /**
   * How many of the last anomalies are not believed to be normal. Automatic thresholds ask for rare alarms: 0, and what
   * comes again is normal (NAB score 60, with three kept 55). A client's own say what an anomaly is, also when it repeats.
   */
  readonly withheldAlarms?: number | undefined;
  /** Kinds of points that are not to be raised. */
  readonly tolerated?: readonly ToleratedKind[] | undefined;
  readonly memory?: Memory | undefined;
}

export interface EnsembleScores {
  /** 0..100 per interval of the grid; NaN where nothing was scored. */
  readonly score: Float64Array;
  /** Unbounded, nats: how rare the point is, without the rule for bursts. NaN as `score`. */
  readonly rarity: Float64Array;
  readonly memory: Memory;
}

/** Scores interval after interval; each knows the past and itself only. */
export function scoreEnsemble(ensemble: Ensemble, input: EnsembleInput): EnsembleScores {
  const run = new ScoringPass(ensemble, input);
  const score = new Float64Array(input.column.length).fill(Number.NaN);
  const rarity = score.slice();
  for (let i = input.from; i < input.column.length; i++) {
    const scored = run.step(i);
    if (!scored) continue;
    score[i] = scored.score;
    rarity[i] = scored.rarity * Math.LN10;
  }
  return { score, rarity, memory: run.remember() };
}

interface Scored extends Ranked {
  /** Of a kind that is not to be raised; what is in progress is no such thing. */
  readonly tolerated: boolean;
}

class ScoringPass {
  readonly #normal: NormalRanks;
  readonly #seasonal: Seasonal;
  readonly #recentPeaks: RecentPeaks;
  readonly #imputed: ImputedSeries;
  readonly #coverage: (i: number) => number;
  #drift: DriftMemory;

  constructor(
    private readonly ensemble: Ensemble,
    private readonly input: EnsembleInput,
  ) {
    const { memory, timeline, thresholds, withheldAlarms: keptAlarms } = input;
    const { intervalMs } = timeline;
    this.#normal = new NormalRanks(ensemble, { intervalMs, thresholds, withheldAlarms: keptAlarms }, memory);
    this.#seasonal = new Seasonal(memory?.seasonal ?? ensemble.seasonal, timeline);
    this.#recentPeaks = new RecentPeaks(intervalMs, memory ?? { scored: 0, peaks: [] });
    this.#imputed = new ImputedSeries(input, memory?.imputed ?? [], (i) => this.#seasonal.expect(i));
    this.#coverage = coverageOf(input.column, ensemble.linear.window);
    this.#drift = memory?.drift ?? noDrift;
  }

  step(i: number): { readonly score: number; readonly rarity: number } | undefined {
    const value = this.input.column[i]!;
    if (!Number.isFinite(value) || Number.isNaN(this.input.nll[i]!)) return this.#impute(i);
    const distances = this.input.counts(i) ? this.#measure(i, value) : undefined;
    const surprises = this.#surprise(i, value, distances);
    const tolerated = distances !== undefined && this.#isTolerated(i, value, distances);
    this.#seasonal.learn(i, value);
    const ranked = this.#normal.rank(surprises, this.#coverage(i));
    const { rarity } = ranked;
    this.#followDrift(i, rarity);
    const score = this.#score({ ...ranked, tolerated });
    this.#normal.add(score, surprises);
    // What is not to be raised must not make less of what is, nor be believed.
    this.#recentPeaks.add(tolerated ? 0 : rarity);
    if (this.#normal.inAnomaly || tolerated) this.#impute(i);
    return { score, rarity };
  }

  remember(): Memory {
    return {
      seasonal: this.#seasonal.toProfile(),
      ...this.#normal.toMemory(),
      ...this.#recentPeaks.toMemory(),
      imputed: this.#imputed.toMemory(this.ensemble.linear.window),
      drift: this.#drift,
    };
  }

  /** What the network expects in place of what was observed or is missing, or what is usual where it was not asked. */
  #impute(i: number): undefined {
    const expected = this.input.expected[i]!;
    this.#imputed.impute(i, Number.isFinite(expected) ? expected : this.#seasonal.expect(i));
  }

  #followDrift(i: number, rarity: number): void {
    const { startAt, intervalMs } = this.input.timeline;
    const { sinceAt } = this.#drift;
    this.#drift = stepDrift(this.#drift, { at: startAt + i * intervalMs, rarity, intervalMs });
    // The series does not look like what the ranks know: half a day of the new outweighs the old.
    if (sinceAt === undefined && this.#drift.sinceAt !== undefined)
      this.#normal.discount(pointsKeptAtDrift(intervalMs));
  }

  /** How far off the point is from what each detector expects, in units of the data. */
  #measure(i: number, value: number): PerDetector<number> {
    const expected = {
      network: this.input.expected[i]!,
      linear: expectLinear(this.ensemble.linear, this.#imputed.column, i),
      seasonal: this.#seasonal.expect(i),
    };
    return perDetector((name) => Math.abs(value - expected[name]));
  }

  #isTolerated(i: number, value: number, distances: PerDetector<number>): boolean {
    const { tolerated, expected } = this.input;
    if (!tolerated) return false;
    return isTolerated(tolerated, { type: value < expected[i]! ? "low" : "high", distances });
  }

  /**
   * Surprise of each detector in decades under its tail over the training range.
   * @param distances absent: the point deviates in a direction that does not count
   */
  #surprise(i: number, value: number, distances: PerDetector<number> | undefined): PerDetector<number> {
    const { detectors } = this.ensemble;
    if (!distances) return perDetector(() => 0);
    const statistics = {
      network: this.input.nll[i]!,
      linear: linearStatistic(this.ensemble.linear, distances.linear),
      seasonal: Math.abs(this.#seasonal.residual(i, value)),
    };
    return perDetector((name) => tailDecades(detectors[name].tail, statistics[name]));
  }

  /**
   * The score: less for what the burst has shown before; and while an anomaly is in progress, no less than
   * `thresholds.min` as long as the points are that odd to what was known at its start.
   */
  #score({ rarity, before, tolerated }: Scored): number {
    const { min } = this.input.thresholds;
    const own = scoreOfRarity(this.#recentPeaks.isNewPeak(rarity) ? rarity : REPEATED_PEAK_WEIGHT * rarity);
    const goesOn = this.#normal.inAnomaly && scoreOfRarity(before) >= min;
    const raised = goesOn ? Math.max(own, min) : own;
    return tolerated && !this.#normal.inAnomaly ? capScore(raised, min) : raised;
  }
}
