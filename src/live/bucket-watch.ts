// Watches live reads: reports a bucket as failing at the first failed model, as back when no model fails.
import type { Bucket } from "../buckets/kind.ts";
import { describeError } from "../core/errors.ts";
import type { OpenBucket } from "../points/features.ts";
import type { Clock } from "../runtime/clock.ts";
import type { SourceWatch } from "./source-watch.ts";

export type BucketChange =
  | {
      readonly state: "failing";
      readonly bucket: string;
      /** The first that could not read the bucket. */
      readonly model: string;
      readonly code: string;
      readonly reason: string;
    }
  | { readonly state: "back"; readonly bucket: string; readonly durationMs: number };

interface BucketWatchDeps {
  readonly clock: Pick<Clock, "now">;
  readonly onChange: (change: BucketChange) => void;
  /** Gets every read. */
  readonly sources: Pick<SourceWatch, "onSuccess" | "onFailure">;
}

interface Failing {
  readonly sinceAt: number;
  /** Models whose last read failed: one that always fails does not make the bucket flap. */
  readonly models: Set<string>;
}

export class BucketWatch {
  readonly #failing = new Map<string, Failing>();

  constructor(private readonly deps: BucketWatchDeps) {}

  /** @returns `open`, with buckets whose reads are watched for this model */
  of(model: string, open: OpenBucket): (name: string) => Promise<Bucket> {
    return async (name) => {
      const bucket = await open(name).catch((error) => {
        this.#onFailure(name, model, error);
        throw error;
      });
      const watch = async <T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> => {
        try {
          const found = await read();
          this.#onSuccess(name, model);
          return found;
        } catch (error) {
          this.#onFailure(name, model, signal.aborted ? signal.reason : error);
          throw error;
        }
      };
      const { readGrouped } = bucket;
      return {
        read: (query, signal) => watch(signal, () => bucket.read(query, signal)),
        ...(readGrouped && {
          readGrouped: (query, signal) => watch(signal, () => readGrouped.call(bucket, query, signal)),
        }),
        close: () => bucket.close(),
      };
    };
  }

  /** The model reads only these buckets from now on. A bucket that no model reads is not reported as back. */
  keep(model: string, buckets: readonly string[] = []): void {
    for (const [name, { models }] of this.#failing)
      if (!buckets.includes(name) && models.delete(model) && models.size === 0) this.#failing.delete(name);
  }

  #onFailure(bucket: string, model: string, error: unknown): void {
    const { code, message: reason } = describeError(error);
    if (code === "canceled") return;
    this.deps.sources.onFailure(bucket, model, { code, reason });
    const known = this.#failing.get(bucket);
    if (known) known.models.add(model);
    else {
      this.#failing.set(bucket, { sinceAt: this.deps.clock.now(), models: new Set([model]) });
      this.deps.onChange({ state: "failing", bucket, model, code, reason });
    }
  }

  #onSuccess(bucket: string, model: string): void {
    this.deps.sources.onSuccess(bucket);
    const known = this.#failing.get(bucket);
    if (!known?.models.delete(model) || known.models.size > 0) return;
    this.#failing.delete(bucket);
    const durationMs = Math.max(0, this.deps.clock.now() - known.sinceAt);
    this.deps.onChange({ state: "back", bucket, durationMs });
  }
}
