// Command `torus budget`: error budgets, those with the least left first.
import type { ErrorBudgetView } from "../../../api/server/budget.ts";
import { defineCommand } from "../../command/command.ts";
import { definedOnly } from "../../command/options.ts";
import { readSeries } from "../../input/series.ts";
import { answerTable, instantColumn, seriesColumns } from "../../output/present.ts";

const percent = (share: number | null) =>
  share === null ? "unknown" : `${Number((100 * share).toPrecision(3))} %`;
const rate = (value: number | null) => (value === null ? "" : String(Number(value.toPrecision(2))));

export const budget = defineCommand({
  name: "budget",
  group: "live detection",
  summary: "Show what is left of error budgets, the least first",
  details: [
    "BURN is the burn rate of the last hour: 1 is as much as the objective allows.",
    "ALERT is fast or slow, by how much of the budget an hour, six hours or three days consume.",
    "WHEN is the instant at which nothing is left if all goes on as it does.",
  ],
  arguments: { model: { description: "Model name; default: all", optional: true } },
  options: { tags: { value: "TAGS", description: "Only series with these tags, as in host=a" } },
  examples: [
    ["torus budget", "every error budget of live models"],
    ["torus budget web", "those of one model"],
  ],
  async run(context, { arguments: { model }, options: { tags } }) {
    const query = definedOnly({ model, tags: readSeries(tags, "--tags") });
    const rows = await context.client.call<ErrorBudgetView[]>("GET /budgets", { query });
    answerTable(context, rows, {
      columns: [
        { title: "LEFT", align: "right", value: ({ remaining }) => percent(remaining) },
        { title: "MODEL", value: ({ model: name }) => name },
        ...seriesColumns(rows),
        { title: "FEATURE", value: ({ feature }) => feature },
        {
          title: "OBJECTIVE",
          align: "right",
          value: ({ objective }) => `${Number((100 * objective).toFixed(7))} %`,
        },
        { title: "BURN", align: "right", value: ({ rates }) => rate(rates["1h"]) },
        { title: "ALERT", value: ({ burn }) => burn ?? "" },
        { title: "EXHAUSTION", value: ({ exhaustion: { outlook } }) => outlook.replaceAll("_", " ") },
        instantColumn(context, "WHEN", { at: ({ exhaustion }) => exhaustion.date, isWhole: true }),
      ],
      name: ({ model: name }) => name,
      empty: "no error budgets of live models",
    });
  },
});
