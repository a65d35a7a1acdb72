// Runs: the points of a block, interval by interval; worked out once for all blocks with the same instants.
import { BLOCK_POINTS, type BlockView } from "./block.ts";

export interface IntervalSpans {
  /** How many there are. */
  readonly count: number;
  /** Of each run its interval, counted from the start of the range; -1 is the one before the first. */
  readonly slots: Int32Array;
  /** Of each run the number of its last point. */
  readonly lasts: Uint16Array;
  /** Of each point the number of its run. */
  readonly runOf: Uint16Array;
  /** Of each point its interval, as in `slots`. */
  readonly slotOf: Int32Array;
}

interface KeptRuns extends IntervalSpans {
  readonly step: number;
}

/** Even blocks whose runs are kept, 3 to 6 kB each: of a month of minutes there are 86. */
const MAX_KEPT = 1024;

/** Divides blocks by the intervals of a range. */
export class IntervalIndex {
  /** By the first instant. */
  readonly #kept = new Map<number, KeptRuns>();
  /** Of the last block that was not kept. */
  readonly #slots = new Int32Array(BLOCK_POINTS);
  readonly #lasts = new Uint16Array(BLOCK_POINTS);
  readonly #runOf = new Uint16Array(BLOCK_POINTS);
  readonly #slotOf = new Int32Array(BLOCK_POINTS);

  /** @param division where the range starts, ms since the epoch */
  constructor(private readonly division: { readonly fromAt: number; readonly intervalMs: number }) {}

  /** @param block with points, that begins one interval before the range or later @returns what holds until the next call */
  divide(block: BlockView): IntervalSpans {
    return this.#recall(block) ?? this.#divide(block);
  }

  /** The interval of each point, as `slotOf`, where that is all that matters. */
  slotsOf(block: BlockView): Int32Array {
    return this.#recall(block)?.slotOf ?? this.#findSlots(block);
  }

  /** Of an even block. */
  #recall(block: BlockView): IntervalSpans | undefined {
    const { startAt, offsets, step } = block;
    if (step === undefined) return undefined;
    const firstAt = startAt + offsets[0]!;
    const known = this.#kept.get(firstAt);
    if (known?.step === step && known.runOf.length === offsets.length) return known;
    const runs = { step, ...copyRuns(this.#divide(block), offsets.length) };
    if (known || this.#kept.size < MAX_KEPT) this.#kept.set(firstAt, runs);
    return runs;
  }

  #findSlots({ startAt, offsets }: BlockView): Int32Array {
    const slotOf = this.#slotOf;
    const { fromAt, intervalMs } = this.division;
    // From one interval earlier on nothing is negative, so that the fraction can be cut off.
    const start = startAt - fromAt + intervalMs;
    for (let i = 0; i < offsets.length; i++) slotOf[i] = (((start + offsets[i]!) / intervalMs) | 0) - 1;
    return slotOf;
  }

  #divide(block: BlockView): IntervalSpans {
    const slotOf = this.#findSlots(block);
    const [slots, lasts, runOf] = [this.#slots, this.#lasts, this.#runOf];
    const { length } = block.offsets;
    let run = -1;
    let before = -2;
    for (let i = 0; i < length; i++) {
      const slot = slotOf[i]!;
      // Counted, not asked: a processor cannot guess where an interval ends, and each wrong guess takes its time.
      run += Number(slot !== before);
      slots[run] = slot;
      lasts[run] = i;
      runOf[i] = run;
      before = slot;
    }
    return { count: run + 1, slots, lasts, runOf, slotOf };
  }
}

function copyRuns({ count, slots, lasts, runOf, slotOf }: IntervalSpans, points: number): IntervalSpans {
  return {
    count,
    slots: slots.slice(0, count),
    lasts: lasts.slice(0, count),
    runOf: runOf.slice(0, points),
    slotOf: slotOf.slice(0, points),
  };
}
