// One push of points into a local bucket: made where it is missing, stored before the answer, counted.
import type { Bucket } from "../../buckets/kind.ts";
import { TorusError } from "../../core/errors.ts";
import type { MetadataSet } from "../../core/series/metric-metadata.ts";
import type { WorkBudget } from "../../runtime/work-budget.ts";
import { type Part, type ReadParts, type Stored, storeParts } from "./store-parts.ts";
import type { Protocol, Received, Tally } from "./tally.ts";

export interface PushDeps {
  /**
   * Opens a `local` bucket, made where it is missing.
   * @throws TorusError `invalid`, `not_supported` (of another kind)
   */
  readonly openLocal: (name: string) => Promise<Bucket>;
  /** Most series of a bucket that is pushed to. */
  readonly maxSeries: () => number;
  /** Called at the end of each push. */
  readonly onReceived?: (received: Received) => void;
}

interface Push {
  readonly protocol: Protocol;
  readonly bucket: string | undefined;
  /** Counts what cannot be read, then what cannot be stored. */
  readonly tally: Tally;
  /** Filled while the parts are read. */
  readonly metadata: MetadataSet;
  /** Called with the open bucket before the parts are read. */
  readonly prepare?: (bucket: Bucket) => Promise<void>;
  readonly readParts: ReadParts<Part>;
  /** What the push may make. */
  readonly work: Pick<WorkBudget<never>, "pace" | "signal">;
}

/**
 * Stores the points of a push; what the bucket does not take is counted in the tally.
 * @throws TorusError `invalid` for a damaged push: what was read before stays stored; `bucket_*`, `storage_full`
 */
export async function storePush(
  deps: PushDeps,
  { protocol, bucket: name, tally, metadata, prepare, readParts, work }: Push,
): Promise<Stored> {
  if (!name)
    throw new TorusError("invalid", "bucket: is required, as in ?bucket=metrics", { path: "bucket" });
  const bucket = await deps.openLocal(name);
  await prepare?.(bucket);
  const maxSeries = deps.maxSeries();
  const stored = await storeParts(bucket, readParts, { maxSeries, work });
  const described = metadata.list();
  if (described.length > 0) await bucket.describeMetrics?.(described, work.signal);
  tally.refuse("expired", stored.expired, "points are older than the retention of the bucket");
  tally.refuse("rejected", stored.rejected);
  tally.messages.push(...stored.messages);
  tally.refuse(
    "series",
    stored.excess,
    `bucket ${name} has ${maxSeries} series, the most it may have (server.limits.bucket_series): points of new series ` +
      "are refused; drop labels that have ever new values, or raise the limit",
  );
  deps.onReceived?.({ protocol, stored: stored.stored, refused: tally.refused });
  return stored;
}
