// What an Elasticsearch says of itself: version, fields with numbers, tags with their values, first and last document.
import { isRecord } from "../../core/record.ts";
import type { Exploration, ExploreLimits, Finding } from "../kind.ts";
import { isNumber } from "./fields.ts";
import type { Json, Store } from "./store.ts";

interface Source {
  readonly store: Store;
  readonly timestamp: string;
}

/** Connects, and asks for the version and the newest document. */
export async function probeServer({ store, timestamp }: Source, signal: AbortSignal): Promise<Finding> {
  const { version } = await store.get("/", signal);
  const answer = await store.search(
    { size: 0, track_total_hits: false, aggs: { last: { max: { field: timestamp } } } },
    signal,
  );
  const { number, distribution } = isRecord(version) ? version : {};
  const software = distribution === "opensearch" ? "OpenSearch" : "Elasticsearch";
  return {
    ...(typeof number === "string" && { version: `${software} ${number}` }),
    newestAt: readInstant(answer, "last"),
  };
}

/** Numbers and booleans are fields, keywords are tags; there are no measurements. */
export async function exploreServer(
  { store, timestamp }: Source,
  limits: ExploreLimits,
  signal: AbortSignal,
): Promise<Exploration> {
  const types = await store.readTypes(["*"], signal);
  const names = [...types.keys()].filter((name) => !name.startsWith("_") && name !== timestamp).sort();
  const fields = names.filter((name) => isNumber(types, name) || types.get(name)!.includes("boolean"));
  // Where it is analyzed text in another index, its values cannot be listed.
  const isKeyword = (found: readonly string[]) => found.includes("keyword") && !found.includes("text");
  const keywords = names.filter((name) => isKeyword(types.get(name)!));
  const tagNames = keywords.slice(0, limits.names);
  const aggs: Record<string, Json> = {
    first: { min: { field: timestamp } },
    last: { max: { field: timestamp } },
  };
  for (const [i, field] of tagNames.entries())
    aggs[`t${i}`] = { terms: { field, size: limits.values + 1, order: { _key: "asc" } } };
  const answer = await store.search({ size: 0, track_total_hits: false, aggs }, signal);
  const tags = tagNames.map((name, i) => ({ name, values: readKeys(answer, `t${i}`) }));
  const measurement = {
    name: null,
    fields: fields.slice(0, limits.names).map((name) => ({ name, type: types.get(name)![0]! })),
    tags: tags.map(({ name, values }) => ({ name, values: values.slice(0, limits.values) })),
    firstAt: readInstant(answer, "first"),
    lastAt: readInstant(answer, "last"),
  };
  const truncated =
    fields.length > limits.names ||
    keywords.length > limits.names ||
    tags.some(({ values }) => values.length > limits.values);
  return { measurements: [measurement], truncated };
}

function readInstant({ aggregations }: Json, name: string): number | null {
  const found = isRecord(aggregations) ? aggregations[name] : undefined;
  return isRecord(found) && typeof found.value === "number" ? found.value : null;
}

function readKeys({ aggregations }: Json, name: string): string[] {
  const found = isRecord(aggregations) ? aggregations[name] : undefined;
  const buckets = isRecord(found) && Array.isArray(found.buckets) ? found.buckets : [];
  return buckets.map((bucket) => String(bucket?.key));
}
