// Checks answers against the API's document: status, content type and body, unknown keys included.
import type {
  ApiDocument,
  ApiOperation,
  ApiResponse,
  JsonSchema,
} from "../../src/http/docs/openapi-document.ts";

export interface Answer {
  /** `METHOD /path?query`, as it was sent. */
  readonly request: string;
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

interface Context {
  readonly document: ApiDocument;
}

/** Keywords that are checked, and those that restrict no answer. */
const known = new Set(
  `$ref oneOf anyOf const type properties required additionalProperties patternProperties items minimum maximum
  exclusiveMinimum exclusiveMaximum minItems maxItems uniqueItems minProperties maxProperties minLength maxLength pattern description title default
  examples format contentMediaType discriminator writeOnly readOnly`.split(/\s+/),
);

/** What of an answer is not as documented, one line each. */
export function findDeviations(document: ApiDocument, answer: Answer): string[] {
  const { request, status, type, text } = answer;
  const [method = "", target = ""] = request.split(/ (.*)/s);
  const { pathname, search } = new URL(target, "http://localhost");
  const operation = findOperation(document, method === "HEAD" ? "GET" : method, pathname);
  if (!operation) return status < 400 ? [`${request}: the operation is not documented`] : [];
  const response = operation.responses[status] ?? (status >= 400 ? operation.responses.default : undefined);
  if (!response) return [`${request}: status ${status} is not documented`];
  if (method === "HEAD" || text === "") return [];
  const described = ("$ref" in response ? resolve(document, response.$ref) : response) as ApiResponse;
  const { content = {} } = described;
  const media = Object.entries(content).find(([name]) => type?.startsWith(name.split(";")[0]!))?.[1];
  if (!media) return [`${request}: content type ${type} is not documented`];
  if (!type?.includes("json")) return [];
  const schema = sideOf(media.schema, operation, new URLSearchParams(search).has("fields"));
  return findMismatches({ document }, schema, JSON.parse(text)).map((line) => `${request}: ${line}`);
}

/** Of an operation with `fields` the list of whole entries, or that of sparse ones. */
function sideOf(schema: JsonSchema, { parameters }: ApiOperation, isSparse: boolean): JsonSchema {
  const members = schema.anyOf as readonly JsonSchema[] | undefined;
  if (!members || !parameters.some(({ name }) => name === "fields")) return schema;
  return members[isSparse ? 1 : 0]!;
}

/** A path without variable parts is preferred, as by the router. */
function findOperation({ paths }: ApiDocument, method: string, pathname: string): ApiOperation | undefined {
  const matching = Object.keys(paths)
    .filter((path) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}/?$`).test(pathname))
    .sort((a, b) => a.split("{").length - b.split("{").length);
  const path = matching.find((each) => paths[each]![method.toLowerCase()]);
  return path === undefined ? undefined : paths[path]![method.toLowerCase()];
}

/** @throws where it points nowhere */
export function resolve(document: ApiDocument, reference: string): JsonSchema {
  const steps = reference.replace("#/", "").split("/");
  const found = steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)?.[step], document);
  if (found === undefined) throw new Error(`${reference} points nowhere`);
  return found as JsonSchema;
}

/** @returns a line per part of `value` that its schema does not describe */
export function findMismatches(context: Context, schema: JsonSchema, value: unknown, path = "$"): string[] {
  const strange = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (strange.length > 0) throw new Error(`no check knows ${strange.join(", ")} (at ${path})`);
  if (typeof schema.$ref === "string")
    return findMismatches(context, resolve(context.document, schema.$ref), value, path);
  const told = memberOf(schema, value);
  if (told) return findMismatches(context, resolve(context.document, told), value, path);
  const members = (schema.oneOf ?? schema.anyOf) as readonly JsonSchema[] | undefined;
  if (members) return findInMembers(context, members, value, path);
  if ("const" in schema) return value === schema.const ? [] : [`${path} is not ${schema.const}`];
  if (!isOfType(schema.type, value)) return [`${path} is no ${schema.type}`];
  if (Array.isArray(value)) {
    const items = (schema.items ?? {}) as JsonSchema;
    const isTwice =
      schema.uniqueItems === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length;
    const wrong = value.flatMap((item, i) => findMismatches(context, items, item, `${path}[${i}]`));
    return isTwice ? [`${path} has an item twice`, ...wrong] : wrong;
  }
  if (typeof value === "object" && value !== null) return findInObject(context, schema, value, path);
  return breaksLimit(schema, value) ? [`${path} breaks a limit`] : [];
}

/** Where a key of the value says which member it is, as clients read it. */
function memberOf({ discriminator }: JsonSchema, value: unknown): string | undefined {
  if (discriminator === undefined || typeof value !== "object" || value === null) return undefined;
  const { propertyName, mapping } = discriminator as {
    propertyName: string;
    mapping: Record<string, string>;
  };
  return mapping[String((value as Record<string, unknown>)[propertyName])];
}

/** The mismatches of the member that comes nearest. */
function findInMembers(context: Context, members: readonly JsonSchema[], value: unknown, path: string) {
  const found = members.map((member) => findMismatches(context, member, value, path));
  return found.sort((a, b) => a.length - b.length)[0] ?? [`${path}: no member`];
}

function findInObject(context: Context, schema: JsonSchema, value: object, path: string): string[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema.required ?? []) as readonly string[];
  const missing = required.filter((key) => !Object.hasOwn(value, key) && !properties[key]?.writeOnly);
  const others = schema.additionalProperties;
  const isMap = schema.properties === undefined && others === undefined;
  const wrong = Object.entries(value).flatMap(([key, part]) => {
    const place = `${path}.${key}`;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property?.writeOnly) return [`${place} is a secret`];
    if (property) return findMismatches(context, property, part, place);
    if (typeof others === "object") return findMismatches(context, others as JsonSchema, part, place);
    return others === true || isMap ? [] : [`${place} is not documented`];
  });
  return [...missing.map((key) => `${path}.${key} is missing`), ...wrong];
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === undefined) return true;
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function breaksLimit({ minimum, maximum, pattern, maxLength }: JsonSchema, value: unknown): boolean {
  if (typeof value === "number") return value < Number(minimum ?? value) || value > Number(maximum ?? value);
  if (typeof value !== "string") return false;
  return value.length > Number(maxLength ?? Infinity) || !new RegExp(String(pattern ?? "")).test(value);
}
