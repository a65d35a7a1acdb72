// Parameters of a request: the query string and, where there is one, the JSON body.
import { type TProperties, Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { documented } from "./elysia.ts";

export type Params = Readonly<Record<string, unknown>>;

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Query parameters of every route. */
export const commonQuery = { pretty: flag("Indent the answer") };

/** Query parameters of lists. */
export const listQuery = {
  ...commonQuery,
  page: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Page, from 0; the header `X-Total-Count` says how many entries all pages have",
    }),
  ),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "Entries per page" })),
  sort: text("`field:1` or `field:-1`"),
  fields: text("Fields to drop, separated by `;`"),
  include_fields: flag("Keep the named fields instead of dropping them"),
};

/** Documents a query string; unknown parameters are ignored, values arrive as text. */
export function query(properties: TProperties = commonQuery) {
  return documented<Record<string, string>>(Type.Object(properties));
}

/** Documents a body whose parts may each stand in the query string instead, where old clients put them. */
export function parameters($id: string, properties: TProperties) {
  return documented(
    Type.Object(properties, {
      $id,
      description: "Each may stand in the query string instead; the body wins",
    }),
  );
}

/** Documents the names of a path. */
export function pathNames(description: string) {
  return documented<{ names: string }>(Type.Object({ names: Type.String({ description }) }));
}

/** Query and body as one; the body wins. @throws TorusError `invalid` where the body is not an object */
export function mergeParams(queryParams: Readonly<Record<string, string>>, body: unknown): Params {
  if (body === null || body === undefined) return { ...queryParams };
  if (typeof body !== "object" || Array.isArray(body)) throw invalid("body", "must be a JSON object");
  return { ...queryParams, ...body };
}

/** Query of a list; old clients send the word None for a sort they do not want. */
export function listParams(queryParams: Readonly<Record<string, string>>): Params {
  if (queryParams.sort !== "None") return queryParams;
  const { sort: _, ...rest } = queryParams;
  return rest;
}
