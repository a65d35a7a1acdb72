// Tool `error_budgets`: lists error budgets, least remaining first.
import { Type } from "@sinclair/typebox";
import { budgetFilters, type ErrorBudgetView } from "../../api/server/budget.ts";
import type { Listed } from "../../core/input/listed.ts";
import { nameMoved } from "../../core/related/words.ts";
import { describePage, pageArguments, pagingOf } from "../arguments.ts";
import { defineTool } from "../tool.ts";

export const errorBudgets = defineTool({
  name: "error_budgets",
  title: "List error budgets",
  description:
    "What is left of error budgets? Of live models and their series, those with the least left first: the share that is " +
    "left over the rolling window, burn rates over 1 h, 6 h, 1 d and 3 d, whether it burns fast or slowly, and when it is " +
    "exhausted, with a 90 % band. Those of which nothing was counted come last.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object({ ...budgetFilters, ...pageArguments }, { additionalProperties: false }),
  run: async (given, { budgets: resource }) => {
    const paging = pagingOf(given);
    const listed = (await resource.list({ ...given, ...paging })) as Listed<ErrorBudgetView[]>;
    const list = listed.entries;
    const place = describePage(listed, paging);
    const [worst] = list;
    const first = worst && paging.page === 0 ? ` The worst: ${nameMoved(worst)}: ${worst.reasons[0]}.` : "";
    return {
      summary: `${place.total} matching; ${list.length} on this page.${first}`,
      data: { budgets: list.map(showEntry), ...place },
    };
  },
});

const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString();

function showEntry({ exhaustion: { outlook, ...dates }, made, ...rest }: ErrorBudgetView) {
  const shown = Object.entries(dates).map(([key, at]) => [key, at === null ? null : dateOf(at)]);
  return { ...rest, exhaustion: { outlook, ...Object.fromEntries(shown) }, made: dateOf(made) };
}
