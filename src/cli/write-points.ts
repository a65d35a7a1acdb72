// Writing many points: in batches, one job after the other, with progress; what is under way ends with an interrupt.
import type { Context } from "./context.ts";
import { cancelJob, openProgress } from "./follow.ts";
import { formatCount } from "./format.ts";

export interface Batch {
  readonly points: readonly object[];
  /** Share of the whole that is written with this batch, 0..1, where it is known. */
  readonly share?: number | undefined;
}

export interface WriteTarget {
  readonly bucket: string;
  readonly measurement?: string;
}

/**
 * Writes batches in their order. While the server writes one, the next is made: no more than two are held.
 * @returns points written
 * @throws JobError, ApiError; after an interrupt what was being written is canceled
 */
export async function writePoints(
  context: Context,
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  { bucket, measurement }: WriteTarget,
): Promise<number> {
  const { client, lasting, signal, terminal } = context;
  const line = openProgress(context, "write");
  const startedAt = terminal.now();
  let written = 0;
  let pending: { id: string; batch: Batch } | undefined;
  const settle = async (): Promise<void> => {
    if (!pending) return;
    const { id, batch } = pending;
    await client.waitForJob(id);
    signal.throwIfAborted();
    pending = undefined;
    written += batch.points.length;
    const seconds = (terminal.now() - startedAt) / 1000;
    line.update({
      ...(batch.share !== undefined && { share: batch.share }),
      note: `${formatCount(written)} points`,
      ...(seconds > 0 && { rate: `${formatCount(Math.round(written / seconds))}/s` }),
    });
  };
  const query = measurement ? { measurement } : {};
  try {
    for await (const batch of batches) {
      await settle();
      signal.throwIfAborted();
      const path = `/buckets/${encodeURIComponent(bucket)}/_write`;
      pending = { id: await lasting.call<string>(`POST ${path}`, { query, body: batch.points }), batch };
    }
    await settle();
    return written;
  } catch (error) {
    line.end();
    if (signal.aborted && pending) await cancelJob(context, pending.id);
    if (written > 0)
      terminal.writeError(`torus: ${formatCount(written)} points had been written to ${bucket}\n`);
    throw error;
  } finally {
    line.end();
  }
}
