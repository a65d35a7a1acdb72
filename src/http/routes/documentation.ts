// Routes of the API documentation: OpenAPI document and HTML page.
import { Type } from "@sinclair/typebox";
import { type DescribedRoute, describeApi } from "../docs/openapi.ts";
import type { ApiDocument } from "../docs/openapi-document.ts";
import { renderDocs } from "../docs/page.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { query } from "../framework/params.ts";

/** Allows the inline style of the page only. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const tags = ["documentation"];

/** @param listRoutes all routes of the application, including these */
export function createDocumentationRoutes(listRoutes: () => readonly DescribedRoute[], version: string) {
  let document: ApiDocument | undefined;
  const describe = () => {
    document ??= describeApi(listRoutes(), version);
    return document;
  };
  return createInstance()
    .get("/openapi.json", () => describe(), {
      query: query({}),
      response: documented(Type.Object({ openapi: Type.String() }, { additionalProperties: true })),
      detail: { scope: "read", summary: "The API as an OpenAPI 3.1 document", tags },
    })
    .get(
      "/docs",
      () =>
        new Response(renderDocs(describe()), {
          headers: {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": PAGE_POLICY,
            "x-frame-options": "DENY",
          },
        }),
      {
        query: query({}),
        response: documented(Type.String()),
        detail: { scope: "read", summary: "The API as an HTML page", tags },
      },
    );
}
