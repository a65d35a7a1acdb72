// Interval spans: the points of a block grouped by interval; computed once for blocks with the same instants.
import { BLOCK_POINTS, type BlockView } from "./block.ts";

/** The spans of one block; a span is a sequence of points within one interval. */
export interface IntervalSpans {
  /** Number of spans. */
  readonly count: number;
  /** Interval of each span, counted from the start of the range; -1 is the one before the range. */
  readonly slots: Int32Array;
  /** Index of the last point of each span. */
  readonly lasts: Uint16Array;
  /** Span of each point. */
  readonly spanOf: Uint16Array;
  /** Interval of each point, as in `slots`. */
  readonly slotOf: Int32Array;
}

interface CachedSpans extends IntervalSpans {
  readonly step: number;
}

/** Evenly spaced blocks whose spans are cached, 3 to 6 kB each: a month of minutes has 86 blocks. */
const MAX_CACHED_BLOCKS = 1024;

/** Divides blocks by the intervals of a range. */
export class IntervalIndex {
  /** By the first instant. */
  readonly #cache = new Map<number, CachedSpans>();
  // Scratch space for a block that is not cached.
  readonly #slots = new Int32Array(BLOCK_POINTS);
  readonly #lasts = new Uint16Array(BLOCK_POINTS);
  readonly #spanOf = new Uint16Array(BLOCK_POINTS);
  readonly #slotOf = new Int32Array(BLOCK_POINTS);

  /** @param division `fromAt`: start of the range, ms since the epoch */
  constructor(private readonly division: { readonly fromAt: number; readonly intervalMs: number }) {}

  /**
   * @param block with at least one point, all of them after the start of the interval before the range
   * @returns the spans, valid until the next call
   */
  divide(block: BlockView): IntervalSpans {
    return this.#findCached(block) ?? this.#divide(block);
  }

  /** Only `slotOf` of the spans, which is cheaper. */
  slotsOf(block: BlockView): Int32Array {
    return this.#findCached(block)?.slotOf ?? this.#findSlots(block);
  }

  /** The cached spans of an evenly spaced block; undefined for other blocks. */
  #findCached(block: BlockView): IntervalSpans | undefined {
    const { startAt, offsets, step } = block;
    if (step === undefined) return undefined;
    const firstAt = startAt + offsets[0]!;
    const known = this.#cache.get(firstAt);
    if (known?.step === step && known.spanOf.length === offsets.length) return known;
    const spans = { step, ...copySpans(this.#divide(block), offsets.length) };
    if (known || this.#cache.size < MAX_CACHED_BLOCKS) this.#cache.set(firstAt, spans);
    return spans;
  }

  #findSlots({ startAt, offsets }: BlockView): Int32Array {
    const slotOf = this.#slotOf;
    const { fromAt, intervalMs } = this.division;
    // Counted from one interval earlier no quotient is negative, so that `| 0` is floor.
    const start = startAt - fromAt + intervalMs;
    for (let i = 0; i < offsets.length; i++) slotOf[i] = (((start + offsets[i]!) / intervalMs) | 0) - 1;
    return slotOf;
  }

  #divide(block: BlockView): IntervalSpans {
    const slotOf = this.#findSlots(block);
    const [slots, lasts, spanOf] = [this.#slots, this.#lasts, this.#spanOf];
    const { length } = block.offsets;
    let span = -1;
    let before = -2;
    for (let i = 0; i < length; i++) {
      const slot = slotOf[i]!;
      // Arithmetic instead of a branch: the ends of intervals defeat branch prediction.
      span += Number(slot !== before);
      slots[span] = slot;
      lasts[span] = i;
      spanOf[i] = span;
      before = slot;
    }
    return { count: span + 1, slots, lasts, spanOf, slotOf };
  }
}

function copySpans({ count, slots, lasts, spanOf, slotOf }: IntervalSpans, points: number): IntervalSpans {
  return {
    count,
    slots: slots.slice(0, count),
    lasts: lasts.slice(0, count),
    spanOf: spanOf.slice(0, points),
    slotOf: slotOf.slice(0, points),
  };
}
