// Schemas of templates: model settings with `{{param}}` in any text.
import { Type } from "@sinclair/typebox";
import type { Shown } from "./shown.ts";

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
