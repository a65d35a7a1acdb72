// Schemas of templates: model settings with `{{param}}` in any text.
import { type Static, Type } from "@sinclair/typebox";
import { Name } from "../core/input/name.ts";
import { GroupBy, SeriesTags } from "../core/model/fleet.ts";
import { ModelSettings } from "../core/model/model.ts";
import { type Shown, seconds } from "./shown.ts";

export const TemplateSettings = Type.Record(Type.String(), Type.Unknown(), {
  $id: "TemplateSettings",
  description: "As ModelSettings, with `{{param}}` in any text or in place of any value",
});

export const Template = Type.Object(
  {
    name: Type.String(),
    settings: TemplateSettings,
    params: Type.Array(Type.String(), { description: "Parameters found in the settings" }),
  },
  { $id: "Template" },
);
export type TemplateView = Shown<typeof Template>;

export const TemplateParameters = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
  { $id: "TemplateParameters", description: "Values of the template parameters by name" },
);

const flag = (description: string) =>
  Type.Optional(Type.Boolean({ default: false, description, rule: "must be true or false" }));

export const MigrationInput = Type.Object(
  {
    name: Type.Optional({ ...Name, description: "Name of the fleet; default: that of the template" }),
    group_by: Type.Optional({
      ...GroupBy,
      description:
        "Tags of `match_all` that part the fleet into series; default: those that are parameters of the template, and those that differ between the models",
    }),
    models: Type.Optional(
      Type.Array(Name, {
        minItems: 1,
        uniqueItems: true,
        description:
          "Models to migrate; default: those whose name and features have the form of the template's",
        rule: "must be a list of different names of models",
      }),
    ),
    dry_run: flag("Answer the plan, and change nothing"),
    delete: flag(
      "Delete the single models, except those of which something was not copied; otherwise they are stopped and kept",
    ),
  },
  { additionalProperties: false, title: "migration", $id: "MigrationInput" },
);
export type MigrationInput = Readonly<Static<typeof MigrationInput>>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const Migration = Type.Object(
  {
    model: Type.String({ description: "Name of the fleet" }),
    dry_run: Type.Boolean({ description: "Whether it is a plan: nothing was changed" }),
    settings: ModelSettings,
    group_by: Type.Array(Type.String()),
    series: Type.Array(Type.Object({ model: Type.String(), series: SeriesTags }), {
      description: "Single models that are series of the fleet",
    }),
    left: Type.Array(Type.Object({ model: Type.String(), reason: Type.String() }), {
      description: "Models that do not fit and stay as they are",
    }),
    anomalies: count("Anomalies that the fleet has from the models, with their feedback"),
    labels: count("Labels that the fleet has from the models"),
    hooks: Type.Array(Type.String(), { description: "Hooks that all models have, which the fleet gets" }),
    not_copied: Type.Array(
      Type.Object({
        model: Type.String(),
        what: Type.String({ description: "`mute`, or `hook` and its name" }),
        reason: Type.String(),
      }),
      { description: "What the fleet does not get; these models are not deleted" },
    ),
    live: count("Models that were live and are stopped"),
    deleted: count("Models that are deleted"),
    train_from: Type.Optional(
      seconds("Start of the earliest training range of the models; absent: none is trained"),
    ),
    next: Type.String({ description: "What to call next: nothing is trained or started by itself" }),
  },
  { $id: "Migration" },
);
export type MigrationView = Shown<typeof Migration>;
