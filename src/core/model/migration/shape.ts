// Shape of a single model as one series of a fleet: the values of its `group_by` tags, and all other settings by path.
import { sortKeys } from "../../input/json.ts";
import type { Feature } from "../feature.ts";
import type { SeriesTags } from "../fleet.ts";
import type { ModelSettings } from "../model.ts";

/** Settings that each model has its own of: `mute` is merged into the fleet's. */
const ownKeys: ReadonlySet<string> = new Set(["name", "features", "mute"]);
/** Paths that a reason names. */
const MAX_PATHS = 5;

export interface Shape {
  readonly series: SeriesTags;
  /** Canonical JSON by path, in the order of paths: what all models of a fleet have in common. */
  readonly settings: ReadonlyMap<string, string>;
}

/** @returns the reason where the model is no single series of these tags */
export function shapeOf(settings: ModelSettings, groupBy: readonly string[]): Shape | string {
  if (settings.group_by) return "has group_by: it is a fleet already";
  const series: Record<string, string> = {};
  for (const feature of settings.features.filter(({ budget }) => !budget))
    for (const tag of groupBy) {
      const values = new Set(
        matchesOf(feature).flatMap((match) => (match.tag === tag ? [String(match.value)] : [])),
      );
      const [value] = values;
      if (value === undefined) return `feature ${feature.name} has no tag ${tag} in match_all`;
      if (values.size > 1) return `feature ${feature.name} has several values of tag ${tag} in match_all`;
      if (tag in series && series[tag] !== value) return `its features have different values of tag ${tag}`;
      series[tag] = value;
    }
  const ordered = Object.fromEntries(groupBy.map((tag) => [tag, series[tag]!]));
  return { series: ordered, settings: flatten(settings, groupBy) };
}

/** The features without the tags of `group_by`. */
export function openFeatures(features: readonly Feature[], groupBy: readonly string[]): Feature[] {
  return features.map(({ match_all: _, ...feature }, i) => {
    const rest = matchesOf(features[i]!).filter(({ tag }) => !groupBy.includes(tag));
    return rest.length > 0 ? { ...feature, match_all: rest } : feature;
  });
}

/** The reason for a model that differs, by the paths that do. */
export function describeDifference(own: Shape, common: Shape): string {
  const paths = new Set([...own.settings.keys(), ...common.settings.keys()]);
  const differing = [...paths].filter((path) => own.settings.get(path) !== common.settings.get(path)).sort();
  const rest = differing.length - MAX_PATHS;
  const named = [...differing.slice(0, MAX_PATHS), ...(rest > 0 ? [`${rest} more`] : [])];
  return `differs from the others in ${named.join(", ")}`;
}

function flatten(settings: ModelSettings, groupBy: readonly string[]): ReadonlyMap<string, string> {
  const found: [string, string][] = [];
  for (const [key, value] of Object.entries(settings))
    if (!ownKeys.has(key) && value !== undefined && value !== null) found.push([key, canonical(value)]);
  for (const { name, ...feature } of openFeatures(settings.features, groupBy)) {
    const match_all = feature.match_all && [...new Set(feature.match_all.map(canonical))].sort();
    for (const [key, value] of Object.entries({ ...feature, match_all }))
      if (value !== undefined && value !== null) found.push([`features.${name}.${key}`, canonical(value)]);
  }
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Tags and values of a feature. */
export function matchesOf({ match_all }: Pick<Feature, "match_all">) {
  return match_all ?? [];
}

/** Equal for equal JSON, whatever the order of its keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(sortKeys(value));
}
