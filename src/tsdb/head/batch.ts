// Point batch: the points of one write in columns, in the order in which they were sent.
import type { FieldValue } from "../../core/series/query.ts";
import { putNaN } from "../special/values.ts";

export type Text = string | boolean;
export type IndexedText = readonly [index: number, text: Text];

/** Points by column; the first `length` entries of each count. */
export interface PointColumns {
  readonly length: number;
  readonly fieldIds: Uint32Array;
  /** ms since the epoch. */
  readonly times: Float64Array;
  /** As of `FieldPoints`. */
  readonly values: Float64Array;
  /** Texts and booleans with their index, ascending. */
  readonly texts: readonly IndexedText[];
}

/** Of a point in columns: its field, time and value. */
export const POINT_BYTES = 20;
/** What the entry of a text takes in memory beside its characters. */
const TEXT_BYTES = 100;

/** Memory of points in that of numbers: a text weighs as many of them as take its place. */
export function weightOf({ length, texts }: Pick<PointColumns, "length" | "texts">): number {
  let bytes = 0;
  for (const [, text] of texts) bytes += TEXT_BYTES + (typeof text === "string" ? text.length : 0);
  return length + Math.ceil(bytes / POINT_BYTES);
}

const MIN_CAPACITY = 64;

export class PointBatch implements PointColumns {
  length = 0;
  fieldIds: Uint32Array<ArrayBuffer>;
  times: Float64Array<ArrayBuffer>;
  values: Float64Array<ArrayBuffer>;
  readonly texts: IndexedText[] = [];

  /** @param capacity number of points that fit without growth */
  constructor(capacity: number) {
    const size = Math.max(capacity, MIN_CAPACITY);
    this.fieldIds = new Uint32Array(size);
    this.times = new Float64Array(size);
    this.values = new Float64Array(size);
  }

  /** @param at ms since the epoch, rounded down @throws RangeError where it is not finite */
  add(fieldId: number, at: number, value: Exclude<FieldValue, null>): void {
    const i = this.#take(fieldId, at);
    if (typeof value !== "number") {
      this.values[i] = Number.NaN;
      this.texts.push([i, value]);
    } else if (Number.isNaN(value)) putNaN(this.values, i, "nan");
    else this.values[i] = value;
  }

  /** Adds a stale marker. */
  addStale(fieldId: number, at: number): void {
    putNaN(this.values, this.#take(fieldId, at), "stale");
  }

  #take(fieldId: number, at: number): number {
    if (!Number.isFinite(at)) throw new RangeError("the time of a point is not finite");
    if (this.length === this.times.length) this.#grow();
    const i = this.length++;
    this.fieldIds[i] = fieldId;
    this.times[i] = Math.floor(at);
    return i;
  }

  #grow(): void {
    const capacity = this.times.length * 2;
    const { fieldIds, times, values } = this;
    this.fieldIds = new Uint32Array(capacity);
    this.fieldIds.set(fieldIds);
    this.times = new Float64Array(capacity);
    this.times.set(times);
    this.values = new Float64Array(capacity);
    this.values.set(values);
  }
}
