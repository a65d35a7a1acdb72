// Arguments of tools: parts that several schemas share, and the JSON Schema that clients are shown.
import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { Listed } from "../core/input/listed.ts";

/** Entries of a page without `per_page`, and at most. */
export const pageSizes = { usual: 20, most: 100 } as const;

export const modelArgument = Type.String({ minLength: 1, maxLength: 256, description: "Name of the model" });

export const pageArguments = {
  page: Type.Optional(Type.Integer({ minimum: 0, description: "Page, from 0" })),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageSizes.most,
      description: `Entries per page; default ${pageSizes.usual}`,
    }),
  ),
};

export interface Paging {
  readonly page: number;
  readonly per_page: number;
}

export function pagingOf({ page = 0, per_page = pageSizes.usual }: Partial<Paging>): Paging {
  return { page, per_page };
}

/** Position of a page in its list, and the number of entries after it. */
export function describePage({ entries, total = 0 }: Listed<readonly object[]>, { page, per_page }: Paging) {
  const left = Math.max(0, total - page * per_page - entries.length);
  return { total, page, left_out: left, ...(left > 0 && { next_page: page + 1 }) };
}

/** Keywords of ours, which clients of JSON Schema do not know. */
const ownKeywords = new Set(["$id", "rule"]);
/** No formats of JSON Schema; the description says what a duration is. */
const ownFormats: readonly unknown[] = ["duration-text", "duration-above-0"];

/** Keys of a record of texts, in its schema. */
const ANY_KEY = "^(.*)$";

/** The schema as clients are shown it: plain JSON Schema. */
export function toJsonSchema(schema: TObject): { readonly type: "object" } {
  return showSchema(JSON.parse(JSON.stringify(schema))) as { type: "object" };
}

function showSchema(schema: TSchema | boolean): unknown {
  if (typeof schema !== "object") return schema;
  const { anyOf, patternProperties, ...plain } = schema;
  const words = (anyOf as TSchema[] | undefined)?.map((member) => member.const);
  if (words?.every((word) => typeof word === "string"))
    return showSchema({ ...plain, type: "string", enum: words } as TSchema);
  // A record of any keys, in the shorter form that all clients know.
  const ofAnyKey = patternProperties?.[ANY_KEY];
  if (ofAnyKey) return showSchema({ ...plain, additionalProperties: ofAnyKey } as TSchema);
  const entries = Object.entries(schema).filter(
    ([key, value]) => !ownKeywords.has(key) && !(key === "format" && ownFormats.includes(value)),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, showKeyword(key, value)]));
}

function showKeyword(key: string, value: unknown): unknown {
  if (key === "properties") {
    const entries = Object.entries(value as Record<string, TSchema>);
    return Object.fromEntries(entries.map(([name, part]) => [name, showSchema(part)]));
  }
  if (key === "anyOf") return (value as TSchema[]).map(showSchema);
  return key === "items" || key === "additionalProperties" ? showSchema(value as TSchema) : value;
}
