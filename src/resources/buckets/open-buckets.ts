// Buckets that are open: each is opened once, and closed when its settings change.
import { openBucket } from "../../buckets/index.ts";
import type { Bucket, OpenContext } from "../../buckets/kind.ts";
import { loadBucket } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import { type BucketCall, meterBucket } from "./metered-bucket.ts";

export class OpenBuckets {
  readonly #byName = new Map<string, Promise<Bucket>>();

  constructor(
    private readonly store: Store,
    private readonly context: OpenContext,
    private readonly onCall?: (call: BucketCall) => void,
  ) {}

  /** The bucket of that name, open. @throws TorusError `not_found` */
  open(name: string): Promise<Bucket> {
    const known = this.#byName.get(name);
    if (known) return known;
    const opening = this.#open(name);
    this.#byName.set(name, opening);
    // A failure is for this caller; the next one tries anew.
    opening.catch(() => {
      if (this.#byName.get(name) === opening) this.#byName.delete(name);
    });
    return opening;
  }

  /** Closes a bucket; the next `open` sees its new settings. */
  async close(name: string): Promise<void> {
    const known = this.#byName.get(name);
    this.#byName.delete(name);
    const bucket = await known?.catch(() => undefined);
    bucket?.close();
  }

  async closeAll(): Promise<void> {
    for (const name of [...this.#byName.keys()]) await this.close(name);
  }

  async #open(name: string): Promise<Bucket> {
    const row = await loadBucket(this.store, name);
    const bucket = openBucket(row.settings, this.context);
    return this.onCall ? meterBucket(bucket, row.kind, this.onCall) : bucket;
  }
}
