// Request parameters: the query string, merged with a JSON body where there is one.
import { type TProperties, Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { pageParameters } from "../../core/input/listing.ts";
import { optional } from "../../core/input/optional.ts";
import { documented } from "./elysia.ts";

export type Params = Readonly<Record<string, unknown>>;

/** Query parameters of every route. */
export const commonQuery = { pretty: optional.flag("Indent the answer") };

/** Query parameters of lists. */
export const listQuery = {
  ...commonQuery,
  ...pageParameters,
  sort: optional.text("`field:1` or `field:-1`"),
  fields: optional.text("Fields to leave out, separated by `;`"),
  include_fields: optional.flag("Return only the named fields instead"),
};

/** Documents a query string; unknown parameters are ignored, values are strings. */
export function query(properties: TProperties = commonQuery) {
  return documented<Record<string, string>>(Type.Object(properties));
}

/** Documents a body whose parameters may be in the query string instead, as old clients send them. */
export function parameters($id: string, properties: TProperties) {
  const inQuery = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, Type.Optional(property)]),
  );
  return {
    query: query({ ...commonQuery, ...inQuery }),
    body: documented(
      Type.Object(properties, {
        $id,
        description: "Each may be in the query string instead; the body wins",
      }),
    ),
  };
}

/** Documents the parameters of a path by their descriptions. */
export function pathParams<N extends string>(descriptions: Readonly<Record<N, string>>) {
  const texts = Object.entries<string>(descriptions).map(([name, description]) => [
    name,
    Type.String({ description }),
  ]);
  return documented<Record<N, string>>(Type.Object(Object.fromEntries(texts)));
}

/** Documents `:names` of a path. */
export function pathNames(description: string) {
  return pathParams({ names: description });
}

/** Merges query and body; the body wins. @throws TorusError `invalid` where the body is not an object */
export function mergeParams(queryParams: Readonly<Record<string, string>>, body: unknown): Params {
  if (body === null || body === undefined) return { ...queryParams };
  if (typeof body !== "object" || Array.isArray(body)) throw invalid("body", "must be a JSON object");
  return { ...queryParams, ...body };
}

/** Query of a list; old clients send `sort=None` for no order. */
export function listParams(queryParams: Readonly<Record<string, string>>): Params {
  if (queryParams.sort !== "None") return queryParams;
  const { sort: _, ...rest } = queryParams;
  return rest;
}
