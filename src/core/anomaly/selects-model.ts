// Match of a global hook's selector against a model: all conditions must hold.
import { matchesGlob } from "../input/name-pattern.ts";
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
