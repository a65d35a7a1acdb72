// Answers to queries that are being read: limited in bytes over all of them, and each in time, so that slow readers end.
import { TorusError } from "../../core/errors.ts";
import { ByteBudget } from "../../runtime/byte-budget.ts";
import type { Clock } from "../../runtime/clock.ts";

/** Bytes of JSON over all answers that are being read; a single one may exceed it. */
const MAX_BYTES = 256 * 1024 * 1024;
/** An answer that takes longer to read is cut off. */
const READ_MS = 60_000;
/** Shorter answers are made at once, and hold nothing up. */
const SMALL_BYTES = 64 * 1024;

/** JSON in pieces; `return` drops the rest. */
export type Pieces = Required<Pick<IterableIterator<string>, "next" | "return" | typeof Symbol.iterator>>;

export class OpenAnswers {
  readonly #bytes = new ByteBudget(MAX_BYTES, { noun: "answers that are being read" });

  constructor(private readonly clock: Pick<Clock, "setTimer">) {}

  /**
   * @param bytes of the answer, about
   * @param onEnd called once: when the answer is made or dropped, or its time is over
   * @throws TorusError `overloaded` where others hold too much
   */
  open(pieces: Generator<string>, bytes: number, onEnd: () => void): Pieces {
    if (bytes <= SMALL_BYTES) {
      const text = [...pieces].join("");
      onEnd();
      return [text].values() as unknown as Pieces;
    }
    const account = this.#bytes.open();
    account.take(bytes);
    return new HeldAnswer(pieces, this.clock, () => {
      account.close();
      onEnd();
    });
  }
}

/** Unlike a generator it ends also where nothing of it was read. */
class HeldAnswer implements Pieces {
  /** Undefined once it has ended. */
  #pieces: Generator<string> | undefined;
  #isCutOff = false;
  readonly #clearTimer: () => void;

  constructor(
    pieces: Generator<string>,
    clock: Pick<Clock, "setTimer">,
    private readonly onEnd: () => void,
  ) {
    this.#pieces = pieces;
    this.#clearTimer = clock.setTimer(() => {
      this.#isCutOff = true;
      this.return();
    }, READ_MS);
  }

  next(): IteratorResult<string> {
    if (this.#isCutOff)
      throw new TorusError("deadline", `the answer was not read within ${READ_MS / 1000} s`);
    const next = this.#pieces?.next() ?? { done: true, value: undefined };
    if (next.done) this.return();
    return next;
  }

  return(): IteratorResult<string> {
    if (this.#pieces) {
      // The results are held by the generator.
      this.#pieces = undefined;
      this.#clearTimer();
      this.onEnd();
    }
    return { done: true, value: undefined };
  }

  [Symbol.iterator]() {
    return this;
  }
}
