// Schemas of `POST /_apply`: declared resources, and the changes that applying them makes.
import { type Static, Type } from "@sinclair/typebox";
import type { FieldError } from "../errors.ts";
import { Name } from "../input/name.ts";
import { optional } from "../input/optional.ts";
import { oneOfWords } from "../input/words.ts";
import { resourceKinds } from "./kinds.ts";

const kindRule = `must be one of ${resourceKinds.join(", ")}`;
const Kind = oneOfWords(resourceKinds, { description: resourceKinds.join(", "), rule: kindRule });

export const Resource = Type.Object(
  {
    kind: Kind,
    name: optional.text("Name of a template; the others have theirs in `settings`"),
    model: optional.text("Model of a hook; without it the hook is a global one"),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: "As in the request that creates one",
      rule: "must be a JSON object",
    }),
  },
  { additionalProperties: false, $id: "Resource" },
);
export type Resource = Static<typeof Resource>;

export const ApplyInput = Type.Object(
  {
    resources: Type.Array(Resource, {
      maxItems: 20_000,
      description: "The desired resources",
      rule: "must be a list of at most 20000 resources {kind, settings}",
    }),
    kinds: Type.Optional(
      Type.Array(Kind, { description: "Kinds that are pruned; by default those of the resources" }),
    ),
  },
  { additionalProperties: false, title: "body", $id: "ApplyInput" },
);
export type ApplyInput = Static<typeof ApplyInput>;

/** Name of a set: resources of other sets are never pruned. */
export const SetName = Name;
export const DEFAULT_SET = "default";

export const FieldChange = Type.Object(
  {
    path: Type.String({ description: "As in `features.load.metric`" }),
    from: Type.Optional(Type.Unknown({ description: "Absent: it is added" })),
    to: Type.Optional(Type.Unknown({ description: "Absent: it is removed" })),
    secret: Type.Optional(Type.Literal(true, { description: "The value changes and is not shown" })),
  },
  { $id: "FieldChange" },
);
export type FieldChange = Static<typeof FieldChange>;

export const actions = ["create", "change", "delete", "none"] as const;

export const ResourceChange = Type.Object(
  {
    kind: Kind,
    name: Type.String(),
    model: optional.text("Model of a hook"),
    action: oneOfWords(actions, { description: "create, change, delete, or none if it is unchanged" }),
    fields: Type.Optional(Type.Array(FieldChange, { description: "Of a change" })),
    error: optional.text("Error, if it failed"),
  },
  { $id: "ResourceChange" },
);
export type ResourceChange = Static<typeof ResourceChange>;

export const ApplyResult = Type.Object(
  {
    set: Type.String(),
    dry_run: Type.Boolean(),
    changes: Type.Array(ResourceChange, { description: "In order of execution" }),
  },
  { $id: "ApplyResult" },
);
export type ApplyResult = Static<typeof ApplyResult>;

/** An error in one resource. */
export interface Mistake extends FieldError {
  /** Index of the resource in the request; `path` is within its settings, empty for the whole. */
  readonly index: number;
}
