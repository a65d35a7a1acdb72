// Cooperative multitasking: long computations yield to the event loop between steps and stop on abort.
import { throwIfAborted } from "../core/errors.ts";

/** Indices computed between two yields: some milliseconds of work. */
const INDICES_PER_STEP = 4000;

/** Yields to the event loop once. @throws TorusError `canceled` or `deadline` if the signal is aborted */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  if (signal) throwIfAborted(signal);
  await new Promise<void>((resolve) => setImmediate(resolve));
  if (signal) throwIfAborted(signal);
}

/** Computes one number per index, in order. @throws TorusError `canceled` or `deadline` if the signal is aborted */
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

/** As `mapInSteps`, for values of any type. */
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
 * Calls `work` for consecutive ranges of indices and yields between them.
 * @param part indices per range
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export async function runInSteps(
  length: number,
  { part = INDICES_PER_STEP, signal }: { readonly part?: number; readonly signal: AbortSignal },
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < length; from += part) {
    if (from > 0) await yieldToEventLoop(signal);
    work(from, Math.min(length, from + part));
  }
}
