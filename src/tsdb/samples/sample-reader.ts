// Sample reader: joins the blocks of each field to its samples; fields with the same instants share them.
import type { FieldSamples, OnRead } from "../../core/series/samples.ts";
import { freeMemory } from "../../runtime/free-memory.ts";
import { type BlockView, timesOf } from "../block.ts";
import { dropTexts } from "../special/kept-points.ts";
import { halvesOf, isNaNOf } from "../special/values.ts";

const NOTHING: FieldSamples = { times: new Float64Array(0), values: new Float64Array(0) };

export class SampleReader {
  readonly #samples: FieldSamples[] = [];
  /** Of the field that comes next. */
  #blocks: BlockView[] = [];
  /** Instants of the last field, and the blocks that have them. */
  #shared: { readonly blocks: readonly BlockView[]; readonly times: Float64Array } | undefined;

  constructor(
    private readonly fieldIds: readonly number[],
    private readonly onRead: OnRead,
  ) {}

  /** Takes the next block: field by field, those of a field in order of time. */
  add(block: BlockView, fieldId: number): void {
    while (this.fieldIds[this.#samples.length] !== fieldId) this.#finishField();
    const numbers = dropTexts(block);
    if (numbers.values.length === 0) return;
    this.onRead(numbers.values.length, this.#blocks.length === 0);
    this.#blocks.push(numbers);
  }

  /** The samples of each field. */
  finish(): readonly FieldSamples[] {
    while (this.#samples.length < this.fieldIds.length) this.#finishField();
    return this.#samples;
  }

  #finishField(): void {
    const blocks = this.#blocks;
    if (blocks.length > 0) this.#blocks = [];
    this.#samples.push(blocks.length > 0 ? this.#join(blocks) : NOTHING);
  }

  #join(blocks: readonly BlockView[]): FieldSamples {
    const times = this.#timesOf(blocks);
    const [first] = blocks;
    const values = blocks.length === 1 && !first!.isBlob ? first!.values : joinValues(blocks, times.length);
    const stale = blocks.some(({ hasSpecial }) => hasSpecial) ? findStale(values) : undefined;
    return { times, values, ...(stale && { stale }) };
  }

  #timesOf(blocks: readonly BlockView[]): Float64Array {
    const known = this.#shared;
    if (
      known?.blocks.length === blocks.length &&
      blocks.every((block, i) => areAligned(block, known.blocks[i]!))
    )
      return known.times;
    const times = new Float64Array(blocks.reduce((sum, { values }) => sum + values.length, 0));
    let at = 0;
    for (const block of blocks) {
      times.set(timesOf(block), at);
      at += block.values.length;
    }
    this.#shared = { blocks, times };
    return times;
  }
}

/** A copy, as blobs hold more than is read; they are not needed afterwards. */
function joinValues(blocks: readonly BlockView[], length: number): Float64Array {
  const values = new Float64Array(length);
  let at = 0;
  for (const block of blocks) {
    values.set(block.values, at);
    at += block.values.length;
    // Uneven offsets lie in the blob, too, and may be compared with those of the next field.
    if (block.isBlob && block.step !== undefined) freeMemory(block.values);
  }
  return values;
}

/** Whether two blocks have the same instants. */
function areAligned(a: BlockView, b: BlockView): boolean {
  const { length } = a.offsets;
  if (a.startAt !== b.startAt || length !== b.offsets.length || a.offsets[0] !== b.offsets[0]) return false;
  if (a.step !== undefined && a.step === b.step) return true;
  for (let i = 1; i < length; i++) if (a.offsets[i] !== b.offsets[i]) return false;
  return true;
}

/** @returns undefined where there is none */
function findStale(values: Float64Array): Uint8Array | undefined {
  const halves = halvesOf(values);
  const stale = new Uint8Array(values.length);
  for (let i = 0; i < stale.length; i++) stale[i] = Number(isNaNOf(halves, i, "stale"));
  return stale.includes(1) ? stale : undefined;
}
