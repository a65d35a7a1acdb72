// Rejects a promise as soon as its signal aborts, even if the work itself ignores the signal.

/** @returns the outcome of `work`, or a rejection with the reason of the abort; a later outcome is dropped */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
    if (signal.aborted) onAbort();
  });
}
