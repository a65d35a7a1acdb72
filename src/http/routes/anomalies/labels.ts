// Routes of labels: ranges of a model that people mark as anomalous or normal.
import { Type } from "@sinclair/typebox";
import { Label } from "../../../api/label.ts";
import { LabelInput } from "../../../core/anomaly/stored-label.ts";
import { optional } from "../../../core/input/optional.ts";
import { Answer, noContent } from "../../framework/answer.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { readName } from "../../framework/names.ts";
import { NoContent } from "../../framework/noun-routes.ts";
import { listQuery, pathNames, pathParams, query } from "../../framework/params.ts";

const tags = ["models"];
const params = pathNames("Model name");
const { sort: _, ...paging } = listQuery;

/** Routes of labels. */
export function createLabelRoutes({ labels }: Pick<AppDeps, "labels">) {
  return createInstance()
    .get("/models/:names/labels", ({ params, query }) => labels.list(readName(params.names), query), {
      params,
      query: query({
        ...paging,
        from: optional.text("Only labels that end after it"),
        to: optional.text("Only labels that start before it"),
        series: optional.text(
          "Only labels of this series of a model with `group_by`, as in `host:a,cpu:0`, or of all",
        ),
      }),
      response: documented(Type.Array(Label)),
      detail: { scope: "read", summary: "List the labels of a model, oldest first", tags },
    })
    .post(
      "/models/:names/labels",
      async ({ params, body }) => new Answer(201, await labels.create(readName(params.names), body)),
      {
        params,
        body: documented(LabelInput),
        response: { 201: documented(Label) },
        detail: {
          scope: "run",
          summary: "Mark a range as anomalous or normal",
          description:
            "The next training leaves out anomalous ranges and tolerates points like those of normal ones; a backtest without labels of its own takes them as the truth. A label that says the same as one that there is answers that one.",
          tags,
        },
      },
    )
    .delete(
      "/models/:names/labels/:id",
      ({ params }) => labels.remove(readName(params.names), params.id).then(noContent),
      {
        params: pathParams({ names: "Model name", id: "Id of the label" }),
        response: NoContent,
        detail: { scope: "run", summary: "Delete a label", tags },
      },
    );
}
