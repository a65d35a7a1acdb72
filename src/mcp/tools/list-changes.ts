// Tool `list_changes`: deployments and other recorded changes, newest first.
import { Type } from "@sinclair/typebox";
import type { ChangeView } from "../../api/changes/change.ts";
import type { Listed } from "../../core/input/listed.ts";
import { changeFilters } from "../../resources/changes.ts";
import { describePage, pageArguments, pagingOf } from "../arguments.ts";
import { defineTool } from "../tool.ts";
import { isoOf } from "../views/values.ts";

export const listChanges = defineTool({
  name: "list_changes",
  title: "List changes",
  description:
    "What was deployed or changed, newest first: deployments, configuration changes and others that pipelines sent, with " +
    "time, kind, tags and the address of their page. explain_anomaly has those before an anomaly that may be its cause.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object({ ...changeFilters, ...pageArguments }, { additionalProperties: false }),
  run: async (given, { changes }) => {
    const paging = pagingOf(given);
    const listed = (await changes.list({ ...given, ...paging })) as Listed<ChangeView[]>;
    const list = listed.entries;
    const place = describePage(listed, paging);
    const newest = list[0] && paging.page === 0 ? ` The newest: ${list[0].title}, ${isoOf(list[0].at)}.` : "";
    return {
      summary: `${place.total} matching; ${list.length} on this page.${newest}`,
      data: { changes: list.map(showChange), ...place },
    };
  },
});

function showChange({ at, end, created_timestamp: _, ...rest }: ChangeView) {
  return { at: isoOf(at), ...(end !== undefined && { end: isoOf(end) }), ...rest };
}
