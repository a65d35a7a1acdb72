// Routes of tokens: list, create, delete.
import { Type } from "@sinclair/typebox";
import { NewToken, Token } from "../../api/token.ts";
import { TokenInput } from "../../core/access/token.ts";
import { optional } from "../../core/input/optional.ts";
import { parseBoolean } from "../../core/input/value.ts";
import { principalOf } from "../framework/access.ts";
import { Answer, noContent } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readNames } from "../framework/names.ts";
import { NoContent } from "../framework/noun-routes.ts";
import { commonQuery, listParams, listQuery, pathNames, query } from "../framework/params.ts";

const tags = ["tokens"];

/** Routes of tokens. */
export function createTokenRoutes({ tokens, log }: Pick<AppDeps, "tokens" | "log">) {
  const note = (request: Request, msg: string, names: readonly string[]) =>
    log.info(msg, { names, by: principalOf(request).token?.name ?? null });
  return createInstance()
    .get("/tokens", ({ query }) => tokens.list(listParams(query)), {
      query: query(listQuery),
      response: documented(Type.Array(Token)),
      detail: { scope: "admin", summary: "List all tokens, without their secrets", tags },
    })
    .post(
      "/tokens",
      async ({ body, request }) => {
        const made = await tokens.create(body);
        note(request, "token created", [(made as { name: string }).name]);
        return new Answer(201, made);
      },
      {
        body: documented(TokenInput),
        response: { 201: documented(NewToken) },
        detail: {
          scope: "admin",
          summary: "Create a token; the first one enables authentication",
          conflict: "A token of this name exists",
          tags,
        },
      },
    )
    .delete(
      "/tokens/:names",
      async ({ params, query, request }) => {
        const names = readNames(params.names);
        await tokens.remove(names, { force: parseBoolean(query.force ?? false, "force") });
        note(request, "tokens deleted", names);
        return noContent();
      },
      {
        params: pathNames("Token names, separated by `;`"),
        query: query({
          ...commonQuery,
          force: optional.flag("Delete even the last token with scope `admin`"),
        }),
        response: NoContent,
        detail: {
          scope: "admin",
          summary: "Delete tokens; deleting the last one disables authentication",
          conflict: "It is the last token with scope `admin`; create another one first, or use `force=true`",
          tags,
        },
      },
    );
}
