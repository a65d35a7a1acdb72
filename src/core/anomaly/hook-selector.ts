// Selector of a global hook: matches models by name and tags, with `*` globs; all conditions must hold.
import { type Static, Type } from "@sinclair/typebox";
import { matchesGlob } from "../input/name-pattern.ts";
import type { Feature } from "../model/feature.ts";
import type { SeriesTags } from "../model/fleet.ts";

export const HookSelector = Type.Object(
  {
    models: Type.Optional(
      Type.Array(
        Type.String({ pattern: "^[a-zA-Z0-9_.:@*-]{1,256}$", rule: "must be a model name, as in cpu-*" }),
        {
          minItems: 1,
          maxItems: 1000,
          description: "Model names, one of which must match; `*` stands for any text",
          rule: "must be a list of model names, in which * stands for any text, as in cpu-*",
        },
      ),
    ),
    tags: Type.Optional(
      Type.Record(
        Type.String(),
        Type.String({ minLength: 1, maxLength: 1024, rule: "must be a text, as in web-*" }),
        {
          maxProperties: 64,
          description:
            "Tag values, each of which must match `match_all` of a feature or a tag of the series; `*` stands for any text",
          rule: "must be texts by tag name, in which * stands for any text, as in web-*",
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: "The models whose events the hook gets; default: all",
    rule: "must be an object with models and tags, or one of them",
  },
);
export type HookSelector = Static<typeof HookSelector>;

interface Selected {
  readonly name: string;
  readonly features: readonly Pick<Feature, "match_all">[];
  /** Of the event: tags of its series. */
  readonly series?: SeriesTags | undefined;
}

/** Whether a selector matches a model, or one series of it. */
export function selectsModel(
  { models, tags = {} }: HookSelector,
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
