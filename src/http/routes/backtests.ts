// Route of backtests: trains on part of the past and detects in the rest.
import { Type } from "@sinclair/typebox";
import { Backtest } from "../../api/backtest.ts";
import { JobId } from "../../api/job.ts";
import { backtestParameters } from "../../resources/backtests/request.ts";
import { answerJob } from "../framework/answer-job.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName } from "../framework/names.ts";
import { mergeParams, parameters, pathNames } from "../framework/params.ts";

/** Routes of backtests. */
export function createBacktestRoutes(deps: Pick<AppDeps, "backtests" | "jobs" | "limits" | "holdOpen">) {
  const { backtests } = deps;
  return createInstance().post(
    "/models/:names/_backtest",
    ({ params: { names }, query, body, request }) => {
      const params = mergeParams(query, body);
      return answerJob(deps, {
        params,
        request,
        submit: (options) => backtests.submit(readName(names), params, options),
        inBackground: true,
      });
    },
    {
      params: pathNames("Model name"),
      ...parameters("BacktestParameters", backtestParameters),
      response: documented(Type.Union([Backtest, JobId])),
      detail: {
        scope: "run",
        summary: "Train on part of the past and detect anomalies in the rest, as live detection would",
        description:
          "The versions of the model do not change. The answer is the id of a job; with bg=false it is the result. As in a training, anomalies of live detection in the training part are left out, and false alarms are not raised again.",
        tags: ["models"],
      },
    },
  );
}
