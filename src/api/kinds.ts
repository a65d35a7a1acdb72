// OpenAPI components of resources with kinds: one per kind, and a union with `type` as discriminator.
import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { componentOf, oneOf } from "./shown.ts";

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
function markSecrets(schema: TObject, secrets: readonly string[]): TObject {
  const properties = Object.entries(schema.properties).map(([key, property]): [string, TSchema] => [
    key,
    secrets.includes(key) ? { ...property, writeOnly: true } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}
