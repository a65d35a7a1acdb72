// The ensemble: network, linear and seasonal companions, each ranked among its own past, combined into one score; pure.
import type { Thresholds } from "../../core/anomaly.ts";
import { scoreOfRarity } from "../score.ts";
import { tailSurprise } from "../tail.ts";
import { type DriftMemory, noDrift, pointsBefore, stepDrift } from "./drift.ts";
import { expectLinear, linearStatistic } from "./linear.ts";
import {
  type Alarm,
  combineRarities,
  type DetectorName,
  detectorNames,
  type Ensemble,
  type Memory,
  type PerDetector,
  perDetector,
} from "./parts.ts";
import { binOf, CausalRank } from "./rank.ts";
import { type Rhythm, Seasonal } from "./seasonal.ts";
import { calmScore, isTolerated, type ToleratedKind } from "./tolerance.ts";

/** A burst is news once: a point no odder than the oddest of so many before it, of a day and a half at most, counts for less. */
const BURST = 400;
const BURST_MS = 1.5 * 86_400_000;
const REPEATED = 0.75;
/** An anomaly that lasts longer than this is what the series has come to look like, ms. */
const LONGEST_ANOMALY_MS = 86_400_000;

/** One feature over a grid, in units of the data. */
export interface EnsembleInput {
  readonly rhythm: Rhythm;
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
  readonly keptAlarms?: number | undefined;
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
  const run = new Run(ensemble, input);
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

interface Judged {
  /** By what is known now, decades. */
  readonly rarity: number;
  /** By what was known when the anomaly in progress began. */
  readonly before: number;
  /** Of a kind that is not to be raised; what is in progress is no such thing. */
  readonly tolerated: boolean;
}

class Run {
  readonly #ranks: PerDetector<CausalRank>;
  readonly #seasonal: Seasonal;
  readonly #peaks: (readonly [number, number])[];
  #scored: number;
  readonly #longest: number;
  /** The column as the linear companion sees it: gaps and anomalies are imputed, not believed. */
  readonly #believed: Float64Array;
  readonly #imputed = new Set<number>();
  #pending: Alarm | undefined;
  readonly #alarms: Alarm[];
  readonly #burst: number;
  #drift: DriftMemory;

  constructor(
    private readonly ensemble: Ensemble,
    private readonly input: EnsembleInput,
  ) {
    const { memory, rhythm } = input;
    this.#ranks = perDetector(
      (name) => new CausalRank(memory?.ranks[name] ?? ensemble.detectors[name].ranks),
    );
    this.#seasonal = new Seasonal(memory?.seasonal ?? ensemble.seasonal, rhythm);
    this.#peaks = [...(memory?.peaks ?? [])];
    this.#scored = memory?.scored ?? 0;
    this.#longest = Math.max(1, Math.floor(LONGEST_ANOMALY_MS / rhythm.intervalMs));
    this.#believed = this.#recall(memory?.imputed ?? []);
    this.#pending = memory?.pending;
    this.#alarms = [...(memory?.alarms ?? [])];
    this.#burst = Math.max(1, Math.min(BURST, Math.floor(BURST_MS / rhythm.intervalMs)));
    this.#drift = memory?.drift ?? noDrift;
  }

  step(i: number): { readonly score: number; readonly rarity: number } | undefined {
    const value = this.input.column[i]!;
    if (!Number.isFinite(value) || Number.isNaN(this.input.nll[i]!)) return this.#impute(i);
    const distances = this.input.counts(i) ? this.#measure(i, value) : undefined;
    const surprises = this.#surprise(i, value, distances);
    const tolerated = distances !== undefined && this.#isTolerated(i, value, distances);
    this.#seasonal.learn(i, value);
    const before = this.#combine(surprises);
    const rarity = this.#pending ? this.#combine(surprises, this.#pending) : before;
    const { startAt, intervalMs } = this.input.rhythm;
    const { sinceAt } = this.#drift;
    this.#drift = stepDrift(this.#drift, { at: startAt + i * intervalMs, rarity, intervalMs });
    // The series does not look like what the ranks know: half a day of the new outweighs the old.
    if (sinceAt === undefined && this.#drift.sinceAt !== undefined)
      for (const name of detectorNames) this.#ranks[name].discount(pointsBefore(intervalMs));
    const score = this.#judge({ rarity, before, tolerated });
    this.#account(score, surprises);
    // What is not to be raised must not make less of what is, nor be believed.
    this.#keepPeak(tolerated ? 0 : rarity);
    if (this.#pending || tolerated) this.#impute(i);
    return { score, rarity };
  }

  remember(): Memory {
    const pending = this.#pending;
    return {
      seasonal: this.#seasonal.toProfile(),
      ranks: perDetector((name) => this.#ranks[name].toCounts()),
      scored: this.#scored,
      peaks: this.#peaks,
      imputed: this.#rememberImputed(),
      ...(pending && { pending }),
      alarms: this.#alarms,
      drift: this.#drift,
    };
  }

  /** What was imputed before, and in the history before the first evaluation what is usual in place of gaps. */
  #recall(imputed: Memory["imputed"]): Float64Array {
    const { column, from, rhythm } = this.input;
    const believed = column.slice();
    for (let i = 0; i < from; i++) if (!Number.isFinite(column[i]!)) believed[i] = this.#seasonal.expect(i);
    for (const [at, value] of imputed) {
      const i = (at - rhythm.startAt) / rhythm.intervalMs;
      if (!Number.isInteger(i) || i < 0 || i >= from) continue;
      believed[i] = value;
      this.#imputed.add(i);
    }
    return believed;
  }

  #impute(i: number): undefined {
    const expected = this.input.expected[i]!;
    this.#believed[i] = Number.isFinite(expected) ? expected : this.#seasonal.expect(i);
    this.#imputed.add(i);
  }

  #rememberImputed(): Memory["imputed"] {
    const { startAt, intervalMs } = this.input.rhythm;
    const oldest = this.#believed.length - this.ensemble.linear.window;
    return [...this.#imputed]
      .filter((i) => i > oldest)
      .map((i) => [startAt + i * intervalMs, this.#believed[i]!]);
  }

  /** Keeps the rarest of the last points, and what will be the rarest when it has become too old. */
  #keepPeak(rarity: number): void {
    const point = ++this.#scored;
    while (this.#peaks.length > 0 && this.#peaks.at(-1)![1] <= rarity) this.#peaks.pop();
    this.#peaks.push([point, rarity]);
    while (this.#peaks[0]![0] <= point - this.#burst) this.#peaks.shift();
  }

  /** How far off the point is from what each detector expects, in units of the data. */
  #measure(i: number, value: number): PerDetector<number> {
    const expected = {
      network: this.input.expected[i]!,
      linear: expectLinear(this.ensemble.linear, this.#believed, i),
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
    return perDetector((name) => tailSurprise(detectors[name].tail, statistics[name]));
  }

  /** Decades of rarity by all detectors. */
  #combine(surprises: PerDetector<number>, aside?: Alarm): number {
    const rarityOf = (name: DetectorName) => this.#ranks[name].rarityOf(surprises[name], aside?.counts[name]);
    return combineRarities(this.ensemble, rarityOf);
  }

  /**
   * The score: less for what the burst has shown before; and while an anomaly is in progress, no less than
   * `thresholds.min` as long as the points are that odd to what was known at its start.
   */
  #judge({ rarity, before, tolerated }: Judged): number {
    const { min } = this.input.thresholds;
    const isNews = rarity > (this.#peaks[0]?.[1] ?? 0);
    const own = scoreOfRarity(isNews ? rarity : REPEATED * rarity);
    const goesOn = this.#pending !== undefined && scoreOfRarity(before) >= min;
    const raised = goesOn ? Math.max(own, min) : own;
    return tolerated && !this.#pending ? calmScore(raised, min) : raised;
  }

  /** Points of an anomaly are kept apart until it is over, and for a while after; all others are what is normal. */
  #account(score: number, surprises: PerDetector<number>): void {
    const { min, max } = this.input.thresholds;
    if (this.#pending && this.#pending.points >= this.#longest) this.#believe(this.#pending);
    else if (this.#pending && score < min) this.#setAside(this.#pending);
    if (this.#pending && (score < min || this.#pending.points >= this.#longest)) this.#pending = undefined;
    if (score > max) this.#pending ??= { points: 0, counts: perDetector(() => []) };
    if (this.#pending) this.#pending = addPoint(this.#pending, surprises);
    else for (const name of detectorNames) this.#ranks[name].add(surprises[name]);
  }

  #setAside(alarm: Alarm): void {
    this.#alarms.push(alarm);
    if (this.#alarms.length > (this.input.keptAlarms ?? 0)) this.#believe(this.#alarms.shift()!);
  }

  #believe({ counts }: Alarm): void {
    for (const name of detectorNames) this.#ranks[name].addAll(counts[name]);
  }
}

function addPoint({ points, counts }: Alarm, surprises: PerDetector<number>): Alarm {
  return {
    points: points + 1,
    counts: perDetector((name) => {
      const bin = binOf(surprises[name]);
      const others = counts[name].filter(([other]) => other !== bin);
      const known = counts[name].find(([other]) => other === bin)?.[1] ?? 0;
      return [...others, [bin, known + 1] as const];
    }),
  };
}
