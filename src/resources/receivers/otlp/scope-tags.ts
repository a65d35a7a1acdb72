// Identity of instrumentation scopes as tags, and those tags in which scopes with a metric of the same name differ.
import { MAX_TAG_VALUE } from "../../../core/series/names.ts";
import { type Attribute, type Scope, type ScopeTag, scopeTags } from "./metric.ts";

/** @param attributes in any order; one tag holds all of them, as JSON */
export function toScope(
  name: string,
  version: string,
  { schemaUrl, attributes }: { readonly schemaUrl: string; readonly attributes: readonly Attribute[] },
): Scope {
  const sorted = [...new Map(attributes)].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = sorted.length === 0 ? "" : JSON.stringify(Object.fromEntries(sorted));
  // Cut texts stay as long as to be refused, and differ where the whole ones do.
  const cut = text.length > MAX_TAG_VALUE ? text.slice(0, MAX_TAG_VALUE) + Bun.hash(text) : text;
  return {
    "otel.scope.name": name,
    "otel.scope.version": version,
    "otel.scope.schema_url": schemaUrl,
    "otel.scope.attributes": cut,
  };
}

/** Tags that tell the scopes of a metric apart, by its name. @param scopes with the names of their metrics */
export function findDiffering(
  scopes: readonly { readonly scope: Scope; readonly metrics: readonly string[] }[],
): ReadonlyMap<string, readonly ScopeTag[]> {
  const found = new Map<string, readonly ScopeTag[]>();
  if (scopes.length < 2) return found;
  const values = new Map<string, number>();
  const holders = new Map<string, (readonly number[])[]>();
  for (const { scope, metrics } of scopes) {
    // Numbers stand for values, which may be long.
    const numbers = scopeTags.map((tag) => {
      const number = values.get(scope[tag]) ?? values.size;
      values.set(scope[tag], number);
      return number;
    });
    for (const metric of metrics) {
      const ofMetric = holders.get(metric);
      if (ofMetric) ofMetric.push(numbers);
      else holders.set(metric, [numbers]);
    }
  }
  for (const [metric, ofMetric] of holders) {
    const tags = findTags(ofMetric);
    if (tags.length > 0) found.set(metric, tags);
  }
  return found;
}

/** The tags without which fewer scopes would be told apart. @param scopes the numbers of their values */
function findTags(scopes: readonly (readonly number[])[]): ScopeTag[] {
  const tags: ScopeTag[] = [];
  let [keys, count] = [scopes.map(() => ""), 1];
  for (const [i, tag] of scopeTags.entries()) {
    const longer = keys.map((key, k) => `${key} ${scopes[k]![i]}`);
    const told = new Set(longer).size;
    if (told === count) continue;
    [keys, count] = [longer, told];
    tags.push(tag);
  }
  return tags;
}
