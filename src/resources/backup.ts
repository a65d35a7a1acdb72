// Backup: one archive of everything the server keeps, taken while it runs.
import { open, stat } from "node:fs/promises";
import { type BucketSettings, holdBucket } from "../buckets/index.ts";
import type { OpenContext } from "../buckets/kind.ts";
import { TorusError } from "../core/errors.ts";
import type { Snapshot } from "../core/snapshot.ts";
import { TAR_BLOCK, TAR_END, tarHeader, tarPadding } from "../core/tar.ts";
import type { Clock } from "../jobs/clock.ts";
import { listBuckets } from "../store/buckets.ts";
import type { Store } from "../store/open.ts";
import { holdStore } from "../store/snapshot.ts";

const CHUNK_BYTES = 256 * 1024;

export interface BackupDeps {
  readonly store: Store;
  readonly context: OpenContext;
  readonly clock: Pick<Clock, "now">;
}

/** A tar archive on its way. */
export interface Archive {
  /** Bytes of the whole. */
  readonly size: number;
  readonly stream: ReadableStream<Uint8Array>;
}

export interface Backup {
  /**
   * Opens an archive of the data directory: unpacked into an empty one, the server starts with it. The key of the
   * secrets is not in it. One at a time: the archive has to be read to its end, or canceled.
   * @throws TorusError `overloaded` while another one is read, `bucket_unavailable`
   */
  open(): Promise<Archive>;
}

/** Backups of a data directory. */
export function createBackup(deps: BackupDeps): Backup {
  let busy = false;
  return {
    async open() {
      if (busy) throw new TorusError("overloaded", "another backup is being taken: wait until it has ended");
      busy = true;
      const snapshots: Snapshot[] = [];
      const release = () => {
        for (const snapshot of snapshots.splice(0)) snapshot.release();
        busy = false;
      };
      try {
        await holdAll(deps, snapshots);
        const files = await measure(snapshots.flatMap((snapshot) => snapshot.files));
        const size = files.reduce((sum, file) => sum + TAR_BLOCK + file.size + tarPadding(file.size), 0);
        const chunks = pack(files, deps.clock.now());
        return { size: size + TAR_END.length, stream: toStream(chunks, release) };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** The state comes last: it may know less than the points that were written meanwhile, never more. */
async function holdAll({ store, context }: BackupDeps, snapshots: Snapshot[]): Promise<void> {
  for (const { settings } of await listBuckets(store)) {
    const snapshot = holdBucket(settings as BucketSettings, context);
    if (snapshot) snapshots.push(snapshot);
  }
  snapshots.push(holdStore(store));
}

interface File {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

/** What is appended to a log later is left out: the sizes stand in front of the contents. */
async function measure(files: Snapshot["files"]): Promise<File[]> {
  const measured: File[] = [];
  for (const file of files) {
    const found = await stat(file.path).catch(() => undefined);
    if (found) measured.push({ ...file, size: found.size });
  }
  return measured;
}

async function* pack(files: readonly File[], modifiedAt: number): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield tarHeader({ ...file, modifiedAt });
    yield* readExactly(file);
    const padding = tarPadding(file.size);
    // Whoever reads would wait for ever for more after an empty chunk.
    if (padding > 0) yield new Uint8Array(padding);
  }
  yield TAR_END;
}

/** As many bytes as the header says; a file that has become shorter is filled up with zeros, which end its log. */
async function* readExactly({ path, size }: File): AsyncGenerator<Uint8Array> {
  const handle = await open(path, "r");
  try {
    for (let at = 0; at < size; ) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - at));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
      at += chunk.length;
      if (bytesRead < chunk.length && bytesRead > 0) at -= chunk.length - bytesRead;
      yield bytesRead > 0 ? chunk.subarray(0, bytesRead) : chunk;
    }
  } finally {
    await handle.close();
  }
}

/** Reads only as fast as the client does; `release` is called at the end, however it comes. */
function toStream(chunks: AsyncGenerator<Uint8Array>, release: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await chunks.next();
          if (value) controller.enqueue(value);
          if (!done) return;
          release();
          controller.close();
        } catch (error) {
          release();
          controller.error(error);
        }
      },
      async cancel() {
        await chunks.return(undefined);
        release();
      },
    },
    { highWaterMark: 1 },
  );
}
