// What is taken for normal: points are ranked among it; those of an anomaly are kept apart until it is over; pure.

import type { Thresholds } from "../../core/anomaly/state.ts";
import { combineRarities } from "./combine.ts";
import { binOf, CausalRank } from "./rank.ts";
import {
  type Alarm,
  type DetectorName,
  detectorNames,
  type Ensemble,
  type Memory,
  type PerDetector,
  perDetector,
} from "./types.ts";

/** An anomaly that lasts longer than this is what the series has come to look like, ms. */
const MAX_ANOMALY_MS = 86_400_000;

export interface NormalRules {
  readonly intervalMs: number;
  readonly thresholds: Thresholds;
  /** How many of the last anomalies are not believed to be normal; absent: none. */
  readonly withheldAlarms?: number | undefined;
}

/** Decades of rarity of a point by all detectors. */
export interface Ranked {
  /** By what is known now. */
  readonly rarity: number;
  /** By what was known when the anomaly in progress began. */
  readonly before: number;
}

export class NormalRanks {
  readonly #ranks: PerDetector<CausalRank>;
  readonly #maxPoints: number;
  #pending: Alarm | undefined;
  readonly #alarms: Alarm[];

  constructor(
    private readonly ensemble: Ensemble,
    private readonly rules: NormalRules,
    memory: Pick<Memory, "ranks" | "pending" | "alarms"> | undefined,
  ) {
    this.#ranks = perDetector(
      (name) => new CausalRank(memory?.ranks[name] ?? ensemble.detectors[name].ranks),
    );
    this.#maxPoints = Math.max(1, Math.floor(MAX_ANOMALY_MS / rules.intervalMs));
    this.#pending = memory?.pending;
    this.#alarms = [...(memory?.alarms ?? [])];
  }

  /** Whether an anomaly is in progress. */
  get inAnomaly(): boolean {
    return this.#pending !== undefined;
  }

  /**
   * @param surprises of each detector, decades
   * @param support of the point, see support.ts
   */
  rank(surprises: PerDetector<number>, support: number): Ranked {
    const before = this.#combine(surprises, support);
    return { before, rarity: this.#pending ? this.#combine(surprises, support, this.#pending) : before };
  }

  /** Takes what is known by now for no more than so many points say. */
  discount(points: number): void {
    for (const name of detectorNames) this.#ranks[name].discount(points);
  }

  /** One point on: points of an anomaly are kept apart until it is over, and for a while after; all others are normal. */
  add(score: number, surprises: PerDetector<number>): void {
    const { min, max } = this.rules.thresholds;
    const isTooLong = this.#pending !== undefined && this.#pending.points >= this.#maxPoints;
    if (this.#pending && isTooLong) this.#accept(this.#pending);
    else if (this.#pending && score < min) this.#withhold(this.#pending);
    if (score < min || isTooLong) this.#pending = undefined;
    if (score > max) this.#pending ??= { points: 0, counts: perDetector(() => []) };
    if (this.#pending) this.#pending = addPoint(this.#pending, surprises);
    else for (const name of detectorNames) this.#ranks[name].add(surprises[name]);
  }

  toMemory(): Pick<Memory, "ranks" | "pending" | "alarms"> {
    return {
      ranks: perDetector((name) => this.#ranks[name].toCounts()),
      ...(this.#pending && { pending: this.#pending }),
      alarms: this.#alarms,
    };
  }

  #combine(surprises: PerDetector<number>, support: number, aside?: Alarm): number {
    const rarityOf = (name: DetectorName) => this.#ranks[name].rarityOf(surprises[name], aside?.counts[name]);
    return combineRarities(this.ensemble, rarityOf, support);
  }

  #withhold(alarm: Alarm): void {
    this.#alarms.push(alarm);
    if (this.#alarms.length > (this.rules.withheldAlarms ?? 0)) this.#accept(this.#alarms.shift()!);
  }

  #accept({ counts }: Alarm): void {
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
