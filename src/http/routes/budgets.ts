// Routes of error budgets: a list, least remaining first, and the budgets of one model by day.
import { Type } from "@sinclair/typebox";
import { budgetFilters, ErrorBudget, ModelBudget } from "../../api/server/budget.ts";
import { optional } from "../../core/input/optional.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName } from "../framework/names.ts";
import { commonQuery, listQuery, pathNames, query } from "../framework/params.ts";

const { sort: _, ...paging } = listQuery;

/** Routes of error budgets. */
export function createBudgetRoutes({ budgets, holdOpen }: Pick<AppDeps, "budgets" | "holdOpen">) {
  return createInstance()
    .get("/budgets", ({ query }) => budgets.list(query), {
      query: query({ ...paging, ...budgetFilters }),
      response: documented(Type.Array(ErrorBudget)),
      detail: {
        scope: "read",
        summary: "List error budgets, those with the least left first",
        description:
          "Features with `budget` of live models, and of their series: what is left over the rolling window, burn rates, and " +
          "when it is exhausted, with a 90 % band. States are made anew every ten minutes. Those of which nothing was counted come last.",
        tags: ["live detection"],
      },
    })
    .get(
      "/models/:names/budgets",
      ({ params, query, request }) => {
        holdOpen(request);
        return budgets.ofModel(readName(params.names), query, request.signal);
      },
      {
        params: pathNames("Model name"),
        query: query({
          ...commonQuery,
          series: optional.text("Series of a model with `group_by`, as in `host:a,cpu:0`; required there"),
        }),
        response: documented(Type.Array(ModelBudget)),
        detail: {
          scope: "read",
          summary: "Get the error budgets of a model as they are now, by day",
          description: "Read within the request, whether the model is live or not.",
          tags: ["models"],
        },
      },
    );
}
