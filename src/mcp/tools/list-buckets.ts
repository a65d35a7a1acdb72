// Tool `list_buckets`: data sources with their settings, without secrets.
import { Type } from "@sinclair/typebox";
import type { Listed } from "../../core/input/listed.ts";
import { describePage, pageArguments, pagingOf } from "../arguments.ts";
import { defineTool } from "../tool.ts";
import { countOf, withoutNulls } from "../views/values.ts";

export const listBuckets = defineTool({
  name: "list_buckets",
  title: "List buckets",
  description:
    "Data sources by name: type and settings, without secrets. explore_bucket lists what is in one, read_bucket reads it.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object(pageArguments, { additionalProperties: false }),
  run: async (given, { buckets }) => {
    const paging = pagingOf(given);
    const listed = (await buckets.list({ ...paging })) as Listed<Record<string, unknown>[]>;
    const list = listed.entries;
    const place = describePage(listed, paging);
    return {
      summary: `${countOf(place.total, "bucket")}, ${list.length} on this page.`,
      data: { buckets: list.map(withoutNulls), ...place },
    };
  },
});
