// Routes of the series of fleets: a list, and one by its tags.
import { Type } from "@sinclair/typebox";
import { FleetSeries, FleetSeriesDetail } from "../../api/fleet.ts";
import { optional } from "../../core/input/optional.ts";
import { oneOfWords } from "../../core/input/words.ts";
import { shownStates } from "../../core/series/series-status.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName } from "../framework/names.ts";
import { listParams, listQuery, pathNames, pathParams, query } from "../framework/params.ts";

const tags = ["models"];
const path = pathParams({
  names: "Model name",
  series: "All tags of `group_by` as in `host:a,cpu:0`; a backslash before a comma or colon in a value",
});

/** Routes of the series of fleets. */
export function createFleetRoutes({ fleetSeries }: Pick<AppDeps, "fleetSeries">) {
  return createInstance()
    .get(
      "/models/:names/series",
      ({ params, query }) => fleetSeries.list(readName(params.names), listParams(query)),
      {
        params: pathNames("Model name"),
        query: query({
          ...listQuery,
          sort: optional.text(
            "`score:-1`, `newest_point:1` or `tags:1` (default); series without a value come last",
          ),
          state: Type.Optional(oneOfWords(shownStates, { description: "State of the series" })),
          q: optional.text("Part of the value of a tag"),
        }),
        response: documented(Type.Array(FleetSeries)),
        detail: {
          scope: "read",
          summary: "List the series of a model with `group_by`",
          description:
            "A page of 50 unless `per_page` says otherwise. Of a live model the series that it watches, else those of its " +
            "active version, `stopped`. The header `X-State-Counts` has the number in each state among those that `q` " +
            "finds, as in `anomalous=2, watched=40`.",
          tags,
        },
      },
    )
    .get(
      "/models/:names/series/:series",
      ({ params }) => fleetSeries.get(readName(params.names), params.series),
      {
        params: path,
        response: documented(FleetSeriesDetail),
        detail: { scope: "read", summary: "Get a series of a model with `group_by`", tags },
      },
    );
}
