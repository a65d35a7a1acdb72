// Routes of recorded changes: deployments, configuration and the like.
import { Type } from "@sinclair/typebox";
import { Change } from "../../../api/changes/change.ts";
import { ChangeInput } from "../../../core/changes/change.ts";
import { changeFilters, shapeParameter } from "../../../resources/changes.ts";
import { FindChanges } from "../../../resources/found-changes/request.ts";
import { Answer, noContent, withAdvice } from "../../framework/answer.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { NoContent } from "../../framework/noun-routes.ts";
import { commonQuery, listQuery, pathParams, query } from "../../framework/params.ts";

const tags = ["changes"];
const params = pathParams({ id: "Id of the change" });
const { sort: _, ...paging } = listQuery;

/** Routes of recorded changes. */
export function createChangeRoutes({
  changes,
  foundChanges,
  holdOpen,
}: Pick<AppDeps, "changes" | "foundChanges" | "holdOpen">) {
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
    .use(createFindRoute({ foundChanges, holdOpen }))
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

function createFindRoute({ foundChanges, holdOpen }: Pick<AppDeps, "foundChanges" | "holdOpen">) {
  return createInstance().post(
    "/changes/_find",
    async ({ body, request }) => {
      holdOpen(request);
      const { views, added, advice } = await foundChanges.find(body, request.signal);
      return withAdvice(new Answer(added > 0 ? 201 : 200, views), advice);
    },
    {
      query: query(),
      body: documented(FindChanges),
      response: { 200: documented(Type.Array(Change)), 201: documented(Type.Array(Change)) },
      detail: {
        scope: "run",
        summary: "Find and record changes: new versions that the series of a bucket tell of",
        description:
          "A version of a service is new where none of the three intervals before had it; intervals without any do not " +
          "count. The same search finds the same changes with the same ids, so that a scheduled job may repeat it. " +
          "The header `X-Torus-Advice` names a field or tags that the bucket does not have.",
        idempotent: true,
        tags,
      },
    },
  );
}
