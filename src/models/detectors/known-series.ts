// Series that the neighbour detectors compare with: the remembered values, continued point by point; pure.
import type { ImputedSeries } from "./imputed-series.ts";
import {
  decodeHistory,
  dequantise,
  encodeHistory,
  Neighbours,
  neighbourSpans,
  quantise,
  RANGE_SPAN,
} from "./neighbours.ts";
import type { Timeline } from "./timeline.ts";
import type { Alarm, Ensemble, History } from "./types.ts";

interface KnownSeriesInput {
  readonly ensemble: Pick<Ensemble, "linear" | "history">;
  readonly timeline: Timeline;
  /** History and range. */
  readonly imputed: ImputedSeries;
  /** First interval to score. */
  readonly from: number;
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
  const values = decodeHistory(history.values).map(
    (value) => dequantise(value) * linear.scale + linear.center,
  );
  const firstAt = history.endAt - values.length * intervalMs;
  const indexOf = (at: number) =>
    Math.max(0, Math.min(values.length, Math.round((at - firstAt) / intervalMs)));
  const cut = (from: number, to: number): KnownStretch[] =>
    from < to ? [{ startAt: firstAt + from * intervalMs, column: values.subarray(from, to) }] : [];
  return { before: cut(0, indexOf(startAt)), after: cut(indexOf(endAt), values.length) };
}

export class KnownSeries {
  readonly neighbours: Neighbours;
  /** Start of the newest interval, ms since the epoch. */
  #newestAt: number;

  constructor(private readonly input: KnownSeriesInput) {
    const { timeline, imputed, from } = input;
    const spans = [...Object.values(neighbourSpans), RANGE_SPAN];
    this.neighbours = new Neighbours(this.#readHistory(), imputed.column.length - from, spans);
    this.#newestAt = timeline.startAt + (from - 1) * timeline.intervalMs;
  }

  /** A value in deviations of the training range. */
  toZ(value: number): number {
    const { center, scale } = this.input.ensemble.linear;
    return (value - center) / scale;
  }

  /** Appends the value of the next interval. */
  add(value: number): void {
    this.neighbours.push(this.toZ(value));
    this.#newestAt += this.input.timeline.intervalMs;
  }

  /**
   * Bars the windows that end within an anomaly, so that it is raised again when it repeats, or admits them. They stay
   * part of later windows.
   */
  bar({ fromAt, toAt }: Pick<Alarm, "fromAt" | "toAt">, isBarred: boolean): void {
    if (fromAt === undefined || toAt === undefined) return;
    const { intervalMs } = this.input.timeline;
    for (let at = fromAt; at <= toAt; at += intervalMs)
      this.neighbours.bar(Math.round((this.#newestAt - at) / intervalMs), isBarred);
  }

  toMemory(): History {
    const endAt = this.#newestAt + this.input.timeline.intervalMs;
    return { values: encodeHistory(this.neighbours.toHistory()), endAt };
  }

  /**
   * Values before the first interval to score, in quanta: those remembered, continued by the history of the grid. Of
   * a range before the end of the training, those before the range.
   */
  #readHistory(): Float64Array {
    const { ensemble, timeline, imputed, from, remembered } = this.input;
    const known = remembered ?? ensemble.history;
    const values = known ? decodeHistory(known.values) : new Float64Array();
    const { startAt, intervalMs } = timeline;
    const endAt = known?.endAt ?? Number.NEGATIVE_INFINITY;
    const missing = Math.round((startAt + from * intervalMs - endAt) / intervalMs);
    if (missing <= 0) return values.subarray(0, Math.max(0, values.length + missing));
    const recent = imputed.column.subarray(Math.max(0, from - missing), from);
    const whole = new Float64Array(values.length + recent.length);
    whole.set(values);
    for (let i = 0; i < recent.length; i++) whole[values.length + i] = quantise(this.toZ(recent[i]!));
    return whole;
  }
}
