// Selection of an exploration: the names that match, cut off at the limits or as one page.
import type { Exploration, ExploreOptions } from "../kind.ts";

/** A field of a data source. */
export interface FieldEntry {
  /** Null where the kind has no measurements. */
  readonly measurement: string | null;
  readonly name: string;
}

/** A list, and whether more of it was there. */
export interface Choice<T> {
  readonly chosen: readonly T[];
  readonly truncated: boolean;
}

/** Whether a field is among those asked for, whatever page it is on. */
export function isWanted(
  { measurement: only, field, search }: ExploreOptions,
  { measurement, name }: FieldEntry,
): boolean {
  if (only !== undefined && measurement !== only) return false;
  if (field !== undefined && name !== field) return false;
  if (!search || search.matches(name)) return true;
  return measurement !== null && (search.matches(measurement) || search.matches(`${measurement}.${name}`));
}

/** For kinds where a measurement means nothing, as in their reads. */
export function withoutMeasurement({ measurement: _, ...options }: ExploreOptions): ExploreOptions {
  return options;
}

/** Fields asked for, in the order given: a page of all, else as many of each measurement as the limits allow. */
export function chooseFields<T extends FieldEntry>(fields: Iterable<T>, options: ExploreOptions): Choice<T> {
  const wanted = [...fields].filter((field) => isWanted(options, field));
  const { limits, skip } = options;
  if (skip !== undefined) return cut(wanted.slice(skip), limits.names);
  const groups = [...Map.groupBy(wanted, ({ measurement }) => measurement).values()];
  const chosen = groups.slice(0, limits.measurements).flatMap((group) => group.slice(0, limits.names));
  return { chosen, truncated: chosen.length < wanted.length };
}

/** Distinct values that match, sorted: one page. */
export function chooseValues(
  values: Iterable<string>,
  { limits, search, skip = 0 }: ExploreOptions,
): Choice<string> {
  const wanted = [...new Set(values)].filter((value) => !search || search.matches(value)).sort();
  return cut(wanted.slice(skip), limits.values);
}

/** The first of a list that was asked for with one more than `limit`. */
export function cut<T>(found: readonly T[], limit: number): Choice<T> {
  return { chosen: found.slice(0, limit), truncated: found.length > limit };
}

/** The answer where the values of one tag are asked for. */
export function toTagExploration(
  { measurement = null, tag }: { readonly measurement?: string | null; readonly tag: string },
  { chosen, truncated }: Choice<string>,
): Exploration {
  return {
    measurements: [{ name: measurement, fields: [], tags: [{ name: tag, values: chosen }] }],
    truncated,
  };
}
