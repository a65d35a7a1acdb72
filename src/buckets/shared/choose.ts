// Paging and filtering of explorations: matching names, truncated at the limits.
import type { Exploration, ExploreOptions } from "../kind.ts";

/** A field of a data source. */
interface FieldEntry {
  /** Null where the kind has no measurements. */
  readonly measurement: string | null;
  readonly name: string;
}

/** A list, truncated or complete. */
export interface Choice<T> {
  readonly chosen: readonly T[];
  readonly truncated: boolean;
}

/** Whether a field matches the filter, on any page. */
export function isWanted(
  { measurement: only, field, search }: ExploreOptions,
  { measurement, name }: FieldEntry,
): boolean {
  if (only !== undefined && measurement !== only) return false;
  if (field !== undefined && name !== field) return false;
  if (!search || search.matches(name)) return true;
  return measurement !== null && (search.matches(measurement) || search.matches(`${measurement}.${name}`));
}

/** For kinds that ignore measurements. */
export function withoutMeasurement({ measurement: _, ...options }: ExploreOptions): ExploreOptions {
  return options;
}

/** Matching fields in the given order: one page, or up to the limits per measurement. */
export function chooseFields<T extends FieldEntry>(fields: Iterable<T>, options: ExploreOptions): Choice<T> {
  const wanted = [...fields].filter((field) => isWanted(options, field));
  const { limits, skip } = options;
  if (skip !== undefined) return cut(wanted.slice(skip), limits.names);
  const groups = [...Map.groupBy(wanted, ({ measurement }) => measurement).values()];
  const chosen = groups.slice(0, limits.measurements).flatMap((group) => group.slice(0, limits.names));
  return { chosen, truncated: chosen.length < wanted.length };
}

/** One page of matching distinct values, sorted. */
export function chooseValues(
  values: Iterable<string>,
  { limits, search, skip = 0 }: ExploreOptions,
): Choice<string> {
  const wanted = [...new Set(values)].filter((value) => !search || search.matches(value)).sort();
  return cut(wanted.slice(skip), limits.values);
}

/** Truncates a list that was read with one entry beyond `limit`. */
export function cut<T>(found: readonly T[], limit: number): Choice<T> {
  return { chosen: found.slice(0, limit), truncated: found.length > limit };
}

/** The answer to a query for the values of one tag. */
export function toTagExploration(
  { measurement = null, tag }: { readonly measurement?: string | null; readonly tag: string },
  { chosen, truncated }: Choice<string>,
): Exploration {
  return {
    measurements: [{ name: measurement, fields: [], tags: [{ name: tag, values: chosen }] }],
    truncated,
  };
}
