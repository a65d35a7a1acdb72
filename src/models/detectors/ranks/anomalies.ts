// Anomalies of a series: the one in progress and the last ones, whose points are withheld from the ranks; pure.
import type { Thresholds } from "../../../core/anomaly/state.ts";
import { DAY_MS } from "../../../core/time/time.ts";
import type { Timeline } from "../timeline.ts";
import type { Alarm, DetectorName, Memory, PerDetector } from "../types.ts";
import { addBins, addPoint, beginAlarm } from "./alarm.ts";
import { endsWithNext, freshEnding, stepEnding } from "./ending.ts";
import type { LevelRun } from "./level-run.ts";
import { isBetweenPulses } from "./pulse.ts";
import { freshRecovery, isRecovered, isUnusualAtItsTime, stepRecovery } from "./recovery.ts";

/** Longest anomaly, ms: a longer one becomes the normal behaviour. A step is known as a new level before. */
export const MAX_ANOMALY_MS = DAY_MS;

/** Intervals after an anomaly in which the windows that hold it would judge the value: of longer ones it is a small part. */
const NEAR_INTERVALS = 40;

/** Intervals for which the windows of an anomaly are no neighbours: three of them fill no more than `MAX_LAG`. */
const BARRED_INTERVALS = 1333;

/** Intervals after an anomaly in which odd values are more common, as parts of it, and the decades that they count less. */
const AFTERMATH = { intervals: 6, decades: 0.3 };

interface AnomalyRules {
  readonly timeline: Timeline;
  readonly thresholds: Thresholds;
  /** Most anomalies that are withheld. */
  readonly withheld: number;
}

/** Scores of a point, 0..100. */
export interface PointScores {
  /** Of either side. */
  readonly either: number;
  /** Of the side that counts. */
  readonly shown: number;
}

/** A point of the anomaly in progress. */
interface OddPoint {
  readonly surprises: PerDetector<number>;
  /** Score of the value alone, 0..100. */
  readonly scoreOfValue: number;
  /** Rarity by the time of day, decades; undefined where none is known. */
  readonly atItsTime: number | undefined;
}

export class Anomalies {
  #pending: Alarm | undefined;
  readonly #ended: Alarm[];
  readonly #maxPoints: number;

  constructor(
    private readonly rules: AnomalyRules,
    memory: Pick<Memory, "pending" | "alarms"> | undefined,
  ) {
    this.#maxPoints = Math.max(1, Math.floor(MAX_ANOMALY_MS / rules.timeline.intervalMs));
    this.#pending = memory?.pending;
    this.#ended = [...(memory?.alarms ?? [])];
  }

  /** The one in progress. */
  get pending(): Alarm | undefined {
    return this.#pending;
  }

  /** The last ones that have ended. */
  get ended(): readonly Alarm[] {
    return this.#ended;
  }

  /** The last ones and the one in progress. */
  get all(): readonly Alarm[] {
    return this.#pending ? [...this.#ended, this.#pending] : this.#ended;
  }

  /** Those whose windows are no neighbours. @param at start of the next interval, ms since the epoch */
  barredAt(at: number): readonly Alarm[] {
    return this.all.filter(
      (own) => own === this.#pending || this.#intervalsSince(own.toAt, at) < BARRED_INTERVALS,
    );
  }

  /** Those whose windows are neighbours from an interval on. @param at its start, ms since the epoch */
  admittedAt(at: number): readonly Alarm[] {
    return this.#ended.filter(({ toAt }) => Math.round(this.#intervalsSince(toAt, at)) === BARRED_INTERVALS);
  }

  /** Whether an instant (ms) lies in one that has ended. */
  wasAt(at: number): boolean {
    return this.#ended.some(({ fromAt = Number.NaN, toAt = Number.NaN }) => at >= fromAt && at <= toAt);
  }

  /** Whether one is in progress that has been raised. */
  get isRaised(): boolean {
    return this.#pending !== undefined && !this.#pending.hidden;
  }

  /** Whether the time of day tells the one in progress from usual values. */
  get isUnusualAtItsTime(): boolean {
    return isUnusualAtItsTime(this.#pending?.recovery ?? freshRecovery);
  }

  /** Whether a usual value ends the one in progress. */
  endsWith(value: number): boolean {
    const { points, ending = freshEnding, pulse } = this.#pending ?? { points: 0 };
    if (pulse && isBetweenPulses(pulse, value, ending.usual)) return false;
    return endsWithNext(ending, points, this.rules.timeline.intervalMs);
  }

  /** Whether the last point is the first one of the one in progress. */
  get hasBegun(): boolean {
    return this.#pending?.points === 1;
  }

  /** What came before the one in progress, or what it began with. */
  keep(beginning: Pick<Alarm, "pulse" | "run">): void {
    if (this.#pending) this.#pending = { ...this.#pending, ...beginning };
  }

  /** Whether all values of the one in progress have had one level, the next one included. @param next its level */
  staysAt(next: LevelRun): boolean {
    if (!this.#pending?.run) return false;
    const { run, ...rest } = this.#pending;
    if (run.atFloor === next.atFloor) return true;
    this.#pending = rest;
    return false;
  }

  /** Whether one is in progress, or so recent that windows hold it. @param at ms since the epoch */
  isNear(at: number): boolean {
    const age = this.#intervalsSince((this.#pending ?? this.#ended.at(-1))?.toAt, at);
    return this.#pending !== undefined || age <= NEAR_INTERVALS;
  }

  /** Intervals from the last one that has ended to an instant (ms). */
  ageOfLast(at: number): number {
    return this.#intervalsSince(this.#ended.at(-1)?.toAt, at);
  }

  /** Decades that a value counts less, as it may be part of the one that has ended. @param at ms since the epoch */
  aftermathAt(at: number): number {
    return !this.#pending && this.ageOfLast(at) <= AFTERMATH.intervals ? AFTERMATH.decades : 0;
  }

  #intervalsSince(endAt: number | undefined, at: number): number {
    return endAt === undefined ? Number.POSITIVE_INFINITY : (at - endAt) / this.rules.timeline.intervalMs;
  }

  /** Whether values are usual at their time again, a next one of that rarity (decades) included. */
  isRecoveredWith(atItsTime: number): boolean {
    const { recovery = freshRecovery } = this.#pending ?? this.#ended.at(-1) ?? {};
    return isRecovered(stepRecovery(recovery, atItsTime), this.rules.timeline.intervalMs);
  }

  /**
   * Ends the one in progress where the score has fallen, or it lasts too long; begins one where the score is high.
   * @param at start of the interval, ms since the epoch
   * @returns an anomaly that is withheld no longer
   */
  step(at: number, { either, shown }: PointScores): Alarm | undefined {
    const { timeline, thresholds } = this.rules;
    const accepted = this.#endBy(either);
    if (either > thresholds.max)
      this.#pending ??= { ...beginAlarm(at, this.#ended.at(-1), timeline.intervalMs), hidden: true };
    if (shown > thresholds.max && this.#pending?.hidden) {
      const { hidden, ...raised } = this.#pending;
      this.#pending = raised;
    }
    return accepted;
  }

  #endBy(score: number): Alarm | undefined {
    const pending = this.#pending;
    if (!pending) return undefined;
    const isTooLong = pending.points >= this.#maxPoints;
    if (!isTooLong && score >= this.rules.thresholds.min) return undefined;
    this.#pending = undefined;
    return isTooLong ? pending : this.#withhold(pending);
  }

  /** Ends the one in progress, which a new level explains: its surprises never enter the ranks. */
  explain(): void {
    if (this.#pending) this.#withhold({ ...this.#pending, counts: {} });
    this.#pending = undefined;
  }

  #withhold(alarm: Alarm): Alarm | undefined {
    this.#ended.push(alarm);
    return this.#ended.length > this.rules.withheld ? this.#ended.shift() : undefined;
  }

  /** Adds a point to the one in progress. @param at ms since the epoch */
  extend(at: number, { surprises, scoreOfValue, atItsTime }: OddPoint): void {
    const { ending = freshEnding, ...own } = this.#pending!;
    const next = stepEnding(ending, scoreOfValue, this.rules.thresholds);
    const pending = withRecovery(addPoint(own, surprises), atItsTime);
    this.#pending = { fromAt: at, ...pending, toAt: at, ending: next };
  }

  /** A usual point after the last one. @param atItsTime as of `OddPoint` */
  follow(at: number, atItsTime: number | undefined): void {
    const last = this.#ended.at(-1);
    if (last && this.isNear(at)) this.#ended[this.#ended.length - 1] = withRecovery(last, atItsTime);
  }

  /** Withholds the surprises of detectors whose window holds the last one. */
  hold(surprises: PerDetector<number>, names: readonly DetectorName[]): void {
    const last = this.#ended.at(-1);
    if (!last || names.length === 0) return;
    const held = { ...last.held, ...addBins(last.held ?? {}, surprises, names) };
    this.#ended[this.#ended.length - 1] = { ...last, held };
  }

  toMemory(): Pick<Memory, "pending" | "alarms"> {
    return { ...(this.#pending && { pending: this.#pending }), alarms: this.#ended };
  }
}

function withRecovery({ recovery = freshRecovery, ...rest }: Alarm, atItsTime: number | undefined): Alarm {
  return { ...rest, recovery: atItsTime === undefined ? recovery : stepRecovery(recovery, atItsTime) };
}
