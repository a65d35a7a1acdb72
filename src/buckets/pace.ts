// Long reads in small steps: other work gets its turn, and an abort is seen soon.
import { throwIfAborted } from "../core/abort.ts";

/** The longest a read may hold the event loop, in ms. */
const TURN_MS = 10;

/**
 * A function to call between steps of a long computation. It throws when the signal is aborted, and
 * answers a promise to await when the turn is over, undefined while there is time left.
 */
export function createPacer(signal: AbortSignal): () => Promise<void> | undefined {
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
