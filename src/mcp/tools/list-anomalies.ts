// Tool `list_anomalies`: anomalies of one model or of all, newest first.
import { Type } from "@sinclair/typebox";
import type { AnomalyView } from "../../api/anomaly.ts";
import type { Listed } from "../../core/input/listed.ts";
import { anomalyFilters } from "../../resources/live/request.ts";
import { describePage, modelArgument, pageArguments, pagingOf } from "../arguments.ts";
import { defineTool } from "../tool.ts";
import { lineOfAnomaly } from "../views/anomaly.ts";

export const listAnomalies = defineTool({
  name: "list_anomalies",
  title: "List anomalies",
  description:
    "Anomalies of one model, or of all, newest first: start and end (null while it lasts), peak score, severity, and " +
    "which features were too high or too low. explain_anomaly has the numbers of one.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object(
    { model: Type.Optional(modelArgument), ...anomalyFilters, ...pageArguments },
    { additionalProperties: false },
  ),
  run: async ({ model, ...given }, { anomalies }) => {
    const paging = pagingOf(given);
    const listed = (await anomalies.list({ ...given, ...paging }, model)) as Listed<AnomalyView[]>;
    const list = listed.entries;
    const place = describePage(listed, paging);
    const open = list.filter(({ end }) => end === null).length;
    return {
      summary: `${place.total} matching; ${list.length} on this page, ${open} of them in progress.`,
      data: { anomalies: list.map(lineOfAnomaly), ...place },
    };
  },
});
