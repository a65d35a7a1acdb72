// Reads of live models: of each bucket one line, in which those that wait at the same moment are combined.
import type { Bucket } from "../../buckets/kind.ts";
import type { Grid } from "../../core/series/grid.ts";
import type { OpenBucket } from "../../jobs/handlers/features.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type PendingRead, ReadBatcher } from "./read-batcher.ts";

export interface ReadsDeps {
  readonly openBucket: OpenBucket;
  readonly clock: Clock;
}

/** Opens buckets to read from; what each reader gets is what it would get alone. */
export class CombinedReads {
  readonly #lines = new Map<string, ReadBatcher>();

  constructor(private readonly deps: ReadsDeps) {}

  /** @throws TorusError `not_found` */
  async open(name: string): Promise<Bucket> {
    const bucket = await this.deps.openBucket(name);
    return {
      read: (query, signal) => this.#read(name, { bucket, query, signal }),
      close: () => bucket.close(),
    };
  }

  async #read(name: string, wanted: Pick<PendingRead, "bucket" | "query" | "signal">): Promise<Grid> {
    const line = this.#lines.get(name) ?? new ReadBatcher(this.deps.clock);
    this.#lines.set(name, line);
    try {
      return await new Promise<Grid>((resolve, reject) => line.add({ ...wanted, resolve, reject }));
    } finally {
      if (line.isIdle) this.#lines.delete(name);
    }
  }
}
