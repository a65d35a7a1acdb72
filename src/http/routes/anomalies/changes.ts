// Routes of recorded changes: deployments, configuration and the like.
import { Type } from "@sinclair/typebox";
import { Change } from "../../../api/changes/change.ts";
import { ChangeInput } from "../../../core/changes/change.ts";
import { changeFilters, shapeParameter } from "../../../resources/changes.ts";
import { Answer, noContent } from "../../framework/answer.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { NoContent } from "../../framework/noun-routes.ts";
import { commonQuery, listQuery, query } from "../../framework/params.ts";

const tags = ["changes"];
const params = documented<{ id: string }>(
  Type.Object({ id: Type.String({ description: "Id of the change" }) }),
);
const { sort: _, ...paging } = listQuery;

/** Routes of recorded changes. */
export function createChangeRoutes({ changes }: Pick<AppDeps, "changes">) {
  return createInstance()
    .get("/changes", ({ query }) => changes.list(query), {
      query: query({ ...paging, ...changeFilters }),
      response: documented(Type.Array(Change)),
      detail: { scope: "read", summary: "List changes, newest first", tags },
    })
    .post(
      "/changes",
      async ({ body, query }) => {
        const { views, added } = await changes.record(body, query);
        return new Answer(added > 0 ? 201 : 200, views);
      },
      {
        query: query({ ...commonQuery, ...shapeParameter }),
        body: documented(Type.Union([ChangeInput, Type.Array(ChangeInput)])),
        response: { 200: documented(Type.Array(Change)), 201: documented(Type.Array(Change)) },
        detail: {
          scope: "run",
          summary: "Record changes",
          description:
            "A change, a list of them, an annotation of Grafana, a webhook of GitHub about a deployment, its status or a " +
            "release, or a notification of Alertmanager. A change with a known id is replaced; 200 where none is new.",
          tags,
        },
      },
    )
    .get("/changes/:id", ({ params }) => changes.get(params.id), {
      params,
      response: documented(Change),
      detail: { scope: "read", summary: "Get a change", tags },
    })
    .delete("/changes/:id", ({ params }) => changes.remove(params.id).then(noContent), {
      params,
      response: NoContent,
      detail: { scope: "run", summary: "Delete a change", tags },
    });
}
