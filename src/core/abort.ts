// Turns an aborted signal into a TorusError.
import { TorusError } from "./errors.ts";

/** @throws TorusError the signal's reason if it is a TorusError, else `deadline` or `canceled` */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  const { reason } = signal;
  if (reason instanceof TorusError) throw reason;
  if (reason instanceof Error && reason.name === "TimeoutError")
    throw new TorusError("deadline", "this took too long; ask for a shorter range or a longer interval");
  throw new TorusError("canceled", "the request was canceled");
}
