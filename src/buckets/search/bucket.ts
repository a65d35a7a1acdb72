// Elasticsearch bucket over any client: index, time field, operations.
import { throwIfAborted } from "../../core/errors.ts";
import type { Client } from "../../net/fetch.ts";
import type { Bucket } from "../kind.ts";
import { createReader } from "../shared/pushdown.ts";
import { exploreServer, probeServer } from "./explore.ts";
import { openSource } from "./read.ts";
import { type ElasticSettings, timestampOf } from "./settings.ts";
import { Store } from "./store.ts";
import { createWriter } from "./write.ts";

/** Language of a feature's query. */
export const queryLanguage = "Elasticsearch Query DSL";

/** Opens the bucket without connecting. */
export function openElastic(client: Client, own: ElasticSettings): Bucket {
  const store = new Store({ client, index: own.index, routing: own.routing || undefined });
  const source = { store, timestamp: timestampOf(own) };
  const place = { ...source, seriesBy: own.series_by ?? [] };
  const write = createWriter(store, own);
  return {
    ...createReader((query, signal) => openSource(place, query, signal)),
    write: (points, _options, signal) => write(points, signal),
    clear: (signal) => clearPoints(source, signal),
    probe: (signal) => probeServer(source, signal),
    explore: (options, signal) => exploreServer(source, options, signal),
    close() {},
  };
}

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
