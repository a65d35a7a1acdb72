// Ensemble scoring: network, linear and seasonal detectors, ranked among their past and combined; pure.
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

/** Factor on the rarity of a point that does not exceed the peaks of its burst. */
const REPEATED_PEAK_WEIGHT = 0.75;

/** One feature over a grid, in units of the data. */
export interface EnsembleInput {
  readonly timeline: Timeline;
  /** NaN = missing. */
  readonly column: Float64Array;
  /** Expectation of the network; NaN = not evaluated. */
  readonly expected: Float64Array;
  /** Statistic of the network: its nll; NaN = not scored. */
  readonly nll: Float64Array;
  /** First interval to score; those before it are history. */
  readonly from: number;
  /** Whether a point deviates in a direction that counts. */
  readonly counts: (i: number) => boolean;
  readonly thresholds: Thresholds;
  /**
   * Number of recent anomalies withheld from the ranks. 0 with automatic thresholds, so that a repeated anomaly becomes
   * normal; with the thresholds of a client, repeated anomalies are raised again.
   */
  readonly withheldAlarms?: number | undefined;
  /** Kinds of points that raise no anomaly. */
  readonly tolerated?: readonly ToleratedKind[] | undefined;
  readonly memory?: Memory | undefined;
}

interface EnsembleScores {
  /** 0..100 per interval of the grid; NaN where nothing was scored. */
  readonly score: Float64Array;
  /** Rarity in nats, unbounded, before the rule for bursts. NaN as `score`. */
  readonly rarity: Float64Array;
  readonly memory: Memory;
}

/** Scores one interval after the other, each from the past alone. */
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
  /** Of a tolerated kind; has no effect on an anomaly in progress. */
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
    // A tolerated point must not lower the score of later ones, nor enter their history.
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

  /** Replaces the value by the expectation of the network, or by the seasonal one without it. */
  #impute(i: number): undefined {
    const expected = this.input.expected[i]!;
    this.#imputed.impute(i, Number.isFinite(expected) ? expected : this.#seasonal.expect(i));
  }

  #followDrift(i: number, rarity: number): void {
    const { startAt, intervalMs } = this.input.timeline;
    const { sinceAt } = this.#drift;
    this.#drift = stepDrift(this.#drift, { at: startAt + i * intervalMs, rarity, intervalMs });
    // Reduces the weight of the earlier points, so that the ranks adapt within half a day.
    if (sinceAt === undefined && this.#drift.sinceAt !== undefined)
      this.#normal.discount(pointsKeptAtDrift(intervalMs));
  }

  /** Distance from the expectation of each detector, in units of the data. */
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
   * Surprise of each detector, in decades under its tail over the training range.
   * @param distances absent if the point deviates in a direction that does not count
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
   * Score of a point: reduced below the peaks of its burst, and during an anomaly at least `thresholds.min` as long as
   * the point is that rare among the points before the anomaly.
   */
  #score({ rarity, before, tolerated }: Scored): number {
    const { min } = this.input.thresholds;
    const own = scoreOfRarity(this.#recentPeaks.isNewPeak(rarity) ? rarity : REPEATED_PEAK_WEIGHT * rarity);
    const goesOn = this.#normal.inAnomaly && scoreOfRarity(before) >= min;
    const raised = goesOn ? Math.max(own, min) : own;
    return tolerated && !this.#normal.inAnomaly ? capScore(raised, min) : raised;
  }
}
