// Writes to Elasticsearch: one document per series and instant, with an id derived from both.
import { invalid, throwIfAborted } from "../../core/errors.ts";
import type { Point } from "../../core/series/query.ts";
import { toPointDocument } from "../shared/document.ts";
import { requireName } from "./fields.ts";
import { type ElasticSettings, timestampOf } from "./settings.ts";
import type { Json, Store } from "./store.ts";

const POINTS_PER_REQUEST = 1000;

/** Creates a writer, which caches the names of existing indices. */
export function createWriter(store: Store, own: ElasticSettings) {
  const created = new Set<string>();
  return async (points: readonly Point[], signal: AbortSignal): Promise<void> => {
    throwIfAborted(signal);
    // All documents first: an invalid name is found before anything is sent.
    const documents = points.flatMap((point) => toDocument(point, own) ?? []);
    for (const { index } of documents) {
      if (created.has(index)) continue;
      await store.createIndex(index, describeIndex(own), signal);
      created.add(index);
    }
    for (let from = 0; from < documents.length; from += POINTS_PER_REQUEST) {
      const some = documents.slice(from, from + POINTS_PER_REQUEST);
      const lines = some.flatMap(({ index, id, doc }) => [
        { update: { _index: index, _id: id } },
        { doc, doc_as_upsert: true },
      ]);
      await store.bulk(lines, signal);
    }
  };
}

interface Document {
  readonly index: string;
  readonly id: string;
  readonly doc: Json;
}

/** @returns undefined where all fields are null */
function toDocument(point: Point, own: ElasticSettings): Document | undefined {
  const timestamp = timestampOf(own);
  const document = toPointDocument(point, { timeName: timestamp, requireName });
  if (!document) return undefined;
  const { id, instant, entries } = document;
  return {
    index: nameIndex(own.index, instant),
    id,
    doc: Object.fromEntries([[timestamp, instant], ...entries]),
  };
}

/** `*` stands for the day of the point. @throws TorusError `invalid` where the setting names several indices */
function nameIndex(index: string, at: number): string {
  if (index.includes(",")) throw invalid("index", "names several indices, so nothing can be written to it");
  return index.replaceAll("*", new Date(at).toISOString().slice(0, 10).replaceAll("-", "."));
}

/** Maps numbers to doubles (dynamic mapping would choose long or float by the first value), texts to keywords. */
function describeIndex(own: ElasticSettings): Json {
  return {
    settings: {
      number_of_shards: own.number_of_shards ?? 1,
      number_of_replicas: own.number_of_replicas ?? 0,
    },
    mappings: {
      date_detection: false,
      dynamic_templates: [
        { numbers: { match_mapping_type: "long", mapping: { type: "double" } } },
        { fractions: { match_mapping_type: "double", mapping: { type: "double" } } },
        { texts: { match_mapping_type: "string", mapping: { type: "keyword" } } },
      ],
      properties: { [timestampOf(own)]: { type: "date" } },
    },
  };
}
