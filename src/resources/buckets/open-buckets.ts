// Cache of open buckets: each is opened once, and closed when its settings change.
import { kindsWithFiles, openBucket } from "../../buckets/index.ts";
import type { Bucket, OpenContext } from "../../buckets/kind.ts";
import { type BucketRow, hasHadPoints, keepPoints, loadBucket } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import { type BucketCall, meterBucket } from "./metered-bucket.ts";

interface OpenBucketDeps {
  readonly store: Store;
  readonly context: OpenContext;
  readonly onCall?: (call: BucketCall) => void;
}

export class OpenBuckets {
  readonly #byName = new Map<string, Promise<Bucket>>();

  constructor(private readonly deps: OpenBucketDeps) {}

  /** The open bucket of that name. @throws TorusError `not_found` */
  open(name: string): Promise<Bucket> {
    const known = this.#byName.get(name);
    if (known) return known;
    const opening = this.#open(name);
    this.#byName.set(name, opening);
    // A failed attempt is not cached.
    opening.catch(() => {
      if (this.#byName.get(name) === opening) this.#byName.delete(name);
    });
    return opening;
  }

  /** Closes a bucket; the next `open` uses its current settings. */
  async close(name: string): Promise<void> {
    const known = this.#byName.get(name);
    this.#byName.delete(name);
    const bucket = await known?.catch(() => undefined);
    bucket?.close();
  }

  async closeAll(): Promise<void> {
    for (const name of [...this.#byName.keys()]) await this.close(name);
  }

  /** Of a bucket whose points are in files of the data directory. */
  async #historyOf({ name, kind }: BucketRow): Promise<Pick<OpenContext, "history">> {
    if (!kindsWithFiles.includes(kind)) return {};
    const { store } = this.deps;
    const keep = async () => void (await keepPoints(store, name));
    return { history: { hasPoints: await hasHadPoints(store, name), keep } };
  }

  async #open(name: string): Promise<Bucket> {
    const { store, context, onCall } = this.deps;
    const row = await loadBucket(store, name);
    const bucket = openBucket(row.settings, { ...context, ...(await this.#historyOf(row)) });
    return onCall ? meterBucket(bucket, row.kind, onCall) : bucket;
  }
}
