// Match of a global hook's selector against models: all conditions must hold; those that no model meets.
import { matchesGlob } from "../input/name-pattern.ts";
import { didYouMean } from "../input/suggest.ts";
import type { Feature } from "../model/feature.ts";
import type { SeriesTags } from "../model/fleet.ts";

/** As in the settings of a hook. */
interface Selector {
  readonly models?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
}

interface Selected {
  readonly name: string;
  readonly features: readonly Pick<Feature, "match_all">[];
  /** Of the event: tags of its series. */
  readonly series?: SeriesTags | undefined;
}

/** Whether a selector matches a model, or one series of it. */
export function selectsModel(
  { models, tags = {} }: Selector,
  { name, features, series = {} }: Selected,
): boolean {
  if (models && !models.some((glob) => matches(glob, name))) return false;
  const ofSeries = Object.entries(series).map(([tag, value]) => ({ tag, value }));
  const known = [...features.flatMap(({ match_all }) => match_all ?? []), ...ofSeries];
  return Object.entries(tags).every(([tag, glob]) =>
    known.some((match) => match.tag === tag && matches(glob, String(match.value))),
  );
}

function matches(glob: string, text: string): boolean {
  return matchesGlob([...glob], [...text]);
}

/** Of the settings of a model. */
interface Selectable {
  readonly name: string;
  readonly features: readonly Pick<Feature, "match_all">[];
  readonly group_by?: readonly string[];
}

/** Conditions that are named. */
const MAX_NAMED = 5;

/**
 * Sentences on names and tags of a selector that no model has, at most 5; none without models, which may come later.
 * Values of tags of `group_by` are those of the points, and not judged.
 */
export function adviseOnSelector(
  { models: globs = [], tags = {} }: Selector,
  models: readonly Selectable[],
): string[] {
  if (models.length === 0) return [];
  const names = models.map(({ name }) => name);
  const unmatched = globs.filter((glob) => !names.some((name) => matches(glob, name)));
  const ofNames = unmatched.map(
    (glob) => `selector.models: no model is named ${glob}${didYouMean(glob, names)}`,
  );
  const left = globs.length === unmatched.length ? [] : globs;
  const selected = models.filter(({ name }) => left.length === 0 || left.some((glob) => matches(glob, name)));
  const ofTags = Object.entries(tags).flatMap(([tag, glob]) => adviseOnTag(selected, tag, glob));
  return [...ofNames, ...ofTags].slice(0, MAX_NAMED);
}

function adviseOnTag(models: readonly Selectable[], tag: string, glob: string): string[] {
  const matched = models.flatMap(({ features }) => features.flatMap(({ match_all }) => match_all ?? []));
  const grouped = models.flatMap(({ group_by = [] }) => group_by);
  if (grouped.includes(tag)) return [];
  const values = matched.filter((match) => match.tag === tag).map(({ value }) => String(value));
  if (values.some((value) => matches(glob, value))) return [];
  if (values.length > 0)
    return [`selector.tags.${tag}: no model has the value ${glob}${didYouMean(glob, values)}`];
  const known = [...grouped, ...matched.map((match) => match.tag)];
  return [`selector.tags.${tag}: no model has the tag ${tag}${didYouMean(tag, known)}`];
}
