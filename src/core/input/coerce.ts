// Coercion of strings to booleans and integers where the schema accepts no string (API.md 1).
import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isRecord } from "./json.ts";
import { readBoolean } from "./value.ts";

/**
 * A copy with `"20"` as 20 and `"True"` as true where the schema accepts an integer or a boolean but not the value sent.
 * Everything else stays and is left to the check.
 */
export function coerceStrings(schema: TSchema, value: unknown): unknown {
  if (TypeGuard.IsObject(schema) && isRecord(value)) {
    const entries = Object.entries(value).map(([key, part]) => {
      const member = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
      return [key, member ? coerceStrings(member, part) : part];
    });
    return Object.fromEntries(entries);
  }
  // A list that is too long is refused as it is.
  if (TypeGuard.IsArray(schema) && Array.isArray(value) && value.length <= (schema.maxItems ?? Infinity))
    return value.map((part) => coerceStrings(schema.items, part));
  return coerceValue(schema, value);
}

function coerceValue(schema: TSchema, value: unknown): unknown {
  const isTaken: boolean = Value.Check(schema, value);
  if (isTaken || (typeof value !== "string" && typeof value !== "number")) return value;
  const types = ((schema.anyOf as TSchema[] | undefined) ?? [schema]).map(({ type }) => type);
  if (types.includes("boolean")) return value === "" ? value : (readBoolean(value) ?? value);
  const isWhole = typeof value === "string" && /^[+-]?\d+$/.test(value.trim());
  return isWhole && types.includes("integer") ? Number(value) : value;
}
