// Explorations of stores whose series are named `measurement.field`: grouped by measurement.
import type { Exploration, ExploredMeasurement, ExploreLimits, ExploreOptions } from "../kind.ts";
import { type Choice, chooseFields, chooseValues, isWanted, toTagExploration } from "./choose.ts";

export interface NamedSeries {
  /** `measurement.field`; without a dot the field alone. */
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Instant of the newest point, in ms, where it is known. */
  readonly lastAt?: number;
}

/** The measurement is the text before the first dot, as in the features of a read. */
function splitName(name: string): { readonly measurement: string | null; readonly field: string } {
  const dot = name.indexOf(".");
  return dot > 0
    ? { measurement: name.slice(0, dot), field: name.slice(dot + 1) }
    : { measurement: null, field: name };
}

/** Matching names of series, sorted: one page, or up to the limits. */
export function chooseNames(names: Iterable<string>, options: ExploreOptions): Choice<string> {
  const entries = [...new Set(names)].sort().map((full) => {
    const { measurement, field } = splitName(full);
    return { measurement, name: field, full };
  });
  entries.sort(({ measurement: a }, { measurement: b }) => compare(a ?? "", b ?? ""));
  const { chosen, truncated } = chooseFields(entries, options);
  return { chosen: chosen.map(({ full }) => full), truncated };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Groups series by measurement; `lastAt` is absent where no series of the measurement has one. */
export function exploreSeries(series: readonly NamedSeries[], options: ExploreOptions): Exploration {
  if (options.tag !== undefined) return exploreTag(series, { ...options, tag: options.tag });
  const names = chooseNames(
    series.map(({ name }) => name),
    options,
  );
  const byName = Map.groupBy(series, ({ name }) => name);
  const kept = names.chosen.flatMap((name) => byName.get(name)!);
  const groups = Map.groupBy(kept, ({ name }) => splitName(name).measurement);
  const described = [...groups].map(([name, group]) => describe(name, group, options.limits));
  return {
    measurements: described.map(({ measurement }) => measurement),
    truncated: names.truncated || described.some(({ truncated }) => truncated),
  };
}

function exploreTag(
  series: readonly NamedSeries[],
  options: ExploreOptions & { readonly tag: string },
): Exploration {
  const { search: _, ...others } = options;
  const values = series.flatMap(({ name, tags }) => {
    const { measurement, field } = splitName(name);
    return isWanted(others, { measurement, name: field }) ? (tags[options.tag] ?? []) : [];
  });
  return toTagExploration(options, chooseValues(values, options));
}

function describe(
  name: string | null,
  series: readonly NamedSeries[],
  { names, values }: ExploreLimits,
): { readonly measurement: ExploredMeasurement; readonly truncated: boolean } {
  const tags = new Map<string, Set<string>>();
  const fields = new Map<string, Set<string>>();
  for (const one of series) {
    const { field } = splitName(one.name);
    const ofField = fields.get(field) ?? new Set();
    fields.set(field, ofField);
    for (const [tag, value] of Object.entries(one.tags)) {
      ofField.add(tag);
      tags.set(tag, (tags.get(tag) ?? new Set()).add(value));
    }
  }
  const ends = series.flatMap(({ lastAt }) => lastAt ?? []);
  const lastAt = ends.reduce((last, at) => Math.max(last, at), Number.NEGATIVE_INFINITY);
  const listed = [...tags].sort(([a], [b]) => compare(a, b)).slice(0, names);
  return {
    measurement: {
      name,
      fields: [...fields].map(([field, found]) => ({
        name: field,
        ...(found.size > 0 && { tags: [...found].sort().slice(0, names) }),
      })),
      tags: listed.map(([tag, found]) => ({ name: tag, values: [...found].sort().slice(0, values) })),
      ...(ends.length > 0 && { lastAt }),
    },
    truncated: tags.size > names || listed.some(([, found]) => found.size > values),
  };
}
