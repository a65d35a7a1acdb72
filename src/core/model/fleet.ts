// Fleets: models of many series, one per combination of the values of their `group_by` tags.
import { type Static, Type } from "@sinclair/typebox";
import { invalid, TorusError } from "../errors.ts";
import { groupKeyOfTags } from "../series/grouped-grid.ts";
import { durationSchema } from "../time/duration-schema.ts";
import { parseDuration } from "../time/time.ts";
import { parseTags } from "./series-text.ts";

/** Series that a fleet watches by default, and at most. */
export const DEFAULT_MAX_SERIES = 1000;
export const MAX_SERIES = 100_000;
export const MAX_TAGS = 8;
const DEFAULT_TTL = "30d";

export const GroupBy = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
  minItems: 1,
  maxItems: MAX_TAGS,
  uniqueItems: true,
  description:
    "Tags: each combination of their values is a series of its own, with its own ranks, thresholds and anomalies; all share one network per feature",
  examples: [["host", "cpu"]],
  rule: "must be a list of 1 to 8 different names of tags, as in [host, cpu]",
});

export const MaxSeries = Type.Integer({
  minimum: 1,
  maximum: MAX_SERIES,
  default: DEFAULT_MAX_SERIES,
  description: "Series that a model with `group_by` watches; further ones are counted in `state`",
  rule: `must be a whole number from 1 to ${MAX_SERIES}`,
});

export const SeriesTtl = durationSchema({
  description: "Time without a point after which a series of a model with `group_by` is forgotten",
  default: DEFAULT_TTL,
});

export const FalseAlarmsPer = Type.Union([Type.Literal("fleet"), Type.Literal("series")], {
  default: "fleet",
  description:
    "`fleet`: the series of `group_by` share `expected_false_alarms` equally, by their number at the last training; `series`: each may have that many",
  rule: "must be fleet or series",
});
type FalseAlarmsPer = Static<typeof FalseAlarmsPer>;

/** Tags of a series: a value per tag of `group_by`, empty where its points lack the tag. */
export const SeriesTags = Type.Record(Type.String(), Type.String(), {
  description: "Values of the tags of `group_by`; empty where the points lack the tag",
  examples: [{ host: "a", cpu: "0" }],
});
export type SeriesTags = Readonly<Static<typeof SeriesTags>>;

/** The settings that make a model a fleet. */
interface FleetSettings {
  readonly group_by?: readonly string[] | undefined;
  readonly max_series?: number | undefined;
  readonly series_ttl?: string | number | undefined;
  readonly peers?: boolean | undefined;
  readonly expected_false_alarms_per?: FalseAlarmsPer | undefined;
}

/** How a fleet is parted into series. */
export interface FleetRules {
  readonly groupBy: readonly string[];
  readonly maxSeries: number;
  readonly ttlMs: number;
  /** Whether series are compared with each other, too. */
  readonly comparesPeers: boolean;
}

/** @returns undefined for a model of one series */
export function fleetRulesOf({
  group_by,
  max_series = DEFAULT_MAX_SERIES,
  series_ttl = DEFAULT_TTL,
  peers = false,
}: FleetSettings): FleetRules | undefined {
  if (!group_by) return undefined;
  const ttlMs = parseDuration(series_ttl, "series_ttl");
  return { groupBy: group_by, maxSeries: max_series, ttlMs, comparesPeers: peers };
}

/** @throws TorusError `invalid` with path, rule and remedy */
export function checkFleet(settings: FleetSettings, intervalMs: number): void {
  for (const key of ["max_series", "series_ttl", "peers", "expected_false_alarms_per"] as const)
    if (settings[key] !== undefined && !settings.group_by)
      throw invalid(key, "needs group_by, the tags that part the model into series");
  const rules = fleetRulesOf(settings);
  if (rules && rules.ttlMs < intervalMs)
    throw invalid("series_ttl", "must not be shorter than bucket_interval");
}

/**
 * The tags of a fleet, for requests about its series.
 * @throws TorusError `not_supported` for a model of one series
 */
export function requireGroupBy({
  name,
  group_by,
}: Pick<FleetSettings, "group_by"> & { readonly name: string }): readonly string[] {
  if (group_by) return group_by;
  const way = "set group_by, the tags that part it into series, or leave series out";
  throw new TorusError("not_supported", `model ${name} is one series: ${way}`);
}

/** Identifies a series of a fleet. */
export function seriesKeyOf(groupBy: readonly string[], tags: SeriesTags): string {
  return groupKeyOfTags(groupBy, tags);
}

/**
 * Tags of a series as clients write it: `host:a,cpu:0`; a backslash before a comma, a colon or a backslash.
 * @throws TorusError `invalid` with the path
 */
export function parseSeries(text: string, groupBy: readonly string[], path = "series"): SeriesTags {
  return checkSeries(parseTags(text, path), groupBy, path);
}

/** @returns the tags in the order of `group_by`. @throws TorusError `invalid` where some are missing or unknown */
export function checkSeries(tags: SeriesTags, groupBy: readonly string[], path = "series"): SeriesTags {
  checkTagNames(tags, groupBy, path);
  const missing = groupBy.find((tag) => !Object.hasOwn(tags, tag));
  if (missing !== undefined)
    throw invalid(path, `needs a value of every tag, as in ${example(groupBy)}: ${missing} is missing`);
  return Object.fromEntries(groupBy.map((tag) => [tag, tags[tag]!]));
}

/** @param groupBy undefined: of a model of one series, and of all models, any tag may be. @throws TorusError `invalid` */
export function checkTagNames(
  tags: SeriesTags,
  groupBy: readonly string[] | undefined,
  path = "series",
): void {
  if (!groupBy) return;
  const extra = Object.keys(tags).find((tag) => !groupBy.includes(tag));
  if (extra !== undefined) throw invalid(path, `has no tag ${extra}: the model has ${groupBy.join(", ")}`);
}

function example(groupBy: readonly string[]): string {
  return groupBy.map((tag) => `${tag}:...`).join(",");
}
