// Kinds of buckets, hooks, models and metrics, with the JSON Schemas of their settings, from the registries.
import type { TObject } from "@sinclair/typebox";
import { type KindsView, markSecrets } from "../api/kinds.ts";
import { bucketKinds, bucketSchemas } from "../buckets/index.ts";
import type { BucketKind } from "../buckets/kind.ts";
import { ModelSettings, modelTypes } from "../core/model/model.ts";
import { hookKinds, hookSchemas } from "../hooks/index.ts";
import { metrics } from "../metrics/index.ts";

let known: KindsView | undefined;

/** All kinds, in the order of the registries. */
export function listKinds(): KindsView {
  known ??= {
    buckets: [...bucketSchemas].map(([type, schema]) => viewBucketKind(type, schema)),
    hooks: [...hookSchemas].map(([type, schema]) => {
      const { secrets } = hookKinds[type as keyof typeof hookKinds];
      const config = markSecrets(schema.properties.config as TObject, secrets);
      const settings = { ...schema, properties: { ...schema.properties, config } };
      return { type, description: schema.description ?? "", settings: toPlain(settings) };
    }),
    models: modelTypes.map((type) => ({ type, settings: toPlain(ModelSettings) })),
    metrics: metrics.map(({ name, aliases, description }) => ({ name, aliases, description })),
  };
  return known;
}

function viewBucketKind(type: string, schema: TObject): KindsView["buckets"][number] {
  const { secrets, description, queryLanguage } = bucketKinds[type as keyof typeof bucketKinds] as BucketKind;
  return {
    type,
    description,
    ...(queryLanguage !== undefined && { query_language: queryLanguage }),
    settings: toPlain(markSecrets(schema, secrets)),
  };
}

/** JSON of a schema: without symbols, and without ids, which are names of components. */
function toPlain(schema: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === "$id" ? undefined : value)));
}
