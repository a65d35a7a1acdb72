// Long reads in small steps: other work gets its turn, and an abort is seen soon.
import { TorusError } from "../core/errors.ts";

/** The longest a read may hold the event loop, in ms. */
const TURN_MS = 10;

/** @throws TorusError the signal's own reason where it is one, else `deadline` or `canceled` */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  const { reason } = signal;
  if (reason instanceof TorusError) throw reason;
  if (reason instanceof Error && reason.name === "TimeoutError")
    throw new TorusError(
      "deadline",
      "the bucket took too long; ask for a shorter range or a longer interval",
    );
  throw new TorusError("canceled", "the request to the bucket was canceled");
}

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
