// Ranks of the detectors among normal points; points of an anomaly are withheld until it ends; pure.
import type { Thresholds } from "../../core/anomaly/state.ts";
import { DAY_MS } from "../../core/time/time.ts";
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

/** Longest anomaly, ms: a longer one becomes the normal behaviour. */
const MAX_ANOMALY_MS = DAY_MS;

interface NormalRules {
  readonly intervalMs: number;
  readonly thresholds: Thresholds;
  /** Number of recent anomalies whose points stay withheld; default 0. */
  readonly withheldAlarms?: number | undefined;
}

/** Combined rarity of a point, in decades. */
export interface Ranked {
  /** Among the normal points and those of the anomaly in progress. */
  readonly rarity: number;
  /** Among the points before the anomaly in progress. */
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
   * @param coverage of the window, see `coverageOf`
   */
  rank(surprises: PerDetector<number>, coverage: number): Ranked {
    const before = this.#combine(surprises, coverage);
    return { before, rarity: this.#pending ? this.#combine(surprises, coverage, this.#pending) : before };
  }

  /** Reduces the weight of all earlier points to that of `points`. */
  discount(points: number): void {
    for (const name of detectorNames) this.#ranks[name].discount(points);
  }

  /** Advances by one point: into the ranks, or into the anomaly in progress. */
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

  #combine(surprises: PerDetector<number>, coverage: number, aside?: Alarm): number {
    const rarityOf = (name: DetectorName) => this.#ranks[name].rarityOf(surprises[name], aside?.counts[name]);
    return combineRarities(this.ensemble, rarityOf, coverage);
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
