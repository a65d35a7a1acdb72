// Metering of a bucket: kind, outcome and duration of every call to its data source.
import type { Bucket } from "../../buckets/kind.ts";
import { describeError } from "../../core/errors.ts";

/** A finished call to a data source. */
export interface BucketCall {
  readonly kind: string;
  readonly call: "read" | "write" | "annotate" | "clear" | "probe" | "explore";
  /** `ok`, or the error code. */
  readonly outcome: string;
  readonly ms: number;
}

/** Wraps a bucket; `onCall` is called at the end of each call. */
export function meterBucket(bucket: Bucket, kind: string, onCall: (call: BucketCall) => void): Bucket {
  async function time<T>(call: BucketCall["call"], work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    let outcome = "ok";
    try {
      return await work();
    } catch (error) {
      outcome = describeError(error).code;
      throw error;
    } finally {
      onCall({ kind, call, outcome, ms: performance.now() - startedAt });
    }
  }
  const { readGrouped, visitFields, write, writeSamples, describeMetrics, listMetadata } = bucket;
  const { annotate, clear, probe, explore } = bucket;
  return {
    read: (query, signal) => time("read", () => bucket.read(query, signal)),
    ...(readGrouped && { readGrouped: (...args) => time("read", () => readGrouped.apply(bucket, args)) }),
    ...(visitFields && { visitFields: (...args) => time("read", () => visitFields.apply(bucket, args)) }),
    ...(write && { write: (...args) => time("write", () => write.apply(bucket, args)) }),
    ...(writeSamples && { writeSamples: (...args) => time("write", () => writeSamples.apply(bucket, args)) }),
    ...(describeMetrics && { describeMetrics: describeMetrics.bind(bucket) }),
    ...(listMetadata && { listMetadata: listMetadata.bind(bucket) }),
    ...(annotate && { annotate: (...args) => time("annotate", () => annotate.apply(bucket, args)) }),
    ...(clear && { clear: (...args) => time("clear", () => clear.apply(bucket, args)) }),
    ...(probe && { probe: (...args) => time("probe", () => probe.apply(bucket, args)) }),
    ...(explore && { explore: (...args) => time("explore", () => explore.apply(bucket, args)) }),
    close: () => bucket.close(),
  };
}
