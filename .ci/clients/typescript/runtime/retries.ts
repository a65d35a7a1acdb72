// Retries: which answers are tried again, and when.

/** No answer, and statuses of a server that may answer later. */
const passing: ReadonlySet<number> = new Set([0, 429, 503]);
const FIRST_MS = 250;
/** A server that asks for more patience gets an error instead. */
export const MAX_WAIT_MS = 30_000;

/** Whether a later attempt may be answered otherwise. @param status 0 without an answer */
export function isPassing(status: number): boolean {
  return passing.has(status);
}

/**
 * Waiting time before the next attempt, in ms: that of `Retry-After` (RFC 9110 section 10.2.3), otherwise the double of
 * the one before, with a random part so that clients do not come back together.
 * @param attempt from 0
 */
export function waitMs(attempt: number, retryAfter: string | null = null): number {
  if (retryAfter !== null) {
    const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
    if (Number.isFinite(ms)) return Math.max(ms, 0);
  }
  return Math.min(FIRST_MS * 2 ** attempt, MAX_WAIT_MS) * (0.5 + Math.random() / 2);
}

/** @throws the reason of the signal as soon as it aborts */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
