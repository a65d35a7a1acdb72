// Long reads in small steps: other work gets its turn, and an abort is seen soon.
import { throwIfAborted } from "../core/abort.ts";

/** The longest a read may hold the event loop, in ms. */
const TURN_MS = 10;

/**
 * A function to call between steps of a long computation. It throws when the signal is aborted, and
 * answers a promise to await when the turn is over, undefined while there is time left.
 */
export function createYielder(signal: AbortSignal): () => Promise<void> | undefined {
  let turnEndsAt = performance.now() + TURN_MS;
  return () => {
    throwIfAborted(signal);
    if (performance.now() < turnEndsAt) return undefined;
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      throwIfAborted(signal);
      turnEndsAt = performance.now() + TURN_MS;
    });
  };
}

/** The shortest and the longest part of a write, in values; parts that take long are made shorter. */
const [MIN_VALUES, MAX_VALUES] = [250, 10_000];
const CHARACTERS_PER_PART = 512 * 1024;
/** A part should take about this long, in ms: each is a transaction, which has its own cost. */
const PART_MS = 20;

/** Chooses the size of the parts of a write: new series and fields cost a hundred times what known ones do. */
export function createSizer() {
  let values = 1000;
  let startedAt = performance.now();
  return {
    /** The size of the part that begins now. */
    next: () => {
      startedAt = performance.now();
      return { values, characters: CHARACTERS_PER_PART };
    },
    /** The part has been written. */
    note: () => {
      const ms = performance.now() - startedAt;
      if (ms > PART_MS) values = Math.max(MIN_VALUES, Math.floor(values / 2));
      else if (ms < PART_MS / 2) values = Math.min(MAX_VALUES, values * 2);
    },
  };
}
