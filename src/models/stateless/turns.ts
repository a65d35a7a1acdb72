// Long loops in small parts, so that other requests are answered in between.
import { nextTurn } from "../forecast/turn.ts";

/** Points worked on in one go: some milliseconds. */
const PART = 4000;

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
