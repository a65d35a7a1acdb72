// File of a bucket under guard: damage is noted and named, and a file that is gone is not replaced by an empty one.
import { TorusError, throwIfAborted } from "../../core/errors.ts";
import {
  type FileSnapshot,
  forgetDamage,
  isGone,
  noteDamage,
  openBucketFile,
  pathOf,
} from "../../tsdb/index.ts";
import type { OpenContext } from "../kind.ts";

const GONE = "the file of its points is gone or empty";

/** As answers and readiness say it. */
export function describeDamage({
  bucket,
  reason,
}: {
  readonly bucket: string;
  readonly reason: string;
}): string {
  return `bucket ${bucket}: ${reason}; restore the file from a backup (torus check names all damage), or start empty with torus clear-bucket ${bucket}`;
}

/** Notes a bucket that has had points, and whose file is gone. */
export function noteGone(name: string, dataDir: string): void {
  noteDamage(pathOf(name, dataDir), { bucket: name, reason: GONE, isGone: true });
}

export interface FileOptions extends Pick<OpenContext, "dataDir" | "history" | "headPoints"> {
  /** Largest size of the file in pages of 4 KiB; absent: unlimited. */
  readonly maxPages?: number;
}

type BucketFile = ReturnType<typeof openBucketFile>;

/**
 * All methods throw what their work throws, TorusError `bucket_damaged` for damage, `bucket_unavailable` after `close`,
 * and the reason of an aborted signal.
 */
export class GuardedFile {
  readonly #name: string;
  readonly #path: string;
  readonly #file: BucketFile;
  readonly #history: FileOptions["history"];
  #hasPoints: boolean;
  #isClosed = false;

  constructor(name: string, { dataDir, history, headPoints, maxPages }: FileOptions) {
    this.#name = name;
    this.#path = pathOf(name, dataDir);
    this.#file = openBucketFile(this.#path, { maxPages, headPoints });
    this.#history = history;
    this.#hasPoints = history?.hasPoints ?? false;
  }

  /** @param work gets undefined where nothing was written yet */
  async read<T>(work: (file: FileSnapshot | undefined) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#run(() => this.#file.read(work), signal);
  }

  /** As `read`, where all points are in blocks. */
  async readBlocks<T>(work: (file: FileSnapshot | undefined) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#run(async () => {
      await this.#file.settle();
      return this.#file.read(work);
    }, signal);
  }

  /** The first write creates the file. */
  async write<T>(work: (file: BucketFile) => T | Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#run(async () => {
      const result = await work(this.#file);
      if (!this.#hasPoints) await this.#keepHistory();
      return result;
    }, signal);
  }

  /** Starts empty. A file that is gone or damaged is replaced. */
  clear(signal: AbortSignal): void {
    this.#begin(signal);
    try {
      this.#requireFile();
      this.#file.clear();
      forgetDamage(this.#path);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#file.reset();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#file.close();
  }

  async #run<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
    this.#begin(signal);
    try {
      this.#requireFile();
      return await work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      const damage = { bucket: this.#name, reason: error.message, isGone: error.message === GONE };
      noteDamage(this.#path, damage);
      throw new TorusError("bucket_damaged", describeDamage(damage));
    }
  }

  #begin(signal: AbortSignal): void {
    throwIfAborted(signal);
    if (this.#isClosed) throw new TorusError("bucket_unavailable", "the bucket was closed; try again");
  }

  /** A new file in place of one that is gone would hide that its points are lost. */
  #requireFile(): void {
    if (this.#hasPoints && isGone(this.#path)) throw new TorusError("bucket_damaged", GONE);
  }

  /** A write of no points creates no file. */
  async #keepHistory(): Promise<void> {
    if (this.#history === undefined || isGone(this.#path)) return;
    await this.#history.keep();
    this.#hasPoints = true;
  }
}

function isDamage(error: unknown): error is TorusError {
  return error instanceof TorusError && error.code === "bucket_damaged";
}
