// Writes points in batches, one job at a time, with progress; an interrupt cancels the current job.
import { type Job, pathOf } from "../client/client.ts";
import type { Context } from "../command/command.ts";
import type { Batch } from "../input/csv-batches.ts";
import { countOf, formatCount } from "../terminal/format.ts";
import { cancelJob, openProgress } from "./follow-job.ts";

/** Numbers of points. */
export interface Written {
  readonly written: number;
  /** Dropped by the bucket because they are older than its retention. */
  readonly dropped: number;
}

interface WriteTarget {
  readonly bucket: string;
  readonly measurement?: string;
}

/**
 * Writes batches in order. Prepares the next one while the server writes: at most two are in memory.
 * @throws JobError, ApiError; an interrupt cancels the current job
 */
export async function writePoints(
  context: Context,
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  { bucket, measurement }: WriteTarget,
): Promise<Written> {
  const { client, lasting, signal, terminal } = context;
  const line = openProgress(context, "write");
  const startedAt = terminal.now();
  let [written, dropped] = [0, 0];
  let pending: { id: string; batch: Batch } | undefined;
  const count = ({ points }: Batch, job: Job): void => {
    const lost = droppedOf(job);
    written += points.length - lost;
    dropped += lost;
  };
  const settle = async (): Promise<void> => {
    if (!pending) return;
    const { id, batch } = pending;
    count(batch, await client.waitForJob(id));
    pending = undefined;
    signal.throwIfAborted();
    const seconds = (terminal.now() - startedAt) / 1000;
    line.update({
      ...(batch.share !== undefined && { share: batch.share }),
      note: `${countOf(written, "point")}`,
      ...(seconds > 0 && { rate: `${formatCount(Math.round(written / seconds))}/s` }),
    });
  };
  const query = measurement ? { measurement } : {};
  try {
    for await (const batch of batches) {
      await settle();
      signal.throwIfAborted();
      const path = `${pathOf("buckets", [bucket])}/_write`;
      pending = { id: await lasting.call<string>(`POST ${path}`, { query, body: batch.points }), batch };
    }
    await settle();
    return { written, dropped };
  } catch (error) {
    line.end();
    const ended = signal.aborted && pending ? await cancelJob(context, pending.id) : undefined;
    if (pending && ended?.state === "done") count(pending.batch, ended);
    if (written > 0)
      terminal.writeError(
        `torus: ${countOf(written, "point")} ${written === 1 ? "was" : "were"} written to ${bucket}\n`,
      );
    throw error;
  } finally {
    line.end();
  }
}

/** The dropped points of a write job; its result is null if there are none. */
function droppedOf({ result }: Job): number {
  const { dropped = 0 } = (result ?? {}) as { readonly dropped?: number };
  return dropped;
}

/** Note on dropped points; undefined if there are none. */
export function describeDropped({ dropped }: Written): string | undefined {
  return dropped === 0
    ? undefined
    : `dropped ${countOf(dropped, "point")} older than the retention of the bucket`;
}
