// Long computations on the server's own thread, in small steps, so that other work gets its turn.
import { throwIfAborted } from "../core/abort.ts";

/** Points worked on in one go: some milliseconds. */
const PART = 4000;

/** Lets other work get its turn. @throws TorusError `canceled` or `deadline` where the signal is aborted */
export async function nextTurn(signal: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Computes one value per index, oldest first. @throws TorusError `canceled` or `deadline` where the signal is aborted */
export async function mapInTurns(
  length: number,
  compute: (i: number) => number,
  signal: AbortSignal,
): Promise<Float64Array> {
  const values = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    if (i % PART === PART - 1) await nextTurn(signal);
    values[i] = compute(i);
  }
  return values;
}
