// Tool `create_model`: stores the settings of a new model; it watches nothing before it is trained and started.
import { Type } from "@sinclair/typebox";
import { Feature } from "../../core/model/feature.ts";
import { ModelSettings } from "../../core/model/model.ts";
import { defineTool } from "../tool.ts";

const legacy = [
  "threshold",
  "routing",
  "default_datasource",
  "default_datasink",
  "timestamp_field",
  "run",
] as const;
const legacyOfFeature = ["io", "script", "transform", "scores"] as const;
const { features, ...settings } = Type.Omit(ModelSettings, [...legacy]).properties;

export const createModel = defineTool({
  name: "create_model",
  title: "Create a model",
  description:
    'Stores a new model, as in {"name": "load", "type": "donut", "default_bucket": "metrics", "bucket_interval": "5m", ' +
    '"features": [{"name": "load", "metric": "avg", "field": "load"}]}. Then train_model, and start_model. Leave out ' +
    "what you have no reason to set: defaults are automatic.",
  scope: "admin",
  effect: "adds",
  isIdempotent: false,
  input: Type.Object(
    {
      ...settings,
      features: Type.Array(Type.Omit(Feature, [...legacyOfFeature], { additionalProperties: false }), {
        minItems: features.minItems ?? 1,
        maxItems: features.maxItems ?? 1,
        description: features.description ?? "",
      }),
    },
    { additionalProperties: false },
  ),
  isCheckedByResource: true,
  run: async (input, { models }) => {
    await models.create(input);
    const { name, detector } = input;
    const next =
      detector === "auto" ? "start_model: it learns while it is live" : "train_model, then start_model";
    return {
      summary: `Model ${name} is created; next: ${next}.`,
      data: { model: name, created: true, next },
    };
  },
});
