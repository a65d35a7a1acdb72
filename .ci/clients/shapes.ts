// Shapes: JSON Schemas of the API document, reduced to what types of a client express.
import type { JsonSchema } from "../../src/http/docs/openapi-document.ts";

export type Shape =
  | { readonly kind: "any" | "string" | "number" | "integer" | "boolean" | "null" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "ref"; readonly name: string }
  | { readonly kind: "list"; readonly items: Shape }
  | { readonly kind: "map"; readonly values: Shape }
  | ObjectShape
  | { readonly kind: "union"; readonly members: readonly Shape[] };

export interface ObjectShape {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** Whether other keys than those of the fields have a meaning. */
  readonly open: boolean;
}

export interface Field {
  /** As in JSON. */
  readonly name: string;
  readonly shape: Shape;
  /** Present in each request and answer; secrets are in no answer. */
  readonly required: boolean;
  readonly description: string;
}

const plain = ["string", "number", "integer", "boolean", "null"] as const;
const REFERENCE = "#/components/schemas/";

/** @throws Error for a schema that has no shape, as one with `allOf` */
export function toShape(schema: JsonSchema): Shape {
  const { $ref, const: value, type } = schema;
  if (typeof $ref === "string") return { kind: "ref", name: $ref.slice(REFERENCE.length) };
  if (value !== undefined) return { kind: "literal", value: value as string | number | boolean };
  const members = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
  if (members) return toUnion(members.map(toShape));
  const kind = plain.find((name) => name === type);
  if (kind) return { kind };
  if (type === "array") return { kind: "list", items: toShape((schema.items ?? {}) as JsonSchema) };
  if (type === "object" || schema.properties) return toObject(schema);
  const { description: _, examples: __, title: ___, ...rest } = schema;
  if (Object.keys(rest).length === 0) return { kind: "any" };
  throw new Error(`clients have no type for ${JSON.stringify(schema).slice(0, 200)}`);
}

function toObject(schema: JsonSchema): Shape {
  const { properties, additionalProperties: others } = schema;
  const entries = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  const isMap = entries.length === 0;
  if (isMap && others !== false)
    return { kind: "map", values: toShape(typeof others === "object" ? (others as JsonSchema) : {}) };
  const required = (schema.required ?? []) as readonly string[];
  const fields = entries.map(([name, property]) => ({
    name,
    shape: toShape(property),
    required: required.includes(name) && property.writeOnly !== true,
    description: String(property.description ?? ""),
  }));
  return { kind: "object", fields, open: others !== undefined && others !== false };
}

/** Names of the schemas that a shape refers to, not those they refer to. */
export function namesIn(shape: Shape): string[] {
  switch (shape.kind) {
    case "ref":
      return [shape.name];
    case "list":
      return namesIn(shape.items);
    case "map":
      return namesIn(shape.values);
    case "object":
      return shape.fields.flatMap((field) => namesIn(field.shape));
    case "union":
      return shape.members.flatMap(namesIn);
    default:
      return [];
  }
}

/** A union without unions in it, and without members twice. */
export function toUnion(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === "union" ? shape.members : [shape]));
  const members = [...new Map(flat.map((shape) => [JSON.stringify(shape), shape])).values()];
  return members.length === 1 ? members[0]! : { kind: "union", members };
}
