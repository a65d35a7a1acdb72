// Route of folded series, for charts of models.
import { Type } from "@sinclair/typebox";
import { ModelSeries, type ModelSeriesView } from "../../api/series.ts";
import { date } from "../../api/shown.ts";
import { invalid } from "../../core/errors.ts";
import { needed, optional } from "../../core/input/optional.ts";
import { seriesColumns } from "../../resources/columns/series-columns.ts";
import { cellParameters, seriesLimits, seriesParts } from "../../resources/series/request.ts";
import { tableTypes } from "../columns/accept.ts";
import { answerTable, chooseTable, tableMedia } from "../columns/table-answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readNames } from "../framework/names.ts";
import { commonQuery, pathNames, query } from "../framework/params.ts";

const { names } = seriesLimits;

const seriesQuery = {
  ...commonQuery,
  from: needed(date("Start, inclusive; required")),
  to: date("End, exclusive; default: now"),
  ...cellParameters,
  fill: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Evaluate intervals without a recorded score, the newest 10000 of the range; for one model",
    }),
  ),
  version: optional.text(
    "Evaluate the newest 10000 intervals with this version, whatever is recorded, as to compare it; for one model",
  ),
  series: optional.text(
    "One series of a model with `group_by`, as in `host:a,cpu:0`; required there, unless `pooled`",
  ),
  pooled: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Read the points of all series of a model with `group_by` as one, without scores, as to see when there are any",
    }),
  ),
  parts: optional.text(`Some of \`${seriesParts.join(";")}\`; default: all`),
};

/** Route of folded series. */
export function createSeriesRoutes({ series, holdOpen }: Pick<AppDeps, "series" | "holdOpen">) {
  return createInstance().get(
    "/models/:names/_series",
    async ({ params, query, request, set }) => {
      holdOpen(request);
      const names = readNames(params.names);
      const format = chooseTable(request, set);
      if (format && new Set(names).size > 1)
        throw invalid("name", `must be one model with Accept: ${tableTypes[format]}: ask for each by itself`);
      const views = await series.read(names, query, request.signal);
      if (!format) return views;
      const [[model, view]] = Object.entries(views) as [[string, ModelSeriesView]];
      return answerTable(seriesColumns(view, { model, version: query.version }), format);
    },
    {
      params: pathNames(`Model names, separated by \`;\`, at most ${names}`),
      query: query(seriesQuery),
      response: documented(Type.Record(Type.String(), ModelSeries, { description: "By model" })),
      detail: {
        scope: "read",
        summary: "Get the values of models, folded for a chart",
        description:
          "Read within the request, without a job. `expected` and `score` are what live detection recorded (`server.history`). Beside other models, one whose data source fails has a `problem` in place of `features`. With `Accept: text/csv` or `application/vnd.apache.arrow.stream` it is a table of one model, a row per cell: `time`, `min_<feature>`, `mean_<feature>`, `max_<feature>`, `expected_<feature>`, `lower_<feature>`, `upper_<feature>`, `score`.",
        media: tableMedia,
        tags: ["models"],
      },
    },
  );
}
