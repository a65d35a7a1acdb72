// Pass of joint detection over a grid; the ranks leave out the points of an anomaly until it has ended.
import type { Thresholds } from "../../core/anomaly/state.ts";
import { MAX_ANOMALY_MS } from "../detectors/ranks/anomalies.ts";
import { mostDecades } from "../detectors/ranks/normal-ranks.ts";
import { addSurprise, CausalRank, type FlatCounts, type RankCounts } from "../detectors/ranks/rank.ts";
import { detectionRules } from "../detectors/rules.ts";
import { tailDecades } from "../stats/tail.ts";
import type { Joint } from "./joint.ts";
import { type KnownLevel, RecentLevels } from "./recent-levels.ts";
import { type Deviation, deviationOf } from "./relation.ts";

/** State of joint detection, carried from one evaluation to the next. */
export interface JointMemory {
  readonly levels: readonly (KnownLevel | null)[];
  readonly ranks: FlatCounts;
  /** Surprises of the anomaly in progress; absent outside of one. */
  readonly pending?: RankCounts;
  /** Those of recent anomalies. */
  readonly alarms?: readonly RankCounts[];
}

/** What the features are together at one interval. */
export interface JointPoint extends Deviation {
  /** Decades. */
  readonly rarity: number;
  /** Points that it was ranked among. */
  readonly points: number;
}

export class JointPass {
  readonly #levels: RecentLevels;
  readonly #rank: CausalRank;
  readonly #maxPoints: number;
  #pending: RankCounts | undefined;
  readonly #alarms: RankCounts[];
  #surprise: number | undefined;

  constructor(
    private readonly joint: Joint,
    private readonly rules: { readonly intervalMs: number; readonly thresholds: Thresholds },
    memory: JointMemory | undefined,
  ) {
    this.#levels = new RecentLevels(rules.intervalMs, memory?.levels ?? joint.levels);
    this.#rank = new CausalRank(memory?.ranks ?? joint.ranks);
    this.#maxPoints = Math.max(1, Math.floor(MAX_ANOMALY_MS / rules.intervalMs));
    this.#pending = memory?.pending;
    this.#alarms = [...(memory?.alarms ?? [])];
  }

  /** Follows an interval of the history, which is not judged. */
  follow(at: number, values: readonly number[]): void {
    this.#levels.step(at, values);
    this.#levels.learn();
  }

  /**
   * Judges an interval; `add` must follow.
   * @param at its start, ms since the epoch
   * @param values standardised, one per feature; NaN = missing
   * @returns undefined where most features have no value
   */
  judge(at: number, values: readonly number[]): JointPoint | undefined {
    const levels = this.#levels.step(at, values);
    this.#surprise = undefined;
    if (!levels || !values.some(Number.isFinite)) return undefined;
    const deviation = deviationOf(this.joint, levels);
    this.#surprise = tailDecades(this.joint.tail, deviation.distance);
    const { points } = this.#rank;
    const rarity = Math.min(mostDecades(points), this.#rank.unboundedRarityOf(this.#surprise));
    return { ...deviation, rarity, points };
  }

  /** Advances by the interval judged last. @param score of the model, 0..100 */
  add(score: number): void {
    const { min, max } = this.rules.thresholds;
    const isTooLong = this.#pending !== undefined && countOf(this.#pending) >= this.#maxPoints;
    if (this.#pending && isTooLong) this.#rank.addAll(this.#pending);
    else if (this.#pending && score < min) this.#withhold(this.#pending);
    if (score < min || isTooLong) this.#pending = undefined;
    if (score > max) this.#pending ??= [];
    if (!this.#pending) this.#levels.learn();
    if (this.#surprise === undefined) return;
    if (this.#pending) this.#pending = addSurprise(this.#pending, this.#surprise);
    else this.#rank.add(this.#surprise);
  }

  toMemory(): JointMemory {
    return {
      levels: this.#levels.toMemory(),
      ranks: this.#rank.toMemory(),
      ...(this.#pending && { pending: this.#pending }),
      ...(this.#alarms.length > 0 && { alarms: this.#alarms }),
    };
  }

  /** An incident that repeats is raised again; a habit becomes usual. */
  #withhold(alarm: RankCounts): void {
    this.#alarms.push(alarm);
    if (this.#alarms.length > detectionRules.withheldAlarms) this.#rank.addAll(this.#alarms.shift()!);
  }
}

function countOf(counts: RankCounts): number {
  return counts.reduce((sum, [, count]) => sum + count, 0);
}
