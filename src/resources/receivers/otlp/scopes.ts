// Tags of metrics by their scopes, from the first request on in which several scopes have a metric of the same name.
import type { Bucket } from "../../../buckets/kind.ts";
import { MAX_NAME } from "../../../core/series/names.ts";
import { type Attribute, type ResourceMetric, type ScopeTag, scopeTags } from "./metric.ts";

/** Metrics of resources whose last scopes are kept. */
const MAX_KEPT = 20_000;
/** Tags of fields of all buckets that are kept. */
const MAX_FIELDS = 100_000;
/** Values of a tag of a bucket whose stored series are looked up. */
const MAX_VALUES = 1000;
const [NAME] = scopeTags;

/** The name of the last scope, and of the one before it. */
type Scopes = readonly [last: string, before?: string | undefined];

type TaggedFields = ReadonlyMap<ScopeTag, Set<string>>;

export class ScopedMetrics {
  /** By bucket and tag: fields whose series have the tag. */
  readonly #fields = new Map<string, TaggedFields>();
  /** By metric of a resource whose series have none; the one that was used longest ago first. */
  readonly #last = new Map<string, Scopes>();
  readonly #hashes = new WeakMap<readonly Attribute[], string>();
  #told = 0;

  /**
   * Looks up which stored fields have a tag, once per bucket: after a restart series go on under their names.
   * @throws TorusError `bucket_*`, `canceled`
   */
  async load(name: string, bucket: Bucket, signal: AbortSignal): Promise<void> {
    if (this.#fields.has(name)) return;
    const found = new Map<ScopeTag, Set<string>>();
    for (const tag of scopeTags) found.set(tag, await findFields(bucket, tag, signal));
    for (const [tag, fields] of this.#fields.get(name) ?? [])
      for (const field of fields) found.get(tag)!.add(field);
    this.#fields.set(name, found);
  }

  /**
   * Tags of its scope that the series of a metric get: those in which several scopes differ that have it in this
   * request, the name also where they have it in turns, and those that it had before. A scope that takes the place of
   * another one, as a library of another version, adds none.
   */
  tell(bucket: string, found: ResourceMetric): Attribute[] {
    const { scope, differing, metric } = found;
    const fields = this.#fields.get(bucket);
    const field = metric.kind === "gauge" || metric.kind === "sum" ? metric.name : `${metric.name}_count`;
    const told = scopeTags.filter((tag) => differing.includes(tag) || fields?.get(tag)?.has(field));
    if (metric.name.length <= MAX_NAME) {
      if (!told.includes(NAME) && this.#isInTurns(bucket, found)) told.unshift(NAME);
      for (const tag of told) this.#keep(fields?.get(tag), field);
    }
    return told.flatMap((tag) => (scope[tag] === "" ? [] : [[tag, scope[tag]] as const]));
  }

  #keep(fields: Set<string> | undefined, field: string): void {
    if (fields && !fields.has(field) && this.#told++ < MAX_FIELDS) fields.add(field);
  }

  /** Whether a scope of another name has had the metric since this one had it. */
  #isInTurns(bucket: string, { resource, scope, metric }: ResourceMetric): boolean {
    const key = `${this.#hashOf(resource)}/${bucket}/${metric.name}`;
    const own = scope[NAME];
    const known = this.#last.get(key);
    this.#last.delete(key);
    const [last, before] = known ?? [own];
    if (last !== own && before === own) return true;
    this.#last.set(key, last === own ? [last, before] : [own, last]);
    if (this.#last.size > MAX_KEPT) this.#last.delete(this.#last.keys().next().value!);
    return false;
  }

  /** Made once per resource of a request, as it may be long. */
  #hashOf(resource: readonly Attribute[]): string {
    const hash = this.#hashes.get(resource) ?? String(Bun.hash(JSON.stringify(resource)));
    this.#hashes.set(resource, hash);
    return hash;
  }
}

/** Stored fields that have a tag. @throws TorusError `bucket_*`, `canceled` */
async function findFields(bucket: Bucket, tag: ScopeTag, signal: AbortSignal): Promise<Set<string>> {
  const limits = { measurements: 1, names: MAX_VALUES, values: MAX_VALUES };
  const explored = await bucket.explore?.({ limits, tag }, signal);
  const fields = new Set<string>();
  for (const value of explored?.measurements.flatMap(({ tags }) => tags[0]?.values ?? []) ?? []) {
    const query = { matches: () => true, tags: [{ tag, value }] };
    await bucket.visitFields?.(
      query,
      async (page) => {
        for (const { field, tags } of page.fields) if (tags[tag] === value) fields.add(field);
      },
      signal,
    );
  }
  return fields;
}
