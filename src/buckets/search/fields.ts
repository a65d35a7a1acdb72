// Types of index fields: which can be aggregated, and how a tag is compared.
import { invalid } from "../../core/errors.ts";
import type { FeatureQuery } from "../../core/series/query.ts";
import type { Json, Store } from "./store.ts";

const numberTypes: ReadonlySet<string> = new Set([
  ..."long integer short byte double float half_float scaled_float unsigned_long".split(" "),
]);

/** Types of all fields that a read touches, by name. */
export type FieldTypes = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the types of the fields and tags of features.
 * @param tags further fields
 * @throws TorusError `invalid` for an invalid name
 */
export async function readFieldTypes(
  store: Store,
  { features, tags: more }: { readonly features: readonly FeatureQuery[]; readonly tags: readonly string[] },
  signal: AbortSignal,
): Promise<FieldTypes> {
  const asked = features.filter(({ query }) => query === undefined);
  if (asked.length === 0 && more.length === 0) return new Map();
  const tags = [...asked.flatMap((feature) => feature.tags.map(({ tag }) => tag)), ...more];
  const names = [...asked.map(({ field }) => field), ...tags.flatMap((tag) => [tag, `${tag}.keyword`])];
  // A comma would end the name, so it is replaced by a wildcard; further matches do no harm.
  const texts = new Set(names.map((name) => requireName(name).replaceAll(",", "*")));
  return store.readTypes([...texts], signal);
}

/** @throws TorusError `invalid` for a wildcard, or a name that no field can have */
export function requireName(name: string): string {
  if (!/\*|^\.|\.$|\.\.|^\s*$/.test(name)) return name;
  throw invalid(
    "",
    `Elasticsearch has no field ${JSON.stringify(name.slice(0, 64))}: no *, and no dot at either end or twice in a row`,
  );
}

/** True where the field is numeric in some index; where it is not in others, the search itself fails. */
export function isNumber(types: FieldTypes, field: string): boolean {
  return types.get(field)?.some((type) => numberTypes.has(type)) ?? false;
}

/** The fields that identify series. @throws TorusError `invalid` for missing and for analyzed fields */
export function findSeriesFields(types: FieldTypes, seriesBy: readonly string[]): string[] {
  return seriesBy.map((name) => {
    const found = types.get(name);
    const field = found?.includes("text") ? `${name}.keyword` : name;
    if (types.has(field)) return field;
    const reason = found ? "is analyzed text and has no keyword field" : "is no field here";
    throw invalid("series_by", `names ${JSON.stringify(name.slice(0, 64))}, which ${reason}`);
  });
}

/**
 * The fields that hold the values of tags, undefined where no document has one.
 * @throws TorusError `invalid` for analyzed text without a keyword field
 */
export function findGroupFields(types: FieldTypes, groupBy: readonly string[]): (string | undefined)[] {
  return groupBy.map((tag) => {
    const found = types.get(tag);
    const field = found?.includes("text") ? `${tag}.keyword` : tag;
    if (!found || types.has(field)) return found && field;
    const reason = "which is analyzed text and has no keyword field";
    throw invalid("group_by", `names ${JSON.stringify(tag.slice(0, 64))}, ${reason}`);
  });
}

/** Clauses that the documents of a feature match. */
export function matchFeature(types: FieldTypes, { field, tags }: FeatureQuery): Json[] {
  return [{ exists: { field } }, ...tags.map(({ tag, value }) => matchTag(types, tag, value))];
}

const nothing: Json = { match_none: {} };

/** Whole values only: analyzed text is compared by its keyword field, where it has one. */
function matchTag(types: FieldTypes, tag: string, value: string): Json {
  const found = types.get(tag);
  if (!found) return nothing;
  if (found.includes("text")) {
    const keyword = `${tag}.keyword`;
    return types.has(keyword) ? { term: { [keyword]: { value } } } : { match_phrase: { [tag]: value } };
  }
  if (found.includes("boolean") && value !== "true" && value !== "false") return nothing;
  if (isNumber(types, tag) && String(Number(value)) !== value) return nothing;
  return { term: { [tag]: { value } } };
}
