// Serialization of a job's result: JSON in small steps, limited in bytes.
import { TorusError, throwIfAborted } from "../../core/errors.ts";
import { jsonPieces } from "../../core/formats/json-pieces.ts";
import type { ResultText } from "../../store/jobs/results.ts";

export interface ResultLimits {
  /** Largest stored result, bytes. */
  readonly perJob: number;
  /** Largest total of stored results, bytes; beyond, the oldest are dropped. */
  readonly inTotal: number;
}

const MIB = 1024 * 1024;

/**
 * Serializes a result, yielding to the event loop between pieces.
 * @returns the JSON, or null for no result
 * @throws TorusError `too_large`; `canceled` if the signal is aborted
 */
export async function writeResult(
  result: unknown,
  { perJob, inTotal }: ResultLimits,
  signal: AbortSignal,
): Promise<ResultText | null> {
  if (result === null || result === undefined) return null;
  const maxBytes = Math.min(perJob, inTotal);
  const pieces: string[] = [];
  let bytes = 0;
  for (const piece of jsonPieces(result)) {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (pieces.length > 0) {
      throwIfAborted(signal);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    pieces.push(piece);
  }
  return { pieces, bytes };
}

function tooLarge(maxBytes: number): TorusError {
  const size = maxBytes < MIB ? `${maxBytes} bytes` : `${Math.floor(maxBytes / MIB)} MiB`;
  return new TorusError(
    "too_large",
    `the result is larger than ${size} (server.limits.job_result_bytes): request a shorter range, longer intervals or fewer features`,
  );
}
