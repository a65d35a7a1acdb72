// Plan of a migration: which single models become series of one fleet, and why others do not.
import { invalid } from "../../errors.ts";
import { DEFAULT_MAX_SERIES, MAX_SERIES, type SeriesTags, seriesKeyOf } from "../fleet.ts";
import type { ModelSettings } from "../model.ts";
import { describeSeries } from "../series-text.ts";
import type { TemplateSettings } from "../template.ts";
import { parameterTags } from "./candidates.ts";
import { mergeMutes } from "./mutes.ts";
import { describeDifference, matchesOf, openFeatures, type Shape, shapeOf } from "./shape.ts";

/** Reasons that an error names. */
const MAX_REASONS = 3;

/** A single model. */
interface Source {
  readonly model: string;
  readonly settings: ModelSettings;
}

interface Member extends Source {
  readonly series: SeriesTags;
}

interface Refused {
  readonly model: string;
  readonly reason: string;
}

export interface MigrationPlan {
  /** Settings of the fleet, not checked as a model yet. */
  readonly settings: ModelSettings;
  readonly groupBy: readonly string[];
  /** By model. */
  readonly members: readonly { readonly model: string; readonly series: SeriesTags }[];
  /** Models that stay as they are, by model. */
  readonly left: readonly Refused[];
  /** Members with mute windows that the fleet cannot have. */
  readonly uncopiedMutes: readonly Refused[];
}

interface PlanRequest {
  /** Of the fleet. */
  readonly name: string;
  readonly template: TemplateSettings;
  /** Absent: the tags of `match_all` that are parameters of the template, or that differ between the models. */
  readonly groupBy?: readonly string[] | undefined;
}

/**
 * Plans a fleet. Its settings are those that most models have in common; models that differ in anything but their
 * name, mute windows and the values of the tags stay.
 * @throws TorusError `invalid` where there are no tags, or fewer than two models fit together
 */
export function planMigration(models: readonly ModelSettings[], request: PlanRequest): MigrationPlan {
  const sources = models.map((settings) => ({ model: settings.name, settings })).sort(byModel);
  const groupBy = request.groupBy ?? deriveTags(sources, request.template);
  checkTags(sources, groupBy);
  const { members, left } = partition(sources, groupBy);
  if (members.length < Math.min(2, sources.length)) throw noneFit(left);
  const { windows, uncopied } = mergeMutes(members);
  const settings = fleetOf(members, { name: request.name, groupBy, mute: windows });
  return { settings, groupBy, members, left, uncopiedMutes: uncopied };
}

/** Parts the models into those of the most common shape, one per series, and the others; both by name. */
function partition(sources: readonly Source[], groupBy: readonly string[]) {
  const shaped = sources.map((source) => ({ source, shape: shapeOf(source.settings, groupBy) }));
  const common = mostCommon(shaped.flatMap(({ shape }) => (typeof shape === "string" ? [] : [shape])));
  const owners = new Map<string, string>();
  const members: Member[] = [];
  const left: Refused[] = [];
  for (const { source, shape } of shaped) {
    const { model } = source;
    if (typeof shape === "string") {
      left.push({ model, reason: shape });
      continue;
    }
    const key = seriesKeyOf(groupBy, shape.series);
    const twin = owners.get(key);
    if (keyOf(shape) !== keyOf(common!)) left.push({ model, reason: describeDifference(shape, common!) });
    else if (twin)
      left.push({ model, reason: `has the same series as ${twin}: ${describeSeries(shape.series)}` });
    else {
      members.push({ ...source, series: shape.series });
      owners.set(key, model);
    }
  }
  return { members, left };
}

function fleetOf(
  members: readonly Member[],
  { name, groupBy, mute }: { name: string; groupBy: readonly string[]; mute: readonly object[] },
): ModelSettings {
  const { mute: _, features, ...rest } = members[0]!.settings;
  return {
    ...rest,
    name,
    group_by: [...groupBy],
    // Automatic thresholds stay as they were.
    expected_false_alarms_per: "series",
    // Room for as many again.
    ...(members.length > DEFAULT_MAX_SERIES && { max_series: Math.min(2 * members.length, MAX_SERIES) }),
    features: openFeatures(features, groupBy),
    ...(mute.length > 0 && { mute: [...mute] }),
  };
}

/** Parameters of the template first; then tags of most models that differ between them. */
function deriveTags(sources: readonly Source[], template: TemplateSettings): string[] {
  const valuesOf = new Map<string, Map<string, string>>();
  for (const { model, settings } of sources)
    for (const { tag, value } of settings.features.flatMap(matchesOf))
      valuesOf.set(tag, (valuesOf.get(tag) ?? new Map()).set(model, String(value)));
  const differing = [...valuesOf].filter(
    ([, values]) => values.size > sources.length / 2 && new Set(values.values()).size > 1,
  );
  const known = parameterTags(template).filter((tag) => valuesOf.has(tag));
  return [...new Set([...known, ...differing.map(([tag]) => tag)])];
}

function checkTags(sources: readonly Source[], groupBy: readonly string[]): void {
  const known = new Set(
    sources.flatMap(({ settings }) => settings.features.flatMap(matchesOf)).map(({ tag }) => tag),
  );
  const names = known.size > 0 ? `they have ${[...known].sort().join(", ")}` : "they have none";
  if (groupBy.length === 0)
    throw invalid("group_by", `is required: no tag in match_all of the models differs; ${names}`);
  const foreign = groupBy.find((tag) => !known.has(tag));
  if (foreign !== undefined)
    throw invalid("group_by", `must be tags in match_all of the models: none has ${foreign}, ${names}`);
}

/** The shape that most have, the first one among equals. */
function mostCommon(shapes: readonly Shape[]): Shape | undefined {
  const groups = Map.groupBy(shapes, keyOf);
  return [...groups.values()].sort((a, b) => b.length - a.length)[0]?.[0];
}

function keyOf({ settings }: Shape): string {
  return JSON.stringify([...settings]);
}

function noneFit(left: readonly Refused[]): Error {
  const rest = left.length - MAX_REASONS;
  const reasons = left.slice(0, MAX_REASONS).map(({ model, reason }) => `${model} ${reason}`);
  const more = rest > 0 ? `; and ${rest} more` : "";
  return invalid("models", `must be models that fit together: ${reasons.join("; ")}${more}`);
}

function byModel(a: { readonly model: string }, b: { readonly model: string }): number {
  return a.model < b.model ? -1 : 1;
}
