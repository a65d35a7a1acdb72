// Series that the neighbour detectors compare with: the remembered values, continued point by point; pure.
import { DAY_MS } from "../../../core/time/time.ts";
import { clip } from "../linear.ts";
import { Neighbours } from "../neighbours/neighbours.ts";
import {
  decodeHistory,
  encodeHistory,
  HISTORY_LENGTH,
  LEVELS,
  quantise,
  readHistory,
  toQuanta,
} from "../neighbours/quanta.ts";
import { distanceBeyond, type KnownRange, noveltyOf, SlidingRange } from "../ranks/novelty.ts";
import type { DetectionRules } from "../rules.ts";
import { placeOf, type Timeline } from "../timeline.ts";
import type { Alarm, Ensemble, History } from "../types.ts";
import type { ImputedSeries } from "./imputed-series.ts";

interface KnownSeriesInput {
  readonly ensemble: Pick<Ensemble, "linear" | "history" | "bound">;
  readonly timeline: Timeline;
  /** History and range. */
  readonly imputed: ImputedSeries;
  /** First interval to score. */
  readonly from: number;
  /** Usual value of an interval, in units of the data; also before the first one. */
  readonly usual: (i: number) => number;
  /** Of the preceding evaluation; absent: the end of the training. */
  readonly remembered: History | undefined;
}

/** Values in units of the data, without baseline. */
export interface KnownStretch {
  /** Start of the first interval, ms since the epoch. */
  readonly startAt: number;
  readonly column: Float64Array;
}

/** The end of the training range that lies before a range, and that after it; without empty ones. */
export function historyAround(
  { history, linear }: Pick<Ensemble, "linear" | "history">,
  { startAt, endAt, intervalMs }: { startAt: number; endAt: number; intervalMs: number },
): { readonly before: readonly KnownStretch[]; readonly after: readonly KnownStretch[] } {
  if (!history) return { before: [], after: [] };
  const values = readHistory(history.values, linear);
  const firstAt = history.endAt - values.length * intervalMs;
  const indexOf = (at: number) =>
    Math.max(0, Math.min(values.length, Math.round((at - firstAt) / intervalMs)));
  const cut = (from: number, to: number): KnownStretch[] =>
    from < to ? [{ startAt: firstAt + from * intervalMs, column: values.subarray(from, to) }] : [];
  return { before: cut(0, indexOf(startAt)), after: cut(indexOf(endAt), values.length) };
}

/** A value beside all that are known. */
interface Comparison {
  readonly novelty: number;
  readonly isRecord: boolean;
}

export class KnownSeries {
  readonly neighbours: Neighbours;
  /** As `neighbours`, up to the bound of the ensemble. */
  readonly bounded: Neighbours;
  /** Differences from one value to the next. */
  readonly changes: Neighbours;
  /** One or both of those of values. */
  readonly #ofValues: ReadonlySet<Neighbours>;
  readonly #range: SlidingRange;
  /** The newest interval. */
  #newest: number;

  constructor(private readonly input: KnownSeriesInput) {
    const { imputed, from } = input;
    const { history, clipped } = this.#readHistory();
    const values = clipped.size > 0 ? history.slice() : history;
    for (const [age, quanta] of clipped) if (age in values) values[values.length - 1 - age] = quanta;
    this.#range = new SlidingRange(HISTORY_LENGTH, values);
    const capacity = imputed.column.length - from;
    this.neighbours = new Neighbours(history, capacity);
    const { bound } = input.ensemble;
    this.bounded = bound === undefined ? this.neighbours : new Neighbours(history, capacity, bound);
    this.#ofValues = new Set([this.neighbours, this.bounded]);
    const changes = history.subarray(1).map((value, i) => clip(value - history[i]!, LEVELS));
    this.changes = new Neighbours(changes, capacity);
    this.#newest = from - 1;
    for (const i of imputed.late) this.#replace(this.#newest - i, imputed.column[i]!);
  }

  /** A value in deviations of the training range. */
  toZ(value: number): number {
    const { center, scale } = this.input.ensemble.linear;
    return (value - center) / scale;
  }

  /** Of the values before the next interval, those of anomalies included; undefined before the first one. */
  get range(): KnownRange | undefined {
    return this.#range.range;
  }

  /** @returns novelty of a value in decades, and whether it is a peak however rare it is */
  compare(value: number, rules: DetectionRules, range = this.range): Comparison {
    const distance = range ? distanceBeyond(toQuanta(this.toZ(value)), range) : 0;
    const novelty = noveltyOf(distance, range?.points ?? 0, rules);
    return { novelty, isRecord: distance >= rules.recordDistance };
  }

  /** Appends the value of the next interval. */
  add(value: number): void {
    const z = this.toZ(value);
    const before = this.neighbours.newest;
    for (const own of this.#ofValues) own.push(z);
    if (!Number.isNaN(before)) this.changes.push(this.neighbours.newest - before);
    this.#range.push(toQuanta(z));
    this.#newest++;
  }

  /** Replaces the newest values, which were those of a gap. @param values oldest first */
  replaceLast(values: readonly number[]): void {
    for (const [k, value] of values.entries()) this.#replace(values.length - 1 - k, value);
  }

  /** Of values that are replaced in turn, the oldest comes first. */
  #replace(age: number, value: number): void {
    for (const own of this.#ofValues) own.replace(age, this.toZ(value));
    const before = this.neighbours.recorded(age + 1);
    if (!Number.isNaN(before)) this.changes.replace(age, this.neighbours.recorded(age) - before);
  }

  /**
   * Bars the windows that end within an anomaly, so that it is raised again when it repeats, or admits them. They stay
   * part of later windows.
   */
  bar({ fromAt, toAt }: Pick<Alarm, "fromAt" | "toAt">, isBarred: boolean): void {
    if (fromAt === undefined || toAt === undefined) return;
    const { timeline } = this.input;
    const last = Math.round(placeOf(timeline, toAt));
    for (let i = Math.round(placeOf(timeline, fromAt)); i <= last; i++) {
      const age = this.#newest - i;
      for (const own of [...this.#ofValues, this.changes]) own.bar(age, isBarred);
    }
  }

  /** Ends the comparisons: the memory of their sums serves other series. */
  release(): void {
    for (const own of [...this.#ofValues, this.changes]) own.release();
  }

  toMemory(): History {
    const { startAt, intervalMs } = this.input.timeline;
    const endAt = startAt + (this.#newest + 1) * intervalMs;
    const clipped = [...this.#range.candidates].filter(([, value]) => isClipped(value));
    return {
      values: encodeHistory(this.neighbours.toHistory()),
      endAt,
      ...(clipped.length > 0 && { clipped }),
    };
  }

  /**
   * Values before the first interval to score, in quanta: those remembered, continued by the history of the grid. Of
   * a range before the end of the training, those before the range. Of a gap between them whole days are left out, and the
   * rest has usual values: the clock compares by the time of day. Clipped ones as large as they are, by the number of
   * values since.
   */
  #readHistory(): { history: Float64Array; clipped: ReadonlyMap<number, number> } {
    const { ensemble, timeline, imputed, from, remembered, usual } = this.input;
    const known = remembered ?? ensemble.history;
    const values = known ? decodeHistory(known.values) : new Float64Array();
    const { intervalMs } = timeline;
    // The end of the last value, on the clock of that value.
    const end = known ? placeOf(timeline, known.endAt - intervalMs) + 1 : Number.NEGATIVE_INFINITY;
    const missing = Math.round(from - end);
    const gap = known ? Math.round(Math.max(0, missing - from) % (DAY_MS / intervalMs)) : 0;
    const later = Math.min(missing, from) + gap;
    const clipped = new Map(known?.clipped?.map(([age, z]) => [age + later, z]));
    if (missing <= 0) return { history: values.subarray(0, Math.max(0, values.length + missing)), clipped };
    const recent = Float64Array.from({ length: later }, (_, k) => {
      const i = from - later + k;
      return i < from - later + gap ? usual(i) : imputed.column[i]!;
    });
    const history = new Float64Array(values.length + recent.length);
    history.set(values);
    for (let i = 0; i < recent.length; i++) {
      const z = this.toZ(recent[i]!);
      history[values.length + i] = quantise(z);
      const quanta = toQuanta(z);
      if (isClipped(quanta)) clipped.set(recent.length - 1 - i, quanta);
    }
    return { history, clipped };
  }
}

function isClipped(quanta: number): boolean {
  return Math.abs(quanta) > LEVELS;
}
