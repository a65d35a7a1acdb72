// Elasticsearch bucket over any client: index, time field, operations.
import type { Client } from "../../net/fetch.ts";
import type { Bucket } from "../kind.ts";
import { clearPoints } from "./clear.ts";
import { exploreServer, probeServer } from "./explore.ts";
import { readGrid } from "./read.ts";
import { type ElasticSettings, timestampOf } from "./settings.ts";
import { createStore } from "./store.ts";
import { createWriter } from "./write.ts";

/** Language of a feature's query. */
export const queryLanguage = "Elasticsearch Query DSL";

/** Opens the bucket without connecting. */
export function openElastic(client: Client, own: ElasticSettings): Bucket {
  const store = createStore({ client, index: own.index, routing: own.routing || undefined });
  const source = { store, timestamp: timestampOf(own) };
  const write = createWriter(store, own);
  return {
    read: (query, signal) => readGrid({ ...source, seriesBy: own.series_by ?? [] }, query, signal),
    write: (points, _options, signal) => write(points, signal),
    clear: (signal) => clearPoints(source, signal),
    probe: (signal) => probeServer(source, signal),
    explore: (options, signal) => exploreServer(source, options, signal),
    close() {},
  };
}
