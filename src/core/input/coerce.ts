// Booleans and whole numbers that a client wrote as text, read where a schema takes no text (API.md 1).
import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isRecord } from "./record.ts";
import { readBoolean } from "./value.ts";

/**
 * A copy in which `"20"` is 20 and `"True"` is true, wherever the schema takes a whole number or a boolean and not
 * what was sent. Everything else stays, so that a check says what is wrong with it.
 */
export function coerceStrings(schema: TSchema, value: unknown): unknown {
  if (TypeGuard.IsObject(schema) && isRecord(value)) {
    const entries = Object.entries(value).map(([key, part]) => {
      const member = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
      return [key, member ? coerceStrings(member, part) : part];
    });
    return Object.fromEntries(entries);
  }
  if (TypeGuard.IsArray(schema) && Array.isArray(value))
    return value.map((part) => coerceStrings(schema.items, part));
  return readWord(schema, value);
}

function readWord(schema: TSchema, value: unknown): unknown {
  const isTaken: boolean = Value.Check(schema, value);
  if (isTaken || (typeof value !== "string" && typeof value !== "number")) return value;
  const types = ((schema.anyOf as TSchema[] | undefined) ?? [schema]).map(({ type }) => type);
  if (types.includes("boolean")) return value === "" ? value : (readBoolean(value) ?? value);
  const isWhole = typeof value === "string" && /^[+-]?\d+$/.test(value.trim());
  return isWhole && types.includes("integer") ? Number(value) : value;
}
