// Schema of the selector of a global hook: names and tags of models, with `*` globs.
import { type Static, Type } from "@sinclair/typebox";

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
