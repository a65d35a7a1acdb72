// Sliding windows over a series, copied into rows batch by batch; never all of them at once.
import type { DonutShape, Series, Stretch } from "../protocol.ts";
import { type Random, shuffle } from "../random.ts";

/** The part of a shape that windows depend on. */
type WindowShape = Pick<DonutShape, "window" | "condition">;

/** Starts of the windows of `width` points that lie in [from, to) and hold at least one observed point. */
export function windowStarts(
  series: Series,
  width: number,
  [from, to]: readonly [number, number],
): Int32Array {
  const starts: number[] = [];
  let lastObserved = -1;
  for (let end = from; end < to; end++) {
    if (series.observed[end] === 1) lastObserved = end;
    const start = end - width + 1;
    if (start >= from && lastObserved >= start) starts.push(start);
  }
  return Int32Array.from(starts);
}

/** At most `limit` of `starts`, evenly spaced. */
export function thin(starts: Int32Array, limit: number): Int32Array {
  if (starts.length <= limit) return starts;
  return Int32Array.from({ length: limit }, (_, i) => starts[Math.floor((i * starts.length) / limit)]!);
}

/**
 * Starts of the windows within stretches, equally many of every source that has any: those of a short one are repeated.
 * @param limit of all together
 */
export function stretchStarts(
  series: Series,
  width: number,
  stretches: readonly Stretch[],
  limit: number,
): Int32Array {
  const sources = [...Map.groupBy(stretches, ({ source }) => source).values()]
    .map((own) => own.flatMap(({ from, to }) => Array.from(windowStarts(series, width, [from, to]))))
    .filter((starts) => starts.length > 0);
  const most = sources.reduce((longest, { length }) => Math.max(longest, length), 0);
  const each = Math.min(most, Math.max(1, Math.floor(limit / sources.length)));
  const joined = new Int32Array(each * sources.length);
  for (const [k, starts] of sources.entries()) {
    const own = thin(Int32Array.from(starts), each);
    for (let i = 0; i < each; i++) joined[k * each + i] = own[i % own.length]!;
  }
  return joined;
}

/** Rows of windows: `x` and `mask` are [rows, W], `condition` is [rows, C]. */
export interface Rows {
  readonly x: Float32Array;
  readonly mask: Float32Array;
  readonly condition: Float32Array;
}

export function createRows(rows: number, { window, condition = 0 }: WindowShape): Rows {
  return {
    x: new Float32Array(rows * window),
    mask: new Float32Array(rows * window),
    condition: new Float32Array(rows * condition),
  };
}

/** Memory of rows that is used again: a run copies its input, and fresh memory for each costs more than the copies. */
export class RowBuffer {
  #rows: Rows;
  #capacity = 0;

  constructor(private readonly shape: WindowShape) {
    this.#rows = createRows(0, shape);
  }

  /** @returns `count` rows of any content, valid until the next are taken */
  take(count: number): Rows {
    const { window, condition = 0 } = this.shape;
    if (count > this.#capacity) {
      this.#rows = createRows(count, this.shape);
      this.#capacity = count;
    }
    const { x, mask, condition: conditions } = this.#rows;
    return {
      x: x.subarray(0, count * window),
      mask: mask.subarray(0, count * window),
      condition: conditions.subarray(0, count * condition),
    };
  }
}

/** A series with a float mask, to be copied into rows. */
export interface MaskedSeries {
  readonly values: Float32Array;
  readonly mask: Float32Array;
  readonly conditions?: Float32Array;
}

export function toMasked({ values, observed, conditions }: Series): MaskedSeries {
  const masked = { values: values.slice(), mask: Float32Array.from(observed) };
  return conditions ? { ...masked, conditions } : masked;
}

/** Copies the window that begins at `start` into row `row`, with the condition of its last point. */
export function copyWindow(
  source: MaskedSeries,
  rows: Rows,
  place: { start: number; row: number; shape: WindowShape },
): void {
  const { start, row, shape } = place;
  const { window: width, condition = 0 } = shape;
  rows.x.set(source.values.subarray(start, start + width), row * width);
  rows.mask.set(source.mask.subarray(start, start + width), row * width);
  if (condition === 0) return;
  const last = (start + width - 1) * condition;
  rows.condition.set(source.conditions!.subarray(last, last + condition), row * condition);
}

/** The feed `condition` of a graph over these rows; empty without conditions. */
export function feedCondition({ condition: data }: Rows, { condition = 0 }: WindowShape, rows: number[]) {
  return condition > 0 ? { condition: { data, dims: [...rows, condition] } } : {};
}

/** Hides a share of the observed points (missing-data injection, section 3.2 of the paper). */
export function injectMissing(series: Series, share: number, random: Random): MaskedSeries {
  const injected = toMasked(series);
  const count = Math.round(series.values.length * share);
  for (let i = 0; i < count; i++) {
    const at = random.below(series.values.length);
    injected.values[at] = 0;
    injected.mask[at] = 0;
  }
  return injected;
}

/** Hides the last `count` points of a window, as in a forecast. */
function hideTail(rows: Rows, { row, width, count }: { row: number; width: number; count: number }): void {
  const end = (row + 1) * width;
  rows.x.fill(0, end - count, end);
  rows.mask.fill(0, end - count, end);
}

/** Endless stream of training batches; every epoch has a new order and newly hidden points. */
export class BatchStream {
  #order: Int32Array = new Int32Array(0);
  #position = 0;
  #source: MaskedSeries;

  constructor(
    private readonly series: Series,
    private readonly starts: Int32Array,
    private readonly options: {
      shape: WindowShape;
      batch: number;
      injection: number;
      tails: number;
      random: Random;
    },
  ) {
    this.#source = { values: series.values, mask: new Float32Array(0) };
  }

  /** Fills rows `from` .. `from + batch` with the next batch; an incomplete last batch of an epoch is dropped. */
  fill(rows: Rows, from: number): void {
    const { shape, batch, tails, random } = this.options;
    const { window: width } = shape;
    if (this.#position + batch > this.#order.length) this.#startEpoch();
    for (let i = 0; i < batch; i++) {
      const start = this.starts[this.#order[this.#position + i]!]!;
      copyWindow(this.#source, rows, { start, row: from + i, shape });
      if (random.uniform() < tails)
        hideTail(rows, { row: from + i, width, count: 1 + random.below(width / 2) });
    }
    this.#position += batch;
  }

  #startEpoch(): void {
    const { injection, random } = this.options;
    this.#order = shuffle(this.starts.length, random);
    this.#source = injectMissing(this.series, injection, random);
    this.#position = 0;
  }
}
