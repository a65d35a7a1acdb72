// Schema validation with TypeBox: errors name path, rule and the closest known key.
import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";
import { type FieldError, TorusError } from "../errors.ts";
import { suggestClosest } from "./suggest.ts";

/** Maximum number of fields that one error names. */
export const MAX_ERRORS = 10;
const UNKNOWN = "is unknown";

/** Accepts null, with the meaning of absent. */
export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/**
 * Checks `value` against `schema`; an unknown key of an object with `additionalProperties: false` is reported with the
 * closest known one. Messages never contain the submitted value, which may be a secret. The error names the first
 * invalid field; `details.errors` lists up to 10 of them.
 * @param path prefix of the reported path
 * @returns the value, typed
 * @throws TorusError `invalid`
 */
export function check<S extends TSchema>(schema: S, value: unknown, path = ""): Static<S> {
  if (Value.Check(schema, value)) return value as Static<S>;
  throw toInvalid(schema, Value.Errors(schema, value), path);
}

/**
 * Checks a value with placeholders.
 * @param isOpen whether a part will still be replaced: its errors are ignored, except unknown keys
 * @throws TorusError `invalid`
 */
export function checkOutline(schema: TSchema, value: unknown, isOpen: (part: unknown) => boolean): void {
  const errors = [...Value.Errors(schema, value)].filter(
    ({ type, value: part }) => type === ValueErrorType.ObjectAdditionalProperties || !isOpen(part),
  );
  if (errors.length > 0) throw toInvalid(schema, errors, "");
}

/** The invalid fields of a value, each once, at most 10. */
export function findErrors(schema: TSchema, value: unknown, path = ""): FieldError[] {
  return Value.Check(schema, value) ? [] : describeErrors(schema, Value.Errors(schema, value), path);
}

/** @param errors at least one; the first becomes the message */
export function invalidFields(errors: readonly FieldError[]): TorusError {
  const { path, message } = errors[0]!;
  const separator = message.startsWith(UNKNOWN) ? " " : ": ";
  return new TorusError("invalid", `${path}${separator}${message}`, { path, errors });
}

/** A copy without null where the schema does not accept it: older clients send null for absent. */
export function dropNulls(
  schema: TObject,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const kept = Object.entries(value).filter(([key, part]) => {
    if (part !== null || !Object.hasOwn(schema.properties, key)) return true;
    return Value.Check(schema.properties[key]!, null);
  });
  return Object.fromEntries(kept);
}

function toInvalid(schema: TSchema, found: Iterable<ValueError>, prefix: string): TorusError {
  return invalidFields(describeErrors(schema, found, prefix));
}

/**
 * Keeps the first error of a path: a missing key also breaks the rules of its value. Unknown keys come first: a missing
 * one is often there under another name.
 */
function describeErrors(schema: TSchema, found: Iterable<ValueError>, prefix: string): FieldError[] {
  const byPath = new Map<string, FieldError>();
  for (const error of found) {
    if (byPath.size === MAX_ERRORS) break;
    const described = describe(schema, error, prefix);
    if (!byPath.has(described.path)) byPath.set(described.path, described);
  }
  const isUnknown = ({ message }: FieldError) => message.startsWith(UNKNOWN);
  return [...byPath.values()].sort((a, b) => Number(isUnknown(b)) - Number(isUnknown(a)));
}

function describe(schema: TSchema, found: ValueError, prefix: string): FieldError {
  const error = innermost(found);
  const steps = error.path.split("/").slice(1).map(unescapeStep);
  const path = [prefix, ...steps].filter(Boolean).join(".");
  if (error.type === ValueErrorType.ObjectAdditionalProperties)
    return { path, message: unknownKey(error, steps.at(-1) ?? "") };
  if (error.type === ValueErrorType.ObjectRequiredProperty) return { path, message: "is required" };
  return { path: path || rootName(schema), message: ruleOf(error) };
}

/** Of a union, the error of the member that is meant. */
function innermost(error: ValueError): ValueError {
  const meant = meantMember(error);
  const errors = meant ? [...Value.Errors(meant, error.value)] : [];
  const inner = errors.find(({ type }) => type === ValueErrorType.ObjectAdditionalProperties) ?? errors[0];
  return inner ? innermost({ ...inner, path: `${error.path}${inner.path}` }) : error;
}

/** The only member of a nullable schema without a rule, or the only one for objects, or lists, where the value is one. */
function meantMember({ schema, value }: ValueError): TSchema | undefined {
  const members = ((schema.anyOf ?? []) as TSchema[]).filter(({ type }) => type !== "null");
  if (members.length < 2) return typeof schema.rule === "string" ? undefined : members[0];
  if (typeof value !== "object" || value === null) return undefined;
  const [alike, ...others] = members.filter(
    ({ type }) => type === (Array.isArray(value) ? "array" : "object"),
  );
  return others.length === 0 ? alike : undefined;
}

function rootName(schema: TSchema): string {
  return schema.title ?? "body";
}

/** Unescapes one step of a JSON pointer (RFC 6901). */
function unescapeStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~").slice(0, 256);
}

function unknownKey(error: ValueError, key: string): string {
  const known = Object.keys((error.schema as TObject).properties ?? {});
  const near = suggestClosest(key, known);
  return `${UNKNOWN}; ${near ? `did you mean ${near}?` : `known keys: ${known.join(", ")}`}`;
}

function ruleOf(error: ValueError): string {
  const { schema } = error;
  if (typeof schema.rule === "string") return schema.rule;
  if (Array.isArray(schema.anyOf)) return unionRule(schema.anyOf as TSchema[]);
  if (schema.const !== undefined) return `must be ${JSON.stringify(schema.const)}`;
  if (error.type === ValueErrorType.StringPattern) return `must match ${schema.pattern}`;
  if (error.type === ValueErrorType.Object) return `must be an object${keysOf(schema)}`;
  if (error.type === ValueErrorType.Array)
    return `must be a list${schema.items?.type === "object" ? ` of objects${keysOf(schema.items)}` : ""}`;
  return limitRule(error) ?? lowerFirst(error.message).replace(/^expected/, "must be");
}

function limitRule({ type, schema }: ValueError): string | undefined {
  if (type === ValueErrorType.Boolean) return "must be true or false";
  if (type === ValueErrorType.StringMinLength)
    return schema.minLength === 1 ? "must not be empty" : `must have at least ${schema.minLength} characters`;
  if (type === ValueErrorType.StringMaxLength) return `must have at most ${schema.maxLength} characters`;
  if (type === ValueErrorType.ArrayMinItems) return `must have at least ${countEntries(schema.minItems)}`;
  if (type === ValueErrorType.ArrayMaxItems) return `must have at most ${countEntries(schema.maxItems)}`;
  if (type === ValueErrorType.NumberMinimum || type === ValueErrorType.IntegerMinimum)
    return `must be at least ${schema.minimum}`;
  if (type === ValueErrorType.NumberMaximum || type === ValueErrorType.IntegerMaximum)
    return `must be at most ${schema.maximum}`;
  if (type === ValueErrorType.NumberExclusiveMinimum) return `must be above ${schema.exclusiveMinimum}`;
  if (type === ValueErrorType.NumberExclusiveMaximum) return `must be below ${schema.exclusiveMaximum}`;
  return undefined;
}

/** Of an object with few keys, as in ` {tag, value}`. */
function keysOf({ properties = {} }: TSchema): string {
  const keys = Object.keys(properties);
  return keys.length > 0 && keys.length <= MAX_ERRORS ? ` {${keys.join(", ")}}` : "";
}

function countEntries(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}

function unionRule(members: TSchema[]): string {
  const words = members.map((member) =>
    member.const !== undefined ? String(member.const) : String(member.type ?? "value"),
  );
  return `must be one of ${[...new Set(words)].join(", ")}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
