// An aborted signal as one of our errors.
import { TorusError } from "./errors.ts";

/** @throws TorusError the signal's own reason where it is one, else `deadline` or `canceled` */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  const { reason } = signal;
  if (reason instanceof TorusError) throw reason;
  if (reason instanceof Error && reason.name === "TimeoutError")
    throw new TorusError("deadline", "this took too long; ask for a shorter range or a longer interval");
  throw new TorusError("canceled", "the request was canceled");
}
