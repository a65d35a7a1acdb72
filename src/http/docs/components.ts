// Components of the OpenAPI document: schemas with an `$id`, written once and referred to elsewhere.
import type { JsonSchema } from "./openapi-document.ts";

/** Pattern of TypeBox for maps with any keys. */
const ANY_KEY = "^(.*)$";

/** Keywords that hold schemas by name, and those that hold no schema. */
const maps: ReadonlySet<string> = new Set(["properties", "patternProperties"]);
const values: ReadonlySet<string> = new Set(["const", "default", "examples", "required", "discriminator"]);

/** Components, collected while schemas are converted. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** Converts a schema: without our own keywords, with a `$ref` in place of each component. */
  refer(schema: JsonSchema): JsonSchema {
    return this.#visit(JSON.parse(JSON.stringify(schema))) as JsonSchema;
  }

  /** All collected components by name. */
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

  /** @throws for two different schemas of one name */
  #put(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#schemas.get(name);
    if (known && !Bun.deepEquals(known, schema)) throw new Error(`two components are called ${name}`);
    this.#schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Client generators support maps by `additionalProperties` only. */
function openMaps(schema: Record<string, unknown>): Record<string, unknown> {
  const { patternProperties, ...rest } = schema;
  const patterns = Object.entries((patternProperties ?? {}) as Record<string, unknown>);
  const [only] = patterns;
  if (patterns.length !== 1 || only?.[0] !== ANY_KEY) return schema;
  return { ...rest, additionalProperties: only[1] };
}

/** Client generators treat keys with a default as always present; answers hold settings as written. */
function describeDefault({ default: value, ...schema }: Record<string, unknown>): Record<string, unknown> {
  if (value === undefined) return schema;
  const words = [schema.description, `default: ${JSON.stringify(value)}`].filter(Boolean);
  return { ...schema, description: words.join("; ") };
}
