// Backup: one tar archive of the data directory, streamed while the server runs.
import { fstatSync, read } from "node:fs";
import { promisify } from "node:util";
import { takeBucketSnapshot } from "../../buckets/index.ts";
import type { OpenContext } from "../../buckets/kind.ts";
import { takeBinSnapshot } from "../../buckets/stored/index.ts";
import { TorusError } from "../../core/errors.ts";
import type { Snapshot, SnapshotFile } from "../../core/formats/snapshot.ts";
import { TAR_BLOCK, TAR_END, tarHeader, tarPadding } from "../../core/formats/tar.ts";
import type { Clock } from "../../runtime/clock.ts";
import { listBinnedFiles } from "../../store/bin/entries.ts";
import { listBuckets } from "../../store/buckets.ts";
import type { SqliteStore, Store } from "../../store/db/open.ts";
import { holdStore } from "../../store/db/snapshot.ts";

const CHUNK_BYTES = 256 * 1024;

interface BackupDeps {
  readonly store: Store;
  readonly context: OpenContext;
  readonly clock: Pick<Clock, "now">;
  /** Called for an interrupted archive, or a log that could not be emptied afterwards. */
  readonly onError: (what: string, error: unknown) => void;
}

/** A tar archive, read on demand. */
interface Archive {
  /** Total bytes. */
  readonly size: number;
  readonly stream: ReadableStream<Uint8Array>;
}

export interface Backup {
  /**
   * Opens an archive of the data directory, with every write acknowledged before; a server starts from it once unpacked.
   * The key of the secrets is not included. The stream must be read to its end or canceled.
   * @throws TorusError `overloaded` while another archive is open, `not_supported` where the state is in PostgreSQL,
   * `bucket_unavailable`
   */
  open(): Promise<Archive>;
}

export function createBackup(deps: BackupDeps): Backup {
  let busy = false;
  return {
    async open() {
      if (!isFile(deps.store)) throw inDatabase(deps.context.dataDir);
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

/** Whether the state is in the data directory. */
function isFile(store: Store): store is SqliteStore {
  return "sqlite" in store;
}

function inDatabase(dataDir: string): TorusError {
  const way = `back it up with pg_dump; points of local buckets are in ${dataDir}/buckets`;
  return new TorusError("not_supported", `the state is in the PostgreSQL of storage.url: ${way}`);
}

/** Takes snapshots of the buckets, deleted ones too, then of the state, then of buckets that got their first points meanwhile. */
async function holdAll({ store, context }: BackupDeps, snapshots: Snapshot[]): Promise<void> {
  const held = new Set<string>();
  const holdBuckets = async () => {
    for (const { name, settings } of await listBuckets(store)) {
      const snapshot = held.has(name) ? undefined : takeBucketSnapshot(settings, context);
      if (!snapshot) continue;
      held.add(name);
      snapshots.push(snapshot);
      // Emptying a log blocks on the disk: yields to the event loop in between.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  await holdBuckets();
  for (const { id } of await listBinnedFiles(store)) {
    const snapshot = takeBinSnapshot(id, context);
    if (snapshot) snapshots.push(snapshot);
  }
  if (isFile(store)) snapshots.push(holdStore(store));
  // The state says which buckets have points: a file that it names must not be missing.
  await holdBuckets();
}

/** An error is only reported: the archive is complete by then. */
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

/** Fixes the size, which precedes the content in the archive: later appends are left out. */
function measure(file: SnapshotFile): MeasuredFile {
  return { ...file, size: file.size ?? fstatSync(file.descriptor).size };
}

async function* pack(files: readonly MeasuredFile[], modifiedAt: number): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield tarHeader({ ...file, modifiedAt });
    yield* readExactly(file);
    const padding = tarPadding(file.size);
    // After an empty chunk the reader of the stream would wait forever.
    if (padding > 0) yield new Uint8Array(padding);
  }
  yield TAR_END;
}

const readChunk = promisify(read);

/** Reads exactly `size` bytes; a file that has become shorter is padded with zeros, which end its log. */
async function* readExactly({ descriptor, size }: MeasuredFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await readChunk(descriptor, chunk, 0, chunk.length, at);
    const bytes = bytesRead > 0 ? chunk.subarray(0, bytesRead) : chunk;
    at += bytes.length;
    yield bytes;
  }
}

/** Reads on demand; calls `release` at the end, on error and on cancel. */
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
