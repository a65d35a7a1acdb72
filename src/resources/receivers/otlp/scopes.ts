// Scopes of metrics: where several have a metric of the same name, its series get their names as a tag, from then on.
import type { Bucket } from "../../../buckets/kind.ts";
import { MAX_NAME } from "../../../core/series/names.ts";
import type { Attribute, ResourceMetric } from "./metric.ts";

/** Tag by which metrics of the same name from several scopes are told apart. */
export const SCOPE = "otel.scope.name";
/** Metrics of resources whose last scopes are kept. */
const MAX_KEPT = 20_000;
/** Fields of all buckets that are known to have the tag. */
const MAX_FIELDS = 100_000;
/** Scopes of a bucket whose stored series are looked up. */
const MAX_SCOPES = 1000;

/** The last scope, and the one before it. */
type Scopes = readonly [last: string, before?: string | undefined];

export class ScopedMetrics {
  /** By bucket: fields whose series have the tag. */
  readonly #fields = new Map<string, Set<string>>();
  /** By metric of a resource whose series have none; the one that was used longest ago first. */
  readonly #last = new Map<string, Scopes>();
  readonly #hashes = new WeakMap<readonly Attribute[], string>();
  #told = 0;

  /**
   * Looks up which stored fields have the tag, once per bucket: after a restart series go on under their names.
   * @throws TorusError `bucket_*`, `canceled`
   */
  async load(name: string, bucket: Bucket, signal: AbortSignal): Promise<void> {
    if (this.#fields.has(name)) return;
    const limits = { measurements: 1, names: MAX_SCOPES, values: MAX_SCOPES };
    const explored = await bucket.explore?.({ limits, tag: SCOPE }, signal);
    const fields = new Set<string>();
    for (const value of explored?.measurements.flatMap(({ tags }) => tags[0]?.values ?? []) ?? []) {
      const query = { matches: () => true, tags: [{ tag: SCOPE, value }] };
      await bucket.visitFields?.(
        query,
        async (page) => {
          for (const { field, tags } of page.fields) if (tags[SCOPE] === value) fields.add(field);
        },
        signal,
      );
    }
    for (const field of this.#fields.get(name) ?? []) fields.add(field);
    this.#fields.set(name, fields);
  }

  /**
   * Whether the series of a metric are told apart by their scopes: several have it in this request, or in turns, or it
   * was so before. A scope that takes the place of another one, as a library of another version, is not.
   */
  tell(bucket: string, { resource, scope, metric: { name, kind } }: ResourceMetric): boolean {
    const fields = this.#fields.get(bucket);
    const field = kind === "gauge" || kind === "sum" ? name : `${name}_count`;
    if (fields?.has(field)) return true;
    if (name.length > MAX_NAME) return scope.isShared;
    const key = `${this.#hashOf(resource)}/${bucket}/${name}`;
    const known = this.#last.get(key);
    this.#last.delete(key);
    const [last, before] = known ?? [scope.name];
    if (scope.isShared || (last !== scope.name && before === scope.name)) {
      if (this.#told++ < MAX_FIELDS) fields?.add(field);
      return true;
    }
    this.#last.set(key, last === scope.name ? [last, before] : [scope.name, last]);
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
