// Clearing an Elasticsearch bucket: deletes its documents; index and mapping stay.
import { throwIfAborted } from "../../core/errors.ts";
import type { Store } from "./store.ts";

/** Documents per request, so that it ends before the timeout. */
const DOCUMENTS_PER_REQUEST = 50_000;

/**
 * Deletes the documents that have a time, batch by batch.
 * @throws TorusError `bucket_rejected` where concurrent changes prevent the deletion
 */
export async function clearPoints(
  { store, timestamp }: { readonly store: Store; readonly timestamp: string },
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal);
  // A refresh makes recent writes visible to the deletion.
  await store.refresh(signal);
  const query = { exists: { field: timestamp } };
  for (;;) {
    const { total, deleted, conflicts } = await store.deleteByQuery(query, DOCUMENTS_PER_REQUEST, signal);
    if (total < DOCUMENTS_PER_REQUEST && conflicts === 0) return;
    if (deleted === 0)
      throw store.client.refuse(
        "bucket_rejected",
        `kept ${conflicts} documents that are being changed meanwhile; try again when nothing is written`,
      );
  }
}
