// Clearing an Elasticsearch bucket: its documents go, the index and its mapping stay.
import { throwIfAborted } from "../../core/abort.ts";
import type { Store } from "./store.ts";

/** As many are gone well before a request takes too long. */
const DOCUMENTS_PER_REQUEST = 50_000;

/**
 * Deletes the documents that have a time, in rounds.
 * @throws TorusError `bucket_rejected` where all that is left is changed by others all the time
 */
export async function clearPoints(
  { store, timestamp }: { readonly store: Store; readonly timestamp: string },
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal);
  // What was written a moment ago is not found before.
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
