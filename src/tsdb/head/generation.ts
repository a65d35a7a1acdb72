// Generation of a head: points in the order of their arrival; those of a field are a chain from the last to the first.
import type { Range } from "../../core/series/grid.ts";
import { type FieldPoints, findOffset, mergePoints } from "../block.ts";
import { halvesOf } from "../special/values.ts";
import { type PointColumns, type Text, weightOf } from "./batch.ts";

const MIN_CAPACITY = 1024;
const NONE = -1;

const noTexts: ReadonlyMap<number, Text> = new Map();

/** What to look at of a chain: the points of a range, among those that had arrived. */
interface Look {
  /** Place of the last point; those before it are earlier, if the chain is in order. */
  readonly last: number;
  readonly isOrdered: boolean;
  readonly range: Range;
  readonly length: number;
}

export class Generation {
  /** Fields in the order of their first points; the places of their last ones. */
  readonly fieldIds: number[] = [];
  readonly #lasts: number[] = [];
  readonly #ordinals = new Map<number, number>();
  /** Fields, by their place in `fieldIds`, of which a point arrived after a later one. */
  readonly #disordered = new Set<number>();
  #times = new Float64Array(0);
  #values = new Float64Array(0);
  /** Place of the point of the same field before. */
  #before = new Int32Array(0);
  /** Places of texts, ascending, and the texts: lists grow with less garbage than a map. */
  readonly #textPlaces: number[] = [];
  readonly #texts: Text[] = [];
  length = 0;
  /** As of `weightOf`. */
  weight = 0;
  /** Fields, in their order, whose points are in blocks by now. */
  flushed = 0;
  /** Points of the next field, and the first of them that is not in blocks; undefined: none of them is. */
  rest: { readonly points: FieldPoints; readonly from: number } | undefined;
  #firstAt = Infinity;
  #lastAt = -Infinity;

  append(points: PointColumns): void {
    const { length, fieldIds, times, values, texts } = points;
    const from = this.length;
    this.#reserve(from + length);
    this.#times.set(times.subarray(0, length), from);
    this.#values.set(values.subarray(0, length), from);
    for (let i = 0; i < length; i++) {
      const at = times[i]!;
      if (at < this.#firstAt) this.#firstAt = at;
      if (at > this.#lastAt) this.#lastAt = at;
      const ordinal = this.#ordinalOf(fieldIds[i]!);
      const last = this.#lasts[ordinal]!;
      if (last !== NONE && at < this.#times[last]!) this.#disordered.add(ordinal);
      this.#before[from + i] = last;
      this.#lasts[ordinal] = from + i;
    }
    for (const [i, text] of texts) {
      this.#textPlaces.push(from + i);
      this.#texts.push(text);
    }
    this.length += length;
    this.weight += weightOf(points);
  }

  #ordinalOf(fieldId: number): number {
    const known = this.#ordinals.get(fieldId);
    if (known !== undefined) return known;
    const ordinal = this.fieldIds.length;
    this.#ordinals.set(fieldId, ordinal);
    this.fieldIds.push(fieldId);
    this.#lasts.push(NONE);
    return ordinal;
  }

  #reserve(length: number): void {
    if (length <= this.#times.length) return;
    const capacity = Math.max(MIN_CAPACITY, 2 ** Math.ceil(Math.log2(length)));
    const [times, values, before] = [this.#times, this.#values, this.#before];
    this.#times = new Float64Array(capacity);
    this.#times.set(times);
    this.#values = new Float64Array(capacity);
    this.#values.set(values);
    this.#before = new Int32Array(capacity);
    this.#before.set(before);
  }

  /** Whether a reader that saw `flushed` fields in blocks may find points of this one and a range here. */
  holds(fieldId: number, { fromAt, toAt }: Range, flushed: number): boolean {
    if (toAt <= this.#firstAt || fromAt > this.#lastAt) return false;
    return (this.#ordinals.get(fieldId) ?? NONE) >= flushed;
  }

  /** Whether one of the first `length` points is of the field and the range. */
  hasPoint(fieldId: number, { fromAt, toAt }: Range, length: number): boolean {
    const { last, isOrdered } = this.#endOf(fieldId);
    for (let i = last; i !== NONE; i = this.#before[i]!) {
      const at = this.#times[i]!;
      if (i < length && at >= fromAt && at < toAt) return true;
      if (at < fromAt && isOrdered) return false;
    }
    return false;
  }

  /** Place of the last point of a field, and whether those before it are earlier. */
  #endOf(fieldId: number): { readonly last: number; readonly isOrdered: boolean } {
    const ordinal = this.#ordinals.get(fieldId);
    if (ordinal === undefined) return { last: NONE, isOrdered: true };
    return { last: this.#lasts[ordinal]!, isOrdered: !this.#disordered.has(ordinal) };
  }

  /**
   * Points of a field in a range, ascending in time; of several at one instant the last one that arrived.
   * @param length number of points, from the first one on, that are looked at
   * @returns undefined where there are none
   */
  pointsOf(fieldId: number, range: Range, length = this.length): FieldPoints | undefined {
    const look = { ...this.#endOf(fieldId), range, length };
    const count = this.#walk(look);
    if (count === 0) return undefined;
    const places = new Int32Array(count);
    this.#walk(look, places);
    return this.#take(look.isOrdered ? places : this.#sort(places));
  }

  /** @param places takes those of the points, the last one at its end. @returns number of points */
  #walk({ last, isOrdered, range: { fromAt, toAt }, length }: Look, places?: Int32Array): number {
    const [times, before] = [this.#times, this.#before];
    let [count, nextAt] = [0, Infinity];
    for (let i = last; i !== NONE; i = before[i]!) {
      const at = times[i]!;
      if (at < fromAt && isOrdered) break;
      // An earlier arrival at the instant of the next one is replaced by it.
      if (i >= length || at < fromAt || at >= toAt || at === nextAt) continue;
      nextAt = at;
      count++;
      if (places) places[places.length - count] = i;
    }
    return count;
  }

  #sort(places: Int32Array): Int32Array {
    const times = this.#times;
    if (places.every((place, i) => i === 0 || times[places[i - 1]!]! < times[place]!)) return places;
    const sorted = places.sort((a, b) => times[a]! - times[b]! || a - b);
    return sorted.filter((place, i) => times[place] !== times[sorted[i + 1] ?? NONE]);
  }

  #take(places: Int32Array): FieldPoints {
    const [times, values] = [new Float64Array(places.length), new Float64Array(places.length)];
    const [allTimes, allValues] = [this.#times, this.#values];
    let hasNaN = false;
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!;
      const value = allValues[place]!;
      times[i] = allTimes[place]!;
      values[i] = value;
      hasNaN ||= Number.isNaN(value);
    }
    if (hasNaN) this.#takeBits(places, values);
    return { times, values, others: this.#texts.length > 0 ? this.#textsOf(places) : noTexts };
  }

  /** A copy of a NaN as a number may lose its bits, which say what it stands for. */
  #takeBits(places: Int32Array, values: Float64Array): void {
    const [from, to] = [halvesOf(this.#values), halvesOf(values)];
    for (const [i, place] of places.entries()) {
      to[2 * i] = from[2 * place]!;
      to[2 * i + 1] = from[2 * place + 1]!;
    }
  }

  #textsOf(places: Int32Array): FieldPoints["others"] {
    const texts = new Map<number, Text>();
    for (const place of places) {
      const text = this.#textAt(place);
      if (text !== undefined) texts.set(this.#times[place]!, text);
    }
    return texts;
  }

  #textAt(place: number): Text | undefined {
    const i = findOffset(this.#textPlaces, place);
    return this.#textPlaces[i] === place ? this.#texts[i] : undefined;
  }
}

/** A generation as one read sees it: what arrives later, and what is flushed meanwhile, changes nothing. */
export interface GenerationView {
  readonly generation: Generation;
  readonly length: number;
  readonly flushed: number;
}

/** The points of a head as one read sees them, from the oldest generation to the newest. */
export class HeadView {
  readonly #views: readonly GenerationView[];

  constructor(generations: readonly Generation[]) {
    this.#views = generations.map((generation) => {
      return { generation, length: generation.length, flushed: generation.flushed };
    });
  }

  /** Whether the field has a point in the range. */
  hasPoint(fieldId: number, range: Range): boolean {
    return this.#views.some(
      ({ generation, length, flushed }) =>
        generation.holds(fieldId, range, flushed) && generation.hasPoint(fieldId, range, length),
    );
  }

  /** Points of a field in a range; undefined where there are none. */
  pointsOf(fieldId: number, range: Range): FieldPoints | undefined {
    let found: FieldPoints | undefined;
    for (const { generation, length, flushed } of this.#views) {
      if (!generation.holds(fieldId, range, flushed)) continue;
      const points = generation.pointsOf(fieldId, range, length);
      if (points) found = found ? mergePoints(found, points) : points;
    }
    return found;
  }
}
