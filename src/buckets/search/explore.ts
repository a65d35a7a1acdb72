// Probing and exploring Elasticsearch: version, numeric fields, tags with values, first and last document.
import { isRecord } from "../../core/input/json.ts";
import type { NamePattern } from "../../core/input/name-pattern.ts";
import type { Exploration, ExploreOptions, ProbeResult } from "../kind.ts";
import { chooseFields, cut, toTagExploration, withoutMeasurement } from "../shared/choose.ts";
import { isNumber } from "./fields.ts";
import type { Json, Store } from "./store.ts";

/** Below the default bucket limit of every version. */
const VALUES_PER_SEARCH = 5000;

interface Source {
  readonly store: Store;
  readonly timestamp: string;
}

/** Reads the version and the newest document. */
export async function probeServer({ store, timestamp }: Source, signal: AbortSignal): Promise<ProbeResult> {
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

/** Lists numbers and booleans as fields, keywords as tags; there are no measurements. */
export async function exploreServer(
  source: Source,
  options: ExploreOptions,
  signal: AbortSignal,
): Promise<Exploration> {
  if (options.tag !== undefined) return exploreTag(source, { ...options, tag: options.tag }, signal);
  const { store, timestamp } = source;
  const { limits } = options;
  const types = await store.readTypes(["*"], signal);
  const names = [...types.keys()].filter((name) => !name.startsWith("_") && name !== timestamp).sort();
  const numbers = names.filter((name) => isNumber(types, name) || types.get(name)!.includes("boolean"));
  const fields = chooseFields(
    numbers.map((name) => ({ measurement: null, name })),
    withoutMeasurement(options),
  );
  // A field that is analyzed text in another index has no list of values.
  const isKeyword = (found: readonly string[]) => found.includes("keyword") && !found.includes("text");
  const keywords = cut(
    names.filter((name) => isKeyword(types.get(name)!)),
    limits.names,
  );
  const aggs: Record<string, Json> = {
    first: { min: { field: timestamp } },
    last: { max: { field: timestamp } },
  };
  for (const [i, field] of keywords.chosen.entries())
    aggs[`t${i}`] = { terms: { field, size: limits.values + 1, order: { _key: "asc" } } };
  const answer = await store.search({ size: 0, track_total_hits: false, aggs }, signal);
  const tags = keywords.chosen.map((name, i) => ({
    name,
    ...cut(readBuckets(answer, `t${i}`).map(readKey), limits.values),
  }));
  const measurement = {
    name: null,
    fields: fields.chosen.map(({ name }) => ({ name, type: types.get(name)![0]! })),
    tags: tags.map(({ name, chosen }) => ({ name, values: chosen })),
    firstAt: readInstant(answer, "first"),
    lastAt: readInstant(answer, "last"),
  };
  const truncated = fields.truncated || keywords.truncated || tags.some((tag) => tag.truncated);
  return { measurements: [measurement], truncated };
}

/** Pages by the last value, so that no answer exceeds the bucket limit. */
async function exploreTag(
  { store }: Source,
  options: ExploreOptions & { readonly tag: string },
  signal: AbortSignal,
): Promise<Exploration> {
  const { tag, search, limits, skip = 0 } = options;
  const query = search ? { query: { regexp: { [tag]: { value: toLucene(search) } } } } : {};
  const sources = [{ value: { terms: { field: tag } } }];
  const found: string[] = [];
  let after: Json | undefined;
  while (found.length <= skip + limits.values) {
    const composite = { size: VALUES_PER_SEARCH, sources, ...(after && { after }) };
    const aggs = { values: { composite } };
    const answer = await store.search({ size: 0, track_total_hits: false, ...query, aggs }, signal);
    const keys = readBuckets(answer, "values").map((bucket) => String(asRecord(bucket.key).value));
    found.push(...keys.filter((value) => !search || search.matches(value)));
    if (keys.length < VALUES_PER_SEARCH) break;
    after = { value: keys.at(-1)! };
  }
  return toTagExploration({ tag }, cut(found.slice(skip), limits.values));
}

/** Not every version has a case-insensitive flag, so each letter is matched in both cases. */
function toLucene({ regex }: NamePattern): string {
  return regex.replace(/\\.|["#@&<>~]|\p{L}/gu, (part) => {
    if (part.startsWith("\\")) return part;
    const [lower, upper] = [part.toLowerCase(), part.toUpperCase()];
    if (lower === upper) return /\p{L}/u.test(part) ? part : `\\${part}`;
    return [...lower].length === 1 && [...upper].length === 1 ? `[${lower}${upper}]` : part;
  });
}

function readInstant({ aggregations }: Json, name: string): number | null {
  const found = isRecord(aggregations) ? aggregations[name] : undefined;
  return isRecord(found) && typeof found.value === "number" ? found.value : null;
}

function readBuckets({ aggregations }: Json, name: string): Readonly<Record<string, unknown>>[] {
  const { buckets } = asRecord(asRecord(aggregations)[name]);
  return Array.isArray(buckets) ? buckets.map(asRecord) : [];
}

function readKey({ key }: Readonly<Record<string, unknown>>): string {
  return String(key);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
