// A bucket's file with its head: points are acknowledged once a journal has them, and become blocks later, a part at a time.
import { TorusError } from "../core/errors.ts";
import type { MetricMetadata } from "../core/series/metric-metadata.ts";
import {
  openReader,
  openWriter,
  readJournalState,
  removeFiles,
  runGuarded,
  runGuardedAsync,
} from "./file.ts";
import { POINT_BYTES, weightOf } from "./head/batch.ts";
import { takePart } from "./head/flush-part.ts";
import { Head, type HeadLimits } from "./head/head.ts";
import { createReadPool } from "./read-pool.ts";
import type { FileSnapshot } from "./scan.ts";
import { storageFull } from "./storage-full.ts";
import { isSamples, type Sent } from "./write/collect.ts";
import type { Target, Unstored } from "./write/target.ts";
import { Writer } from "./write/writer.ts";

const limits = { fields: 2 ** 17, ageMs: 10 * 60_000 };
const HEAD_POINTS = 2_000_000;
/** Longest time that a part of a flush holds the event loop, ms. */
const PART_MS = 10;
/** Time between two attempts of a flush that fails, ms. */
const RETRY_MS = 5000;

export interface BucketFileOptions {
  /** Largest size of the file and its journals in pages of 4 KiB; absent: unlimited. */
  readonly maxPages?: number | undefined;
  /** Points of all files that may wait to become blocks. */
  readonly headPoints?: (() => number) | undefined;
  /** In place of those of `headPoints` and of the built-in ones. */
  readonly headLimits?: HeadLimits | undefined;
}

export interface BucketFile {
  /** Stores points: all, or none when it throws; they are on disk afterwards. @returns numbers of points left out */
  write(sent: Sent, target: Target): Promise<Unstored>;
  /** Keeps what senders say of their metrics, up to a cap. */
  describeMetrics(metrics: readonly MetricMetadata[]): void;
  /** Runs `work` on one snapshot; undefined where there is no file yet. */
  read<T>(work: (file: FileSnapshot | undefined) => Promise<T>): Promise<T>;
  /** Moves all points into blocks. */
  settle(): Promise<void>;
  /** Deletes everything and releases the disk space. */
  clear(): void;
  /** Removes the files, whatever their state, and starts empty. */
  reset(): void;
  close(): void;
}

interface Shared {
  readonly file: OpenFile;
  users: number;
}

/** By path: all openings of a file share its head. */
const openFiles = new Map<string, Shared>();

/** Opens a bucket's file; it is created by the first write. */
export function openBucketFile(path: string, options: BucketFileOptions = {}): BucketFile {
  const shared = openFiles.get(path) ?? { file: new OpenFile(path, options), users: 0 };
  openFiles.set(path, shared);
  shared.users++;
  let isClosed = false;
  const { file } = shared;
  return {
    write: (sent, target) => runGuardedAsync(() => file.write(sent, target)),
    describeMetrics: (metrics) => runGuarded(() => file.describeMetrics(metrics)),
    read: (work) => runGuardedAsync(() => file.read(work)),
    settle: () => runGuardedAsync(() => file.settle()),
    clear: () => runGuarded(() => file.clear()),
    reset: () => runGuarded(() => file.reset()),
    close() {
      if (isClosed) return;
      isClosed = true;
      shared.users--;
      if (shared.users > 0) return;
      openFiles.delete(path);
      file.close();
    },
  };
}

class OpenFile {
  readonly #pool;
  #writer: Writer | undefined;
  #head: Head | undefined;
  #flushing: Promise<void> | undefined;
  /** The last flush, where it has failed. */
  #failure: { readonly error: unknown; readonly at: number } | undefined;
  #fileId = 0;
  #isClosed = false;
  /** Whether a flush has left out fields, whose points had expired. */
  #hasEmptyFields = false;
  /** Points before this instant (ms) have expired, as the last write said. */
  #cutoffAt = -Infinity;

  constructor(
    private readonly path: string,
    private readonly options: BucketFileOptions,
  ) {
    this.#pool = createReadPool(path);
  }

  get #limits(): HeadLimits {
    const { headPoints, headLimits } = this.options;
    return headLimits ?? { ...limits, points: headPoints?.() ?? HEAD_POINTS };
  }

  async write(sent: Sent, target: Target): Promise<Unstored> {
    if ((isSamples(sent) ? sent.times : sent).length === 0) return { expired: 0, refused: 0 };
    await this.#makeRoom();
    const [head, writer] = [this.#openHead(), this.#openWriter()];
    this.#cutoffAt = target.cutoffAt;
    const collected = writer.collect(sent, target, () => head.fieldIds());
    if (collected.points.length === 0) return collected;
    this.#requireSpace(weightOf(collected.points));
    const now = performance.now();
    const sync = head.append(collected.points, { fileId: this.#fileId, now });
    if (!head.frozen && (head.isFull(this.#limits) || head.isOld(this.#limits, now))) head.freeze();
    this.#flushBeside(now);
    await sync();
    return collected;
  }

  /** Waits for a flush where the head is full. @throws TorusError as of the flush; `bucket_damaged` of the last one */
  async #makeRoom(): Promise<void> {
    const head = this.#openHead();
    if (head.frozen && head.isFull(this.#limits)) await this.#flush();
    const error = this.#failure?.error;
    if (error instanceof TorusError && error.code === "bucket_damaged") throw error;
  }

  /** Flushes while others go on. A failed flush is tried again after a while: the journal has the points. */
  #flushBeside(now: number): void {
    const isDue = now - (this.#failure?.at ?? -Infinity) >= RETRY_MS;
    if (this.#head?.frozen && !this.#flushing && isDue) this.#flush().catch(() => {});
  }

  #requireSpace(weight: number): void {
    const { maxPages } = this.options;
    if (maxPages === undefined) return;
    const row = this.#writer!.db.query<{ page_count: number }, []>("PRAGMA page_count").get()!;
    if (row.page_count * 4096 + this.#openHead().size + weight * POINT_BYTES > maxPages * 4096)
      throw storageFull();
  }

  describeMetrics(metrics: readonly MetricMetadata[]): void {
    this.#openWriter().describeMetrics(metrics);
  }

  async read<T>(work: (file: FileSnapshot | undefined) => Promise<T>): Promise<T> {
    const head = this.#openHead();
    return this.#pool.use((db) => work(db && { db, head: head.view() }));
  }

  async settle(): Promise<void> {
    const head = this.#openHead();
    // A write meanwhile may have frozen another generation.
    while (head.frozen) await this.#flush();
    head.freeze();
    await this.#flush();
  }

  clear(): void {
    const [head, writer] = [this.#openHead(), this.#openWriter()];
    writer.clear(head.nextNumber);
    head.clear();
    this.#failure = undefined;
    // On a full disk it fails: by then all is deleted.
    writer.shrink();
  }

  reset(): void {
    this.#failure = undefined;
    this.#pool.drop();
    this.#head?.clear();
    this.#head = undefined;
    this.#writer?.close();
    this.#writer = undefined;
    removeFiles(this.path);
    this.#openWriter();
  }

  close(): void {
    this.#isClosed = true;
    try {
      this.#flushAll();
    } catch {
      // The journals stay: the next opening takes them over.
    } finally {
      this.#head?.close();
      this.#pool.close();
      this.#writer?.close();
      this.#writer = undefined;
    }
  }

  /** @throws TorusError `bucket_unavailable` once it is closed: a write may have waited for room meanwhile */
  #openHead(): Head {
    if (this.#isClosed) throw new TorusError("bucket_unavailable", "the bucket was closed; try again");
    if (this.#head) return this.#head;
    const reader = openReader(this.path);
    try {
      const state = reader && readJournalState(reader);
      this.#fileId = state?.file_id ?? 0;
      this.#head = new Head(this.path, state);
      return this.#head;
    } finally {
      reader?.close();
    }
  }

  #openWriter(): Writer {
    if (this.#writer) return this.#writer;
    const db = openWriter(this.path, this.options.maxPages);
    try {
      this.#fileId = readJournalState(db)!.file_id;
      this.#writer = new Writer(db);
      return this.#writer;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Moves the frozen generation into blocks, a part at a time. One at a time: calls meanwhile join. */
  #flush(): Promise<void> {
    this.#flushing ??= this.#flushParts().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #flushParts(): Promise<void> {
    const frozen = this.#head?.frozen;
    try {
      // The first part would keep its points of a write that a power loss cuts off the journal.
      for (const journal of frozen?.journals ?? []) await journal.sync().catch(() => {});
      // A clear or the end of the process drops it.
      while (frozen && this.#head?.frozen === frozen && !this.#flushPart(PART_MS))
        await new Promise<void>((resolve) => setImmediate(resolve));
      this.#failure = undefined;
    } catch (error) {
      this.#failure = { error, at: performance.now() };
      throw error;
    }
  }

  #flushAll(): void {
    const head = this.#head;
    if (!head) return;
    if (head.frozen) this.#flushPart(Infinity);
    head.freeze();
    if (head.frozen) this.#flushPart(Infinity);
  }

  /** @returns whether the frozen generation is in blocks, and dropped */
  #flushPart(ms: number): boolean {
    return runGuarded(() => {
      const [head, writer] = [this.#head!, this.#openWriter()];
      const { generation, replayFrom } = head.frozen!;
      const part = takePart(generation, this.#cutoffAt, ms);
      let isLast = false;
      writer.store(part.fields(), () => {
        isLast = part.end() === generation.fieldIds.length;
        if (isLast) writer.db.run("UPDATE head SET replay_from = ?1", [replayFrom]);
      });
      generation.flushed = part.end();
      generation.rest = part.rest();
      this.#hasEmptyFields ||= part.hasExpired();
      if (!isLast) return false;
      head.drop();
      if (this.#hasEmptyFields) writer.removeExpired(this.#cutoffAt, head.fieldIds());
      this.#hasEmptyFields = false;
      return true;
    });
  }
}
