// Routes and schemas that many nouns share: all entries in pages, entries by name, answers without a resource.
import { type TSchema, Type } from "@sinclair/typebox";
import { createInstance, documented } from "./elysia.ts";
import { readShownNames } from "./names.ts";
import { listParams, listQuery, type Params, type pathNames, query } from "./params.ts";

/** Schema of `created()`. */
export const Created = { 201: documented(Type.Literal("success")) };
/** Schema of `noContent()`. */
export const NoContent = { 204: documented(Type.Null()) };

interface Readable {
  list(params: Params): Promise<unknown>;
  get(names: string[], params: Params): Promise<unknown>;
}

interface Noun {
  /** Path and plural, as in `buckets`. */
  readonly noun: string;
  /** Names in the path. */
  readonly params: ReturnType<typeof pathNames>;
  readonly entry: TSchema;
}

/** `GET /nouns` and `GET /nouns/:names`. */
export function createReadRoutes(resource: Readable, { noun, params, entry }: Noun) {
  const schema = { query: query(listQuery), response: documented(Type.Array(entry)) };
  const detail = { scope: "read" as const, tags: [noun] };
  return createInstance()
    .get(`/${noun}`, ({ query }) => resource.list(listParams(query)), {
      ...schema,
      detail: { ...detail, summary: `List all ${noun}` },
    })
    .get(
      `/${noun}/:names`,
      ({ params, query }) => resource.get(readShownNames(params.names, query), listParams(query)),
      { ...schema, params, detail: { ...detail, summary: `Get ${noun}, one entry per name` } },
    );
}
