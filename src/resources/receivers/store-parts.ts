// Storage of pushed points in parts of bounded size: each part holds the event loop some 20 ms, others run in between.
import { type Bucket, PartialWriteError, type WriteOptions } from "../../buckets/kind.ts";
import type { PartSize } from "../../buckets/line-protocol/index.ts";
import { TorusError } from "../../core/errors.ts";
import type { Point } from "../../core/series/query.ts";
import type { SampleBatch } from "../../core/series/samples.ts";
import { WorkBudget } from "../../runtime/work-budget.ts";

/** Refusals of a bucket that are kept as messages. */
const MAX_MESSAGES = 10;
/** Bounds of a part, in values. */
const [MIN_VALUES, MAX_VALUES] = [250, 10_000];
const MAX_CHARACTERS = 512 * 1024;
/** Longest time that a part should hold the event loop. */
const PART_MS = 20;

/** A part of what was pushed: points by measurement. */
export interface PointPart {
  readonly points: ReadonlyMap<string, readonly Point[]>;
}

/** A part of what was pushed: samples of series. */
export interface SamplePart {
  readonly samples: SampleBatch;
}

export type Part = PointPart | SamplePart;

/** @param sizeNext called before each part @returns parts; undefined where it is time for a pause without one */
export type ReadParts<P extends Part> = (sizeNext: () => PartSize) => Iterable<P | undefined>;

export interface StoreOptions<P> {
  /** As of `WriteOptions`. */
  readonly maxSeries?: number;
  readonly onPart?: (part: P) => void;
  /** Of the whole push: its signal ends it. */
  readonly work?: Pick<WorkBudget<never>, "pace" | "signal">;
}

/** Numbers of points. */
export interface Stored {
  readonly stored: number;
  /** Beyond the retention of the bucket. */
  readonly expired: number;
  /** Of new series beyond `maxSeries`. */
  readonly excess: number;
  /** Refused by the bucket. */
  readonly rejected: number;
  /** Messages of the bucket about refused points. */
  readonly messages: readonly string[];
}

/**
 * Stores part after part; a permanent refusal of some points does not keep the others out.
 * @throws TorusError `bucket_*`, `storage_full`: what was stored before stays; the push may be repeated
 */
export async function storeParts<P extends Part>(
  bucket: Bucket,
  readParts: ReadParts<P>,
  { maxSeries = Infinity, onPart, work = new WorkBudget({}) }: StoreOptions<P> = {},
): Promise<Stored> {
  const sizer = sizerOf(bucket);
  const storage = new PartStorage({ bucket, maxSeries, sizer, signal: work.signal });
  for (const part of readParts(sizer.next)) {
    if (part !== undefined) {
      await storage.store(part);
      onPart?.(part);
      sizer.adapt();
    }
    await work.pace();
  }
  return { ...storage.counts, messages: storage.messages };
}

interface StorageOptions {
  readonly bucket: Bucket;
  readonly maxSeries: number;
  readonly sizer: Sizer;
  readonly signal: AbortSignal;
}

/** Writes parts to a bucket, and counts what becomes of their points. */
class PartStorage {
  readonly counts = { stored: 0, expired: 0, excess: 0, rejected: 0 };
  readonly messages: string[] = [];

  constructor(private readonly options: StorageOptions) {}

  async store(part: Part): Promise<void> {
    const { bucket, signal } = this.options;
    if ("samples" in part) {
      const { samples } = part;
      await this.#write(samples.times.length, (options) => bucket.writeSamples!(samples, options, signal));
      return;
    }
    for (const [measurement, points] of part.points)
      await this.#write(points.length, (options) =>
        bucket.write!(points, { measurement, ...options }, signal),
      );
  }

  async #write(points: number, start: (options: WriteOptions) => Promise<void>): Promise<void> {
    const { maxSeries, sizer } = this.options;
    let dropped = 0;
    const count = (name: "expired" | "excess") => (points: number) => {
      this.counts[name] += points;
      dropped += points;
    };
    try {
      const writing = start({ maxSeries, onExpired: count("expired"), onExcess: count("excess") });
      sizer.pause();
      await writing;
      sizer.resume();
      this.counts.stored += Math.max(0, points - dropped);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.counts.rejected += points;
      if (this.messages.length < MAX_MESSAGES) this.messages.push(error.message);
    }
  }
}

/** A permanent refusal of a measurement's points; other measurements are still written. */
function isRefusal(error: unknown): error is TorusError {
  return error instanceof PartialWriteError || (error instanceof TorusError && error.code === "invalid");
}

/** Of each bucket: known series and fields cost much less than new ones, and most pushes have them. */
const sizers = new WeakMap<Bucket, Sizer>();

function sizerOf(bucket: Bucket): Sizer {
  const known = sizers.get(bucket) ?? new Sizer();
  sizers.set(bucket, known);
  return known;
}

/** Adapts the size of a part to the time it holds the event loop; waiting for the disk does not count. */
class Sizer {
  #values = 1000;
  #startedAt = 0;
  #heldMs = 0;

  /** Size of the part that begins now. */
  next = (): PartSize => {
    this.#heldMs = 0;
    this.resume();
    return { values: this.#values, characters: MAX_CHARACTERS };
  };

  /** The part begins to wait. */
  pause(): void {
    this.#heldMs += performance.now() - this.#startedAt;
  }

  /** The part goes on. */
  resume(): void {
    this.#startedAt = performance.now();
  }

  adapt(): void {
    if (this.#heldMs > PART_MS) this.#values = Math.max(MIN_VALUES, Math.floor(this.#values / 2));
    else if (this.#heldMs < PART_MS / 2) this.#values = Math.min(MAX_VALUES, this.#values * 2);
  }
}
