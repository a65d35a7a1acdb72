// Preset: a table of the usual series of one data source; each entry becomes a fleet of all hosts.
import { type Static, Type } from "@sinclair/typebox";
import { PlainName } from "../../core/input/name.ts";
import { Feature } from "../../core/model/feature.ts";
import { ModelSettings } from "../../core/model/model.ts";

const optional = Type.Optional;

/** Most models of a preset. */
export const MAX_PRESET_MODELS = 64;
/** Most patterns of `skip`. */
export const MAX_SKIPS = 64;
const MAX_TEXT = 256;

const tag = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_TEXT,
    description,
    rule: `must be the name of a tag, of 1 to ${MAX_TEXT} characters`,
  });

const { metric, measurement, query, anomaly_type, unit, min, max } = Feature.properties;
const { bucket_interval, silence, seasonality } = ModelSettings.properties;

export const PresetModel = Type.Object(
  {
    name: PlainName,
    field: Type.String({
      minLength: 1,
      maxLength: MAX_TEXT,
      description: "Field of the points; a bucket without it gets no such model, also where there is a query",
      rule: `must be the name of a field, of 1 to ${MAX_TEXT} characters`,
    }),
    metric,
    measurement,
    query,
    anomaly_type,
    unit,
    min,
    max,
    match: optional(
      Type.Record(Type.String(), Type.String({ maxLength: 1024 }), {
        description: "Tags of the points besides the host, with their values",
        rule: "must be values by tag, as in {mode: idle}",
      }),
    ),
    per: optional(
      Type.Object(
        {
          tag: tag("Tag with a model for each of its values"),
          skip: optional(
            Type.Array(Type.String({ minLength: 1, maxLength: MAX_TEXT }), {
              maxItems: MAX_SKIPS,
              description: "Values without a model; * matches any text",
              rule: `must be a list of at most ${MAX_SKIPS} texts, as in [lo, veth*]`,
            }),
          ),
        },
        {
          additionalProperties: false,
          description: "One model for each value of a tag",
          rule: "must be {tag: NAME, skip: [PATTERN, ...]}",
        },
      ),
    ),
    group_by: optional(
      Type.Array(tag("Tag"), {
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description: "Tags that part the model into series besides the host",
        rule: "must be a list of 1 to 7 different names of tags, as in [queue]",
      }),
    ),
    bucket_interval: optional(bucket_interval),
    silence,
    seasonality,
  },
  { additionalProperties: false, rule: "must be {name, field, metric, ...}" },
);
export type PresetModel = Static<typeof PresetModel>;

export const Preset = Type.Object(
  {
    name: PlainName,
    title: Type.String({
      minLength: 1,
      maxLength: MAX_TEXT,
      description: "What is watched, in a few words",
      rule: `must be a text of 1 to ${MAX_TEXT} characters`,
    }),
    host_tag: tag("Tag whose values are the hosts"),
    bucket_type: optional(
      Type.String({
        maxLength: MAX_TEXT,
        description: "Type of the buckets that its queries are for",
        rule: "must be a type of buckets, as in prometheus",
      }),
    ),
    models: Type.Array(PresetModel, {
      minItems: 1,
      maxItems: MAX_PRESET_MODELS,
      description: "Models, each of one series per host",
      rule: `must be a list of 1 to ${MAX_PRESET_MODELS} models {name, field, metric}`,
    }),
  },
  { additionalProperties: false },
);
export type Preset = Static<typeof Preset>;
