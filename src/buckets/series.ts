// What there is to read where a store knows series only, named `measurement.field`: grouped, and cut off at the limits.
import type { Exploration, ExploredMeasurement, ExploreLimits } from "./kind.ts";

export interface NamedSeries {
  /** `measurement.field`; without a dot the field alone. */
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Instant of the newest point, in ms, where it is known. */
  readonly lastAt?: number;
}

export interface ExploreOptions {
  readonly limits: ExploreLimits;
  readonly measurement?: string;
}

/** The measurement is what stands before the first dot, as in the features of a read. */
export function splitName(name: string): { readonly measurement: string | null; readonly field: string } {
  const dot = name.indexOf(".");
  return dot > 0
    ? { measurement: name.slice(0, dot), field: name.slice(dot + 1) }
    : { measurement: null, field: name };
}

/** Names of series that the limits allow, in their order. */
export function chooseNames(
  names: Iterable<string>,
  { limits, measurement }: ExploreOptions,
): { readonly names: readonly string[]; readonly truncated: boolean } {
  const wanted = [...new Set(names)].filter(
    (name) => measurement === undefined || splitName(name).measurement === measurement,
  );
  const groups = [...Map.groupBy(wanted.sort(), (name) => splitName(name).measurement)]
    .sort(([a], [b]) => ((a ?? "") < (b ?? "") ? -1 : 1))
    .slice(0, limits.measurements);
  const chosen = groups.flatMap(([, group]) => group.slice(0, limits.names));
  return { names: chosen, truncated: chosen.length < wanted.length };
}

/** Groups series by measurement. Where none of a measurement has a `lastAt`, its newest point is not known. */
export function exploreSeries(series: readonly NamedSeries[], options: ExploreOptions): Exploration {
  const chosen = chooseNames(
    series.map(({ name }) => name),
    options,
  );
  const allowed = new Set(chosen.names);
  const kept = series.filter(({ name }) => allowed.has(name));
  const order = new Map(chosen.names.map((name, i) => [name, i]));
  const groups = Map.groupBy(
    kept.toSorted((a, b) => order.get(a.name)! - order.get(b.name)!),
    ({ name }) => splitName(name).measurement,
  );
  const described = [...groups].map(([name, group]) => describe(name, group, options.limits));
  return {
    measurements: described.map(({ measurement }) => measurement),
    truncated: chosen.truncated || described.some(({ truncated }) => truncated),
  };
}

function describe(
  name: string | null,
  series: readonly NamedSeries[],
  { names, values }: ExploreLimits,
): { readonly measurement: ExploredMeasurement; readonly truncated: boolean } {
  const tags = new Map<string, Set<string>>();
  for (const [tag, value] of series.flatMap((one) => Object.entries(one.tags)))
    tags.set(tag, (tags.get(tag) ?? new Set()).add(value));
  const fields = new Set(series.map((one) => splitName(one.name).field));
  const ends = series.flatMap(({ lastAt }) => lastAt ?? []);
  const lastAt = ends.reduce((last, at) => Math.max(last, at), Number.NEGATIVE_INFINITY);
  const listed = [...tags].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, names);
  return {
    measurement: {
      name,
      fields: [...fields].map((field) => ({ name: field })),
      tags: listed.map(([tag, found]) => ({ name: tag, values: [...found].sort().slice(0, values) })),
      ...(ends.length > 0 && { lastAt }),
    },
    truncated: tags.size > names || listed.some(([, found]) => found.size > values),
  };
}
