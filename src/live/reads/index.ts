// Reads of live models: one batcher per bucket combines those that wait at the same time.
import type { Bucket } from "../../buckets/kind.ts";
import type { Grid } from "../../core/series/grid.ts";
import type { OpenBucket } from "../../points/features.ts";
import { abortable } from "../../runtime/abortable.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type PendingRead, ReadBatcher } from "./read-batcher.ts";

interface ReadsDeps {
  readonly openBucket: OpenBucket;
  readonly clock: Clock;
}

/** Opens buckets; each read is answered as if it were alone. */
export class CombinedReads {
  readonly #batchers = new Map<string, ReadBatcher>();

  constructor(private readonly deps: ReadsDeps) {}

  /** @throws TorusError `not_found` */
  async open(name: string): Promise<Bucket> {
    const bucket = await this.deps.openBucket(name);
    const { readGrouped } = bucket;
    return {
      // Of the series of a model alone, so that there is nothing to combine.
      ...(readGrouped && {
        readGrouped: (query, signal) => abortable(readGrouped.call(bucket, query, signal), signal),
      }),
      read: (query, signal) => this.#read(name, { bucket, query, signal }),
      close: () => bucket.close(),
    };
  }

  async #read(name: string, request: Pick<PendingRead, "bucket" | "query" | "signal">): Promise<Grid> {
    const batcher = this.#batchers.get(name) ?? new ReadBatcher(this.deps.clock);
    this.#batchers.set(name, batcher);
    try {
      return await new Promise<Grid>((resolve, reject) => batcher.add({ ...request, resolve, reject }));
    } finally {
      if (batcher.isIdle) this.#batchers.delete(name);
    }
  }
}
