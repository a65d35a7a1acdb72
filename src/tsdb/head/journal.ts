// Journal: an append-only file of the points that are not in blocks yet. A write is acknowledged once its record is on disk.
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { TorusError } from "../../core/errors.ts";
import { storageFull } from "../storage-full.ts";
import type { PointColumns } from "./batch.ts";
import { decodeRecord, encodeRecord, wasOnDisk } from "./record.ts";

const MAGIC = 0x4a555254;
/** Magic number, 0, and the id of the bucket's file as float64. */
const FILE_HEADER_BYTES = 16;
const FILE_MODE = 0o600;

/** A journal beside the file of a bucket. */
export interface JournalName {
  readonly path: string;
  /** Journals of a file are numbered in the order of their points. */
  readonly number: number;
}

/** The journals beside a bucket's file, by number. */
export function listJournals(path: string): JournalName[] {
  const prefix = `${basename(path)}-head-`;
  const folder = dirname(path);
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch {
    return [];
  }
  return files
    .filter((file) => file.startsWith(prefix))
    .map((file) => ({ path: join(folder, file), number: Number(file.slice(prefix.length)) }))
    .sort((a, b) => a.number - b.number);
}

/** Removes all journals beside a bucket's file. */
export function removeJournals(path: string): void {
  for (const journal of listJournals(path)) rmSync(journal.path, { force: true });
}

/**
 * The records of a journal, in order. The last one is left out where a crash has cut it off.
 * @param fileId of the bucket's file: a journal of another file has no records for it
 * @throws TorusError `bucket_damaged`
 */
export function* readJournal(path: string, fileId: number): Generator<PointColumns> {
  // A copy: its buffer begins at a multiple of 8.
  const bytes = new Uint8Array(readFileSync(path));
  if (!isHeaderOf(bytes, fileId)) return;
  for (let at = FILE_HEADER_BYTES; at < bytes.length; ) {
    const found = decodeRecord(bytes, at);
    if (!found) {
      if (wasOnDisk(bytes, at)) throw damagedAt(path, at);
      return;
    }
    yield found.points;
    at = found.endAt;
  }
}

function isHeaderOf(bytes: Uint8Array<ArrayBuffer>, fileId: number): boolean {
  if (bytes.length < FILE_HEADER_BYTES) return false;
  return (
    new Uint32Array(bytes.buffer, 0, 1)[0] === MAGIC && new Float64Array(bytes.buffer, 8, 1)[0] === fileId
  );
}

function damagedAt(path: string, at: number): TorusError {
  return new TorusError("bucket_damaged", `the journal of points ${basename(path)} is damaged at byte ${at}`);
}

function makeHeader(fileId: number): Uint8Array {
  const bytes = new Uint8Array(FILE_HEADER_BYTES);
  new Uint32Array(bytes.buffer, 0, 1)[0] = MAGIC;
  new Float64Array(bytes.buffer, 8, 1)[0] = fileId;
  return bytes;
}

/** A journal that is written to. */
export class Journal {
  readonly #descriptor: number;
  /** Bytes of whole records, and of those that are known to be on disk. */
  #size = FILE_HEADER_BYTES;
  #syncedTo = 0;
  /** Ends when the records up to its start are on disk. */
  #syncing: Promise<void> | undefined;
  #isBroken = false;
  #isClosed = false;
  #isRemoved = false;

  /** Creates a journal; its place in the folder is on disk afterwards. @throws TorusError `storage_full`, `bucket_unavailable` */
  constructor(
    readonly path: string,
    fileId: number,
  ) {
    this.#descriptor = guard(() => openSync(path, "wx", FILE_MODE));
    try {
      guard(() => writeAll(this.#descriptor, makeHeader(fileId), 0));
      guard(() => syncFolder(dirname(path)));
    } catch (error) {
      closeSync(this.#descriptor);
      rmSync(path, { force: true });
      throw error;
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Appends a record; it is on disk after the next `sync`. All or nothing. @throws TorusError `storage_full`, `bucket_unavailable` */
  append(points: PointColumns): void {
    if (this.#isBroken) throw unusable("EIO");
    const record = encodeRecord(points, this.#syncedTo);
    try {
      guard(() => writeAll(this.#descriptor, record, this.#size));
    } catch (error) {
      this.#cutBack();
      throw error;
    }
    this.#size += record.length;
  }

  /** What a failed write has left would hide the records behind it. */
  #cutBack(): void {
    try {
      ftruncateSync(this.#descriptor, this.#size);
    } catch {
      this.#isBroken = true;
    }
  }

  /** Waits until all records so far are on disk; calls that wait at the same time share an fsync. @throws TorusError `bucket_unavailable` */
  async sync(): Promise<void> {
    const upTo = this.#size;
    while (this.#syncedTo < upTo) {
      if (this.#isBroken) throw unusable("EIO");
      this.#syncing ??= this.#syncNow();
      await this.#syncing;
    }
  }

  async #syncNow(): Promise<void> {
    const upTo = this.#size;
    try {
      await new Promise<void>((resolve, reject) =>
        fdatasync(this.#descriptor, (error) => (error ? reject(error) : resolve())),
      );
      // A close meanwhile may have said that all is on disk.
      this.#syncedTo = Math.max(this.#syncedTo, upTo);
    } catch (error) {
      // The system may have dropped what it could not write: nothing behind it can be trusted.
      this.#isBroken = true;
      throw toTorusError(error);
    } finally {
      this.#syncing = undefined;
      if (this.#isClosed) this.#release();
    }
  }

  /** Closes the file, and removes it where its points are in blocks. */
  close({ remove }: { readonly remove: boolean }): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isRemoved = remove;
    // Whoever still waits: the points are on disk, as blocks.
    if (!remove && this.#syncedTo < this.#size && !this.#isBroken)
      guard(() => fdatasyncSync(this.#descriptor));
    this.#syncedTo = this.#size;
    if (!this.#syncing) this.#release();
  }

  /** Some systems remove no file that is open. */
  #release(): void {
    closeSync(this.#descriptor);
    if (this.#isRemoved) rmSync(this.path, { force: true });
  }
}

function writeAll(descriptor: number, bytes: Uint8Array, at: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, at + written);
}

/** Codes of systems on which a folder cannot be opened: their file systems keep it themselves. */
const noFolders: ReadonlySet<unknown> = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL"]);

function syncFolder(folder: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(folder, "r");
  } catch (error) {
    if (noFolders.has((error as { code?: string }).code)) return;
    throw error;
  }
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toTorusError(error);
  }
}

function toTorusError(error: unknown): TorusError {
  const { code = "EIO" } = error as { code?: string };
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") return storageFull();
  return unusable(code);
}

function unusable(code: string): TorusError {
  return new TorusError("bucket_unavailable", `the bucket's journal cannot be used (${code}); try again`);
}
