// Plans the models of a preset: one per host and row, with `per` one for each mount, device or path.
import type { Preset, PresetRow } from "./preset.ts";

/** The series of one row that a bucket holds. */
export interface FoundSeries {
  readonly row: PresetRow;
  readonly hosts: readonly string[];
  /** Values of the tag of `per`; empty without one. */
  readonly parts: readonly string[];
}

export interface PlanOptions {
  readonly bucket: string;
  readonly interval: string;
  readonly offset: string;
  /** Prefix of all model names. */
  readonly prefix: string;
}

/** Settings of a model, as `POST /models` accepts them. */
export interface PlannedModel {
  readonly name: string;
  readonly type: "donut";
  readonly default_bucket: string;
  readonly bucket_interval: string;
  readonly offset: string;
  readonly silence: "auto";
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

/** Models ordered by host, then by row; their names are valid and unique. */
export function planModels(
  preset: Preset,
  found: readonly FoundSeries[],
  options: PlanOptions,
): PlannedModel[] {
  const hosts = [...new Set(found.flatMap((each) => each.hosts))].sort();
  const taken = new Set<string>();
  return hosts.flatMap((host) =>
    found
      .filter((each) => each.hosts.includes(host))
      .flatMap(({ row, parts }) =>
        (row.per ? parts : [undefined]).map((part) => {
          const name = claimName([options.prefix + host, row.name, part], taken);
          return makeModel({ preset, row, host, part, name }, options);
        }),
      ),
  );
}

interface Series {
  readonly preset: Preset;
  readonly row: PresetRow;
  readonly host: string;
  readonly part: string | undefined;
  readonly name: string;
}

function makeModel({ preset, row, host, part, name }: Series, options: PlanOptions): PlannedModel {
  const { bucket, interval, offset } = options;
  const match = Object.entries(row.match ?? {}).map(([tag, value]) => ({ tag, value }));
  const feature: PlannedFeature = {
    name: row.name,
    metric: row.metric,
    ...(row.measurement !== undefined && { measurement: row.measurement }),
    field: row.field,
    anomaly_type: row.anomalyType,
    match_all: [
      { tag: preset.hostTag, value: host },
      ...match,
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
