// Entries of an answer to `fields=`: of the keys of the whole entry any may be missing, or null.
import type { JsonSchema } from "./openapi-document.ts";

/**
 * The answer to a request with `fields`, beside the whole one.
 * @param whole schema of a list of entries
 */
export function withSparse(whole: JsonSchema): JsonSchema {
  // The names of components are in its JSON alone.
  const { items } = JSON.parse(JSON.stringify(whole)) as { readonly items: JsonSchema };
  const description = "With `fields` a list of entries without, or of, these fields";
  return { anyOf: [whole, { type: "array", items: sparseOf(items), description }] };
}

/** Keys of several kinds of an entry that differ between them may hold anything. */
function sparseOf(entry: JsonSchema): JsonSchema {
  const properties = new Map<string, JsonSchema>();
  for (const member of (entry.oneOf ?? entry.anyOf ?? [entry]) as readonly JsonSchema[])
    for (const [key, schema] of Object.entries((member.properties ?? {}) as Record<string, JsonSchema>)) {
      const known = properties.get(key) ?? schema;
      properties.set(key, Bun.deepEquals(known, schema) ? schema : {});
    }
  return {
    ...(typeof entry.$id === "string" && { $id: `${entry.$id}Fields` }),
    type: "object",
    description: "The fields that are left, or those that are named: one that is absent is null",
    properties: Object.fromEntries([...properties].map(([key, schema]) => [key, nullable(schema)])),
    additionalProperties: { type: "null" },
  };
}

function nullable(schema: JsonSchema): JsonSchema {
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: "null" }] };
}
