// A new model from the choices of an address: names, features, settings; pure.
import { parseTags } from "./bucket.ts";

type Params = Readonly<Record<string, string | undefined>>;

/** What results of every model are called, so not the name of a feature. */
const RESERVED = "score";
const MAX_NAME = 256;
/** Interval of a model whose first look has found none. */
const AUTO = "auto";

/** Fields of an address: names separated by `;`. */
export function parseFields(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(";")
    .filter((name) => name !== "")
    .map(decodeField);
}

export function formatFields(fields: readonly string[]): string {
  return fields.map((name) => name.replace(/[%;]/g, encodeURIComponent)).join(";");
}

const decodeField = (text: string) => text.replace(/%(25|3B)/g, decodeURIComponent);

export interface NewModel {
  readonly name: string;
  readonly type: "donut";
  readonly default_bucket: string;
  readonly bucket_interval: string | number;
  /** Grows where points come late. */
  readonly offset: "auto";
  /** Live detection starts before a training. */
  readonly detector: "auto";
  /** Hooks are notified where points stop. */
  readonly silence: "auto";
  /** Tags of a fleet. */
  readonly group_by?: readonly string[];
  readonly max_series?: number | string;
  readonly peers?: true;
  readonly features: readonly NewFeature[];
}

interface NewFeature {
  readonly name: string;
  readonly metric: string;
  readonly field: string;
  readonly measurement?: string;
  readonly match_all?: readonly { readonly tag: string; readonly value: string }[];
}

/**
 * The models that the address describes: one of all fields, or one of each.
 * @param found interval of the first look, seconds
 */
export function planModels(params: Params, found: number | undefined): readonly NewModel[] {
  const fields = parseFields(params.field);
  const { bucket = "", measurement, metric = "avg" } = params;
  const name = params.name ?? proposeName(params);
  const tags = parseTags(params.tags);
  const features = nameFeatures(fields).map((own, i) => ({
    name: own,
    metric,
    field: fields[i]!,
    ...(measurement && { measurement }),
    ...(tags.length > 0 && { match_all: tags }),
  }));
  const aModel = (own: string, list: readonly NewFeature[]): NewModel => ({
    name: own,
    type: "donut",
    default_bucket: bucket,
    bucket_interval: params.every ?? found ?? AUTO,
    offset: "auto",
    detector: "auto",
    silence: "auto",
    ...fleetOf(params),
    features: list,
  });
  if (params.each === undefined || fields.length < 2) return [aModel(name, features)];
  return features.map((feature) => aModel(`${name}-${feature.name}`, [feature]));
}

/** A series per value of the tags in `group`; a limit that is no number is left to the server to refuse. */
function fleetOf({ group, max, peers }: Params): Pick<NewModel, "group_by" | "max_series" | "peers"> {
  const tags = parseFields(group);
  if (tags.length === 0) return {};
  return {
    group_by: tags,
    ...(max && { max_series: Number.isNaN(Number(max)) ? max : Number(max) }),
    ...(peers !== undefined && { peers: true as const }),
  };
}

/** `cpu-usage_user`; of several fields the measurement alone. */
export function proposeName({ bucket = "", measurement, field, tags }: Params): string {
  const fields = parseFields(field);
  const values = parseTags(tags).map(({ value }) => value);
  const parts = [measurement ?? bucket, ...(fields.length === 1 ? fields : []), ...values];
  return toName(parts.filter(Boolean).join("-"), /[^\w.:@-]+/g);
}

/** Names of features are unique, and none is what results are called. */
function nameFeatures(fields: readonly string[]): readonly string[] {
  const taken = new Set([RESERVED]);
  return fields.map((field) => {
    const base = toName(field, /[^\w@-]+/g) || "value";
    const free = [base, ...fields.keys().map((i) => `${base}_${i + 1}`)].find((name) => !taken.has(name))!;
    taken.add(free);
    return free;
  });
}

function toName(text: string, refused: RegExp): string {
  return text.replace(refused, "_").slice(0, MAX_NAME);
}
