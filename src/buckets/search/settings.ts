// Settings common to the kinds of Elasticsearch.
import { Type } from "@sinclair/typebox";
import { textSetting } from "../shared/connection.ts";
import { seriesBySetting } from "../shared/series-by.ts";

export const elasticSettings = {
  index: Type.String({
    pattern: '^(?!\\.{1,2}$)[^\\s"\\\\<>|/?#\\u0000-\\u001f]{1,255}$',
    description:
      "Index to read from; points are written to it with `*` replaced by the day, as in 2024.01.31",
    rule: 'must be the name of an index: no blanks and none of " \\ < > | / ? #',
    examples: ["metrics-*"],
  }),
  timestamp_field: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()], {
      default: "timestamp",
      description: "Field that holds the time, of type date",
      rule: "must be the name of a field, or null",
    }),
  ),
  series_by: seriesBySetting("Fields"),
  routing: textSetting("Routing value of searches and writes"),
  number_of_shards: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 1,
      description: "Shards of an index that is created",
      rule: "must be a whole number, at least 1",
    }),
  ),
  number_of_replicas: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: "Replicas of an index that is created",
      rule: "must be a whole number, at least 0",
    }),
  ),
  doc_type: textSetting("Legacy: type of documents; accepted and ignored"),
};

/** Settings with defaults, for reads and writes. */
export interface ElasticSettings {
  readonly index: string;
  readonly timestamp_field?: string | null;
  readonly series_by?: readonly string[];
  readonly routing?: string;
  readonly number_of_shards?: number;
  readonly number_of_replicas?: number;
}

/** Name of the field that holds the time. */
export function timestampOf({ timestamp_field }: ElasticSettings): string {
  return timestamp_field ?? "timestamp";
}
