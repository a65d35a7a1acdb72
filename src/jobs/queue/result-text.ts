// The JSON of a job's result, made in small steps and refused beyond a number of bytes.
import { throwIfAborted } from "../../core/abort.ts";
import { TorusError } from "../../core/errors.ts";
import { jsonPieces } from "../../core/formats/json-pieces.ts";
import type { ResultText } from "../../store/jobs/results.ts";

export interface ResultLimits {
  /** Most bytes of one kept result. */
  readonly perJob: number;
  /** Most bytes of all kept results; beyond, the oldest are dropped. */
  readonly inTotal: number;
}

const MIB = 1024 * 1024;

/**
 * @returns the JSON, null where there is no result
 * @throws TorusError `too_large` saying what to ask for; `canceled` where the signal is aborted
 */
export async function writeResult(
  result: unknown,
  { perJob, inTotal }: ResultLimits,
  signal: AbortSignal,
): Promise<ResultText | null> {
  if (result === null || result === undefined) return null;
  const most = Math.min(perJob, inTotal);
  const pieces: string[] = [];
  let bytes = 0;
  for (const piece of jsonPieces(result)) {
    bytes += Buffer.byteLength(piece);
    if (bytes > most) throw tooLarge(most);
    if (pieces.length > 0) {
      throwIfAborted(signal);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    pieces.push(piece);
  }
  return { pieces, bytes };
}

function tooLarge(most: number): TorusError {
  const size = most < MIB ? `${most} bytes` : `${Math.floor(most / MIB)} MiB`;
  return new TorusError(
    "too_large",
    `the result is larger than ${size} (server.limits.job_result_bytes): ask for a shorter range, longer intervals or fewer features`,
  );
}
