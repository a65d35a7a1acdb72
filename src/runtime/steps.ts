// Long computations on the server's own thread, in small steps, so that other work gets its turn.
import { throwIfAborted } from "../core/abort.ts";

/** Points worked on in one go: some milliseconds. */
const PART = 4000;

/** Lets other work get its turn. @throws TorusError `canceled` or `deadline` where the signal is aborted */
export async function yieldToEventLoop(signal: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Computes one number per index, oldest first. @throws TorusError `canceled` or `deadline` where the signal is aborted */
export async function mapInSteps(
  length: number,
  compute: (i: number) => number,
  signal: AbortSignal,
): Promise<Float64Array> {
  const values = new Float64Array(length);
  await runInSteps(length, { signal }, (from, to) => {
    for (let i = from; i < to; i++) values[i] = compute(i);
  });
  return values;
}

/** As `mapInTurns`, of anything. */
export async function listInSteps<T>(
  length: number,
  make: (i: number) => T,
  signal: AbortSignal,
): Promise<T[]> {
  const list: T[] = [];
  await runInSteps(length, { signal }, (from, to) => {
    for (let i = from; i < to; i++) list.push(make(i));
  });
  return list;
}

/**
 * Works on one part after the other, each a range of indices.
 * @param part indices at once
 * @throws TorusError `canceled` or `deadline` where the signal is aborted
 */
export async function runInSteps(
  length: number,
  { part = PART, signal }: { readonly part?: number; readonly signal: AbortSignal },
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < length; from += part) {
    if (from > 0) await yieldToEventLoop(signal);
    work(from, Math.min(length, from + part));
  }
}
