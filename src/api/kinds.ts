// Kinds in the API: their list, and OpenAPI components, one per kind and a union with `type` as discriminator.
import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { componentOf, oneOf, type Shown } from "./shown.ts";

/** By kind: its full schema, and the secret keys, which answers omit. */
export type KindSchemas = ReadonlyMap<
  string,
  { readonly schema: TObject; readonly secrets: readonly string[] }
>;

/**
 * Builds the components of a resource.
 * @param place returns the properties of a kind's schema with its secrets marked
 * @returns the union, a component named `noun`; its members are named by noun and kind
 */
export function describeKinds(
  noun: string,
  kinds: KindSchemas,
  place: (schema: TObject, mark: (part: TObject) => TObject) => TObject["properties"],
) {
  const members = [...kinds].map(([kind, { schema, secrets }]) => {
    const mark = (part: TObject) => markSecrets(part, secrets);
    const properties = place(mark(schema), mark);
    const { description = "" } = schema;
    const options = { $id: componentOf(noun, kind), description, additionalProperties: false };
    return [kind, Type.Object(properties, options)] as const;
  });
  return oneOf("type", Object.fromEntries(members), { $id: noun });
}

/** Marks secrets `writeOnly`: accepted in requests, absent in answers. */
export function markSecrets(schema: TObject, secrets: readonly string[]): TObject {
  const properties = Object.entries(schema.properties).map(([key, property]): [string, TSchema] => [
    key,
    secrets.includes(key) ? { ...property, writeOnly: true } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

const schemaOfSettings = Type.Record(Type.String(), Type.Unknown(), {
  description: "JSON Schema of the settings; secrets are `writeOnly`, `rule` is the text of an error",
});
const kind = { type: Type.String(), description: Type.String() };

export const Kinds = Type.Object(
  {
    buckets: Type.Array(
      Type.Object({
        ...kind,
        query_language: optional.text("Language of a feature's `query`; absent: unsupported"),
        settings: schemaOfSettings,
      }),
    ),
    hooks: Type.Array(Type.Object({ ...kind, settings: schemaOfSettings })),
    models: Type.Array(Type.Object({ type: Type.String(), settings: schemaOfSettings })),
    metrics: Type.Array(
      Type.Object({
        name: Type.String(),
        aliases: Type.Array(Type.String()),
        description: Type.String(),
      }),
      { description: "Beside these, `<N>percentile` and `p<N>`" },
    ),
  },
  { $id: "Kinds" },
);
export type KindsView = Shown<typeof Kinds>;
