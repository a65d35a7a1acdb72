// Cooperative multitasking: long computations yield to the event loop, by time or by number of indices; stop on abort.
import { throwIfAborted } from "../core/errors.ts";

export { finish } from "../core/steps.ts";

/** Longest time a computation holds the event loop. */
const MAX_STEP_MS = 10;
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

/** Runs a generator to its end, yielding between its steps. @throws TorusError `canceled` or `deadline` if the signal is aborted */
export async function finishInSteps<T>(steps: Iterator<void, T>, signal: AbortSignal): Promise<T> {
  const yieldToOthers = createYielder(signal);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldToOthers();
  }
}

/**
 * Yields what a generator makes, the next of which is made while one is used.
 * @throws what the generator throws, in its place
 */
export async function* oneAhead<T>(items: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = items.next();
  for (;;) {
    const { done, value } = await next;
    if (done) return;
    next = items.next();
    // An error is thrown when its turn comes, which may never be.
    next.catch(() => {});
    yield value;
  }
}

/**
 * A function to call between steps of a long computation. It throws if the signal is aborted.
 * @returns from each call a promise to await once the step has lasted 10 ms, undefined before
 */
export function createYielder(signal: AbortSignal): () => Promise<void> | undefined {
  let stepEndsAt = performance.now() + MAX_STEP_MS;
  return () => {
    throwIfAborted(signal);
    if (performance.now() < stepEndsAt) return undefined;
    return yieldToEventLoop(signal).then(() => {
      stepEndsAt = performance.now() + MAX_STEP_MS;
    });
  };
}
