// Components of resources with a `type`: one per kind, and their union with `type` as discriminator.
import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { componentOf, oneOf } from "./shown.ts";

/** By kind: its full schema, and the keys that requests hold and answers do not. */
export type KindSchemas = ReadonlyMap<
  string,
  { readonly schema: TObject; readonly secrets: readonly string[] }
>;

/**
 * @param place properties of a kind's schema with its secrets marked
 * @returns the union, a component called `noun`; its members are called as the noun and the kind
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

/** JSON Schema's word for what a server takes and never shows. */
function markSecrets(schema: TObject, secrets: readonly string[]): TObject {
  const properties = Object.entries(schema.properties).map(([key, property]): [string, TSchema] => [
    key,
    secrets.includes(key) ? { ...property, writeOnly: true } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}
