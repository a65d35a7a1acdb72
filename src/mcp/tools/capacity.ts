// Tool `capacity`: what runs full, the earliest first.
import { Type } from "@sinclair/typebox";
import { type CapacityView, capacityFilters } from "../../api/server/capacity.ts";
import type { Listed } from "../../core/input/listed.ts";
import { nameMoved } from "../../core/related/words.ts";
import { describePage, pageArguments, pagingOf } from "../arguments.ts";
import { defineTool } from "../tool.ts";

export const capacity = defineTool({
  name: "capacity",
  title: "List what runs full",
  description:
    "When is it full? Features of live models and their series that certainly move towards a limit (of disks, quotas, " +
    "memory), the earliest first: date with a 90 % band, the newest value, the change per day, and how often such dates " +
    "were right before. Those that are not predictable come last, without a date; what is flat is not listed.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object({ ...capacityFilters, ...pageArguments }, { additionalProperties: false }),
  run: async (given, { capacity: resource }) => {
    const paging = pagingOf(given);
    const listed = (await resource.list({ ...given, ...paging })) as Listed<CapacityView[]>;
    const list = listed.entries;
    const place = describePage(listed, paging);
    const first = list.find(({ predictable }) => predictable);
    const earliest =
      first && paging.page === 0 ? ` The earliest: ${nameMoved(first)}, ${dateOf(first.date!)}.` : "";
    return {
      summary: `${place.total} matching; ${list.length} on this page.${earliest}`,
      data: { capacity: list.map(showEntry), ...place },
    };
  },
});

const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString();

function showEntry({ date, earliest, latest, made, ...rest }: CapacityView) {
  return {
    ...rest,
    ...(date !== undefined && { date: dateOf(date) }),
    ...(earliest !== undefined && { earliest: dateOf(earliest) }),
    ...(latest !== undefined && { latest: latest === null ? null : dateOf(latest) }),
    made: dateOf(made),
  };
}
