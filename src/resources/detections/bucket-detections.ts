// Detections in values that stay in their bucket; neither a job nor a compute worker.
import type { StoredDetectionView } from "../../api/detection.ts";
import { checkSource } from "../../buckets/index.ts";
import { TorusError, throwIfAborted } from "../../core/errors.ts";
import type { OpenBucket } from "../../points/features.ts";
import { explainNoData } from "../../points/missing-fields.ts";
import type { Clock } from "../../runtime/clock.ts";
import { KeyedLimiter } from "../../runtime/keyed-limiter.ts";
import { loadBucket } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import { detectStored } from "./stored.ts";
import { parseStoredRequest } from "./stored-request.ts";

/** Detections in one bucket at a time, so that they leave room for live detection. */
const PER_BUCKET = 2;
/** Detections that may run or wait; beyond, requests are refused. */
const MAX_OPEN = 50;
const DEADLINE_MS = 60_000;

interface BucketDetectionDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly openBucket: OpenBucket;
}

export class BucketDetections {
  readonly #limiter = new KeyedLimiter(PER_BUCKET);
  #open = 0;

  constructor(private readonly deps: BucketDetectionDeps) {}

  /**
   * Detects anomalies in the values of a field or a query.
   * @param body `feature` and `from` (required), `to`, `bucket_interval`, `points`, `max_threshold`
   * @throws TorusError `not_found`, `invalid`, `no_data`, `bucket_*`, `overloaded`, `deadline`, `canceled`
   */
  async detect(bucket: string, body: unknown, signal: AbortSignal): Promise<StoredDetectionView> {
    const { store, clock, openBucket } = this.deps;
    const { settings } = await loadBucket(store, bucket);
    const nowAt = clock.now();
    const request = parseStoredRequest(body, nowAt);
    checkSource(settings, request.source, "feature");
    if (this.#open >= MAX_OPEN)
      throw new TorusError("overloaded", `more than ${MAX_OPEN} detections are open; try again`);
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    const work = () =>
      detectStored({ openBucket, bucket, request, nowAt }, bounded).catch(async (error) => {
        const sources = [{ ...request.source, bucket }];
        throw await explainNoData(error, { open: openBucket, sources, signal: bounded });
      });
    return this.#enqueue(bucket, bounded, work);
  }

  async #enqueue<T>(bucket: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    this.#open++;
    try {
      return await this.#limiter.run(bucket, work, signal);
    } catch (error) {
      throwIfAborted(signal);
      throw error;
    } finally {
      this.#open--;
    }
  }
}
