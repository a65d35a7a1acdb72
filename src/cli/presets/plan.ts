// Plans the models of a preset: a fleet of all hosts per row, with `per` one for each mount, device or path; or one per host.
import type { Preset, PresetRow } from "./preset.ts";

/** The series of one row that a bucket holds. */
export interface FoundSeries {
  readonly row: PresetRow;
  readonly hosts: readonly string[];
  /** Values of the tag of `per`; empty without one. */
  readonly parts: readonly string[];
  /** Whether a host has a part; absent: not known. */
  readonly hasPart?: (host: string, part: string) => boolean;
}

export interface PlanOptions {
  readonly bucket: string;
  readonly interval: string;
  readonly offset: string;
  /** Prefix of all model names. */
  readonly prefix: string;
  /** Whether each host gets a model of its own, in place of a series of a fleet. */
  readonly isPerHost: (row: PresetRow, part: string | undefined) => boolean;
}

/** Settings of a model, as `POST /models` accepts them. */
export interface PlannedModel {
  readonly name: string;
  readonly type: "donut";
  readonly default_bucket: string;
  readonly bucket_interval: string;
  readonly offset: string;
  readonly silence: "auto";
  /** Live detection starts before a training. */
  readonly detector: "auto";
  /** Of a fleet. */
  readonly group_by?: readonly string[];
  readonly features: readonly PlannedFeature[];
}

interface PlannedFeature {
  readonly name: string;
  readonly metric: string;
  readonly measurement?: string;
  readonly field: string;
  readonly anomaly_type: PresetRow["anomalyType"];
  readonly match_all: readonly { readonly tag: string; readonly value: string }[];
}

const MAX_NAME_LENGTH = 200;

/** Fleets in the order of rows, then models of hosts in the order of hosts; their names are valid and unique. */
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
      return makeModel({ name, row, part, group: preset.hostTag, match: [] }, options);
    });
  const single = rows.filter(({ row, part }) => isPerHost(row, part));
  const hosts = [...new Set(single.flatMap((each) => each.hosts))].sort();
  const models = hosts.flatMap((host) =>
    single
      .filter(
        ({ hosts, part, hasPart }) => hosts.includes(host) && (!part || (hasPart?.(host, part) ?? true)),
      )
      .map(({ row, part }) => {
        const name = nameOf(prefix + host, row.name, part);
        return makeModel({ name, row, part, match: [{ tag: preset.hostTag, value: host }] }, options);
      }),
  );
  return [...fleets, ...models];
}

interface Series {
  readonly name: string;
  readonly row: PresetRow;
  readonly part: string | undefined;
  /** Tag of a fleet. */
  readonly group?: string;
  readonly match: PlannedFeature["match_all"];
}

function makeModel({ name, row, part, group, match }: Series, options: PlanOptions): PlannedModel {
  const { bucket, interval, offset } = options;
  const feature: PlannedFeature = {
    name: row.name,
    metric: row.metric,
    ...(row.measurement !== undefined && { measurement: row.measurement }),
    field: row.field,
    anomaly_type: row.anomalyType,
    match_all: [
      ...match,
      ...Object.entries(row.match ?? {}).map(([tag, value]) => ({ tag, value })),
      ...(row.per && part !== undefined ? [{ tag: row.per.tag, value: part }] : []),
    ],
  };
  return {
    name,
    type: "donut",
    default_bucket: bucket,
    bucket_interval: interval,
    offset,
    silence: "auto",
    detector: "auto",
    ...(group !== undefined && { group_by: [group] }),
    features: [feature],
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
