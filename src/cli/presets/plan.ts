// Plans the models of a preset: a fleet of all hosts per row, with `per` one for each mount, device or path; or one per host.
import type { Preset, PresetModel } from "./preset.ts";

/** The series of one model of a preset that a bucket holds. */
export interface FoundSeries {
  readonly row: PresetModel;
  readonly hosts: readonly string[];
  /** Values of the tag of `per`; empty without one. */
  readonly parts: readonly string[];
  /** Whether a host has a part; absent: not known. */
  readonly hasPart?: (host: string, part: string) => boolean;
}

export interface PlanOptions {
  readonly bucket: string;
  /** Absent: that of the preset, or a minute. */
  readonly interval: string | undefined;
  readonly offset: string;
  /** Prefix of all model names. */
  readonly prefix: string;
  /** Whether each host gets a model of its own, in place of a series of a fleet. */
  readonly isPerHost: (row: PresetModel, part: string | undefined) => boolean;
}

/** Settings of a model, as `POST /models` accepts them. */
export interface PlannedModel {
  readonly name: string;
  readonly type: "donut";
  readonly default_bucket: string;
  readonly bucket_interval: string | number;
  readonly offset: string;
  readonly silence: NonNullable<PresetModel["silence"]>;
  /** Live detection starts before a training. */
  readonly detector: "auto";
  readonly seasonality?: PresetModel["seasonality"];
  /** Of a fleet. */
  readonly group_by?: readonly string[];
  readonly features: readonly PlannedFeature[];
}

type PlannedFeature = Partial<
  Pick<PresetModel, "metric" | "measurement" | "field" | "query" | "anomaly_type" | "unit" | "min" | "max">
> & {
  readonly name: string;
  readonly match_all?: readonly { readonly tag: string; readonly value: string }[];
};

export const DEFAULT_INTERVAL = "1m";
const MAX_NAME_LENGTH = 200;

/**
 * Fleets in the order of the preset, then models of hosts in the order of hosts; their names are valid and unique. A query
 * reads all hosts: where they have models of their own, it has none.
 */
export function planModels(
  preset: Preset,
  found: readonly FoundSeries[],
  options: PlanOptions,
): PlannedModel[] {
  const { bucket, prefix, isPerHost } = options;
  const taken = new Set<string>();
  const nameOf = (...parts: readonly (string | undefined)[]) => claimName(parts, taken);
  const rows = found.flatMap((each) =>
    (each.row.per ? each.parts : [undefined]).map((part) => ({ ...each, part })),
  );
  const fleets = rows
    .filter(({ row, part }) => !isPerHost(row, part))
    .map(({ row, part }) => {
      const name = nameOf(prefix + bucket, row.name, part);
      return makeModel({ name, row, part, group: preset.host_tag, match: [] }, options);
    });
  const single = rows.filter(({ row, part }) => !row.query && isPerHost(row, part));
  const hosts = [...new Set(single.flatMap((each) => each.hosts))].sort();
  const models = hosts.flatMap((host) =>
    single
      .filter(
        ({ hosts, part, hasPart }) => hosts.includes(host) && (!part || (hasPart?.(host, part) ?? true)),
      )
      .map(({ row, part }) => {
        const name = nameOf(prefix + host, row.name, part);
        return makeModel({ name, row, part, match: [{ tag: preset.host_tag, value: host }] }, options);
      }),
  );
  return [...fleets, ...models];
}

interface Series {
  readonly name: string;
  readonly row: PresetModel;
  readonly part: string | undefined;
  /** Tag of a fleet. */
  readonly group?: string;
  readonly match: NonNullable<PlannedFeature["match_all"]>;
}

function makeModel(series: Series, { bucket, interval, offset }: PlanOptions): PlannedModel {
  const { name, row, group } = series;
  const { silence, seasonality } = row;
  const groupBy = row.query ? [] : [...(group === undefined ? [] : [group]), ...(row.group_by ?? [])];
  return {
    name,
    type: "donut",
    default_bucket: bucket,
    bucket_interval: interval ?? row.bucket_interval ?? DEFAULT_INTERVAL,
    offset,
    silence: silence ?? "auto",
    detector: "auto",
    ...(seasonality && { seasonality }),
    ...(groupBy.length > 0 && { group_by: groupBy }),
    features: [makeFeature(series)],
  };
}

function makeFeature({ row, part, match }: Series): PlannedFeature {
  const { name, metric, measurement, field, query, anomaly_type, unit, min, max } = row;
  const tags = [
    ...match,
    ...Object.entries(row.match ?? {}).map(([tag, value]) => ({ tag, value })),
    ...(row.per && part !== undefined ? [{ tag: row.per.tag, value: part }] : []),
  ];
  const source = query
    ? { query }
    : { ...(metric && { metric }), ...(measurement && { measurement }), field };
  return {
    name,
    ...source,
    ...(anomaly_type && { anomaly_type }),
    ...(unit !== undefined && { unit }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(!query && { match_all: tags }),
  };
}

/** A valid, unused name: duplicates get a number. */
function claimName(parts: readonly (string | undefined)[], taken: Set<string>): string {
  const base = parts
    .filter((part) => part !== undefined)
    .map(slug)
    .join("_")
    .slice(0, MAX_NAME_LENGTH);
  let name = base;
  for (let i = 2; taken.has(name); i++) name = `${base}_${i}`;
  taken.add(name);
  return name;
}

/** The text with characters invalid in names as `_`; `/` becomes `root`. */
export function slug(text: string): string {
  const legal = text.replace(/[^a-zA-Z0-9_@-]+/g, "_").replace(/^_+|_+$/g, "");
  return legal || "root";
}
