// Selector of a global hook: matches models by name and tags, with `*` globs; all conditions must hold.
import { type Static, Type } from "@sinclair/typebox";
import { matchesGlob } from "../input/name-pattern.ts";
import type { Feature } from "../model/feature.ts";

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
            "Tag values, each of which must match `match_all` of a feature; `*` stands for any text",
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

/** Whether a selector matches a model. */
export function selectsModel(
  { models, tags = {} }: HookSelector,
  { name, features }: { readonly name: string; readonly features: readonly Pick<Feature, "match_all">[] },
): boolean {
  if (models && !models.some((glob) => matches(glob, name))) return false;
  const known = features.flatMap(({ match_all }) => match_all ?? []);
  return Object.entries(tags).every(([tag, glob]) =>
    known.some((match) => match.tag === tag && matches(glob, String(match.value))),
  );
}

function matches(glob: string, text: string): boolean {
  return matchesGlob([...glob], [...text]);
}
