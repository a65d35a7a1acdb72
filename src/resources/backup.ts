// Backup: one archive of everything the server keeps, taken while it runs.
import { fstatSync, read } from "node:fs";
import { promisify } from "node:util";
import { holdBucket } from "../buckets/index.ts";
import type { OpenContext } from "../buckets/kind.ts";
import { TorusError } from "../core/errors.ts";
import type { Snapshot, SnapshotFile } from "../core/formats/snapshot.ts";
import { TAR_BLOCK, TAR_END, tarHeader, tarPadding } from "../core/formats/tar.ts";
import type { Clock } from "../runtime/clock.ts";
import { listBuckets } from "../store/buckets.ts";
import type { Store } from "../store/db/open.ts";
import { holdStore } from "../store/db/snapshot.ts";

const CHUNK_BYTES = 256 * 1024;

export interface BackupDeps {
  readonly store: Store;
  readonly context: OpenContext;
  readonly clock: Pick<Clock, "now">;
  /** An archive that was cut short, or a database that could not be brought back to its usual state afterwards. */
  readonly onError: (what: string, error: unknown) => void;
}

/** A tar archive, read as fast as the client takes it. */
export interface Archive {
  /** Bytes of the whole. */
  readonly size: number;
  readonly stream: ReadableStream<Uint8Array>;
}

export interface Backup {
  /**
   * Opens an archive of the data directory: unpacked into an empty one, the server starts with it. The key of the
   * secrets is not in it. It holds every write acknowledged before, and needs no space on the disk. One at a time: the
   * archive has to be read to its end, or canceled.
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
        for (const snapshot of snapshots.splice(0)) releaseSafely(snapshot, deps);
        busy = false;
      };
      try {
        await holdAll(deps, snapshots);
        const files = snapshots.flatMap((snapshot) => snapshot.files).map(measure);
        const size = files.reduce((sum, file) => sum + TAR_BLOCK + file.size + tarPadding(file.size), 0);
        const chunks = pack(files, deps.clock.now());
        return { size: size + TAR_END.length, stream: toStream(chunks, { ...deps, release }) };
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
    const snapshot = holdBucket(settings, context);
    if (!snapshot) continue;
    snapshots.push(snapshot);
    // Emptying a log waits for the disk; requests are answered in between.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  snapshots.push(holdStore(store));
}

/** The archive is whole by then: on a full disk the log stays long, and that is all. */
function releaseSafely(snapshot: Snapshot, { onError }: Pick<BackupDeps, "onError">): void {
  try {
    snapshot.release();
  } catch (error) {
    onError("log not emptied after a backup", error);
  }
}

interface MeasuredFile extends SnapshotFile {
  readonly size: number;
}

/** What is appended to a log later is left out: the sizes stand in front of the contents. */
function measure(file: SnapshotFile): MeasuredFile {
  return { ...file, size: fstatSync(file.descriptor).size };
}

async function* pack(files: readonly MeasuredFile[], modifiedAt: number): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield tarHeader({ ...file, modifiedAt });
    yield* readExactly(file);
    const padding = tarPadding(file.size);
    // The reader of the stream would wait for ever for more after an empty chunk.
    if (padding > 0) yield new Uint8Array(padding);
  }
  yield TAR_END;
}

const readChunk = promisify(read);

/** As many bytes as the header says; a file that has become shorter is filled up with zeros, which end its log. */
async function* readExactly({ descriptor, size }: MeasuredFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await readChunk(descriptor, chunk, 0, chunk.length, at);
    const bytes = bytesRead > 0 ? chunk.subarray(0, bytesRead) : chunk;
    at += bytes.length;
    yield bytes;
  }
}

/** Reads only as fast as the client does; `release` is called at the end, however it comes. */
function toStream(
  chunks: AsyncGenerator<Uint8Array>,
  { release, onError }: Pick<BackupDeps, "onError"> & { readonly release: () => void },
): ReadableStream<Uint8Array> {
  let canceled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await chunks.next();
          if (canceled) return;
          if (value) controller.enqueue(value);
          if (!done) return;
          release();
          controller.close();
        } catch (error) {
          if (canceled) return;
          onError("backup cut short", error);
          release();
          controller.error(error);
        }
      },
      async cancel() {
        canceled = true;
        await chunks.return(undefined);
        release();
      },
    },
    { highWaterMark: 1 },
  );
}
