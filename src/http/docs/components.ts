// Components of the OpenAPI document: every schema with an `$id`, written once and referred to everywhere else.
import type { JsonSchema } from "./openapi-document.ts";

/** How TypeBox writes a map with keys of any kind. */
const ANY_KEY = "^(.*)$";

/** Keywords that hold schemas by name, and those that hold no schema. */
const maps: ReadonlySet<string> = new Set(["properties", "patternProperties"]);
const values: ReadonlySet<string> = new Set(["const", "default", "examples", "required", "discriminator"]);

/** Collects components while schemas are made ready for the document. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** A schema as the document has it: without our own keywords, with a `$ref` in place of every component. */
  refer(schema: JsonSchema): JsonSchema {
    return this.#visit(JSON.parse(JSON.stringify(schema))) as JsonSchema;
  }

  /** All components that were referred to, by name. */
  list(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #visit(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#visit(item));
    if (typeof part !== "object" || part === null) return part;
    const { $id, rule: _, ...schema } = part as Record<string, unknown>;
    const entries = Object.entries(schema).map(([key, value]) => [key, this.#visitKeyword(key, value)]);
    const own = openMaps(describeDefault(Object.fromEntries(entries)));
    return typeof $id === "string" ? this.#put($id, own) : own;
  }

  #visitKeyword(key: string, value: unknown): unknown {
    if (values.has(key)) return value;
    if (!maps.has(key)) return this.#visit(value);
    const schemas = Object.entries(value as object).map(([name, schema]) => [name, this.#visit(schema)]);
    return Object.fromEntries(schemas);
  }

  /** @throws where two schemas are called the same: a client would get one for the other */
  #put(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#schemas.get(name);
    if (known && !Bun.deepEquals(known, schema)) throw new Error(`two components are called ${name}`);
    this.#schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Generators of clients read maps from `additionalProperties` only. */
function openMaps(schema: Record<string, unknown>): Record<string, unknown> {
  const { patternProperties, ...rest } = schema;
  const patterns = Object.entries((patternProperties ?? {}) as Record<string, unknown>);
  const [only] = patterns;
  if (patterns.length !== 1 || only?.[0] !== ANY_KEY) return schema;
  return { ...rest, additionalProperties: only[1] };
}

/** Generators take a key with a default for one that is always there; an answer holds settings as they were written. */
function describeDefault({ default: value, ...schema }: Record<string, unknown>): Record<string, unknown> {
  if (value === undefined) return schema;
  const words = [schema.description, `default: ${JSON.stringify(value)}`].filter(Boolean);
  return { ...schema, description: words.join("; ") };
}
