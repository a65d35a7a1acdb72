// From a preset and what a bucket holds to the settings of models: one per host, and per mount or device where asked.
import type { Preset, PresetRow } from "./preset.ts";

/** What a bucket holds of one row. */
export interface Found {
  readonly row: PresetRow;
  readonly hosts: readonly string[];
  /** Values of the tag of `per`; empty without one. */
  readonly parts: readonly string[];
}

export interface PlanOptions {
  readonly bucket: string;
  readonly interval: string;
  readonly offset: string;
  /** Stands before each name. */
  readonly prefix: string;
}

/** Settings of a model, as `POST /models` takes them. */
export interface PlannedModel {
  readonly name: string;
  readonly type: "donut";
  readonly default_bucket: string;
  readonly bucket_interval: string;
  readonly offset: string;
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

const MAX_NAME = 200;

/** Models in the order of hosts, then of rows; names are legal, and each is there once. */
export function planModels(preset: Preset, found: readonly Found[], options: PlanOptions): PlannedModel[] {
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
    features: [feature],
  };
}

/** A legal name that is not taken yet: of two that would be the same the second one has a number. */
function claimName(parts: readonly (string | undefined)[], taken: Set<string>): string {
  const base = parts
    .filter((part) => part !== undefined)
    .map(slug)
    .join("_")
    .slice(0, MAX_NAME);
  let name = base;
  for (let i = 2; taken.has(name); i++) name = `${base}_${i}`;
  taken.add(name);
  return name;
}

/** The text with what no name may hold as `_`; `/` is `root`. */
export function slug(text: string): string {
  const legal = text.replace(/[^a-zA-Z0-9_@-]+/g, "_").replace(/^_+|_+$/g, "");
  return legal || "root";
}
