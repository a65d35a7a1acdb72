// Command `torus capacity`: what runs full, the earliest first.
import type { CapacityView } from "../../../api/server/capacity.ts";
import { formatSi } from "../../../core/formats/readable.ts";
import { defineCommand } from "../../command/command.ts";
import { definedOnly } from "../../command/options.ts";
import { readSeries } from "../../input/series.ts";
import { answerTable, instantColumn, seriesColumns } from "../../output/present.ts";

const withUnit = (value: number, { unit }: CapacityView) => formatSi(value, { unit });

export const capacity = defineCommand({
  name: "capacity",
  group: "live detection",
  summary: "Show what runs full, the earliest first",
  details: [
    "TRUST is how many dates of the same series were right within 20 % of the lead at earlier times.",
    "Series whose earlier dates were wrong are listed last, without a date.",
  ],
  arguments: { model: { description: "Model name; default: all", optional: true } },
  options: {
    within: { value: "DURATION", description: "Only what is full within this time, as in 30d" },
    tags: { value: "TAGS", description: "Only series with these tags, as in host=a" },
  },
  examples: [
    ["torus capacity", "every series that runs full"],
    ["torus capacity --within 30d --tags env=prod", "those of production within a month"],
  ],
  async run(context, { arguments: { model }, options: { within, tags } }) {
    const query = definedOnly({ model, within, tags: readSeries(tags, "--tags") });
    const rows = await context.client.call<CapacityView[]>("GET /capacity", { query });
    answerTable(context, rows, {
      columns: [
        instantColumn(context, "WHEN", { at: ({ date }) => date, none: "not predictable", isWhole: true }),
        { title: "MODEL", value: ({ model: name }) => name },
        ...seriesColumns(rows),
        { title: "FEATURE", value: ({ feature }) => feature },
        { title: "NOW", align: "right", value: (row) => withUnit(row.now, row) },
        { title: "LIMIT", align: "right", value: (row) => withUnit(row.limit.value, row) },
        { title: "PER DAY", align: "right", value: (row) => withUnit(row.per_day, row) },
        { title: "TRUST", align: "right", value: ({ backtest: { right, of } }) => `${right} of ${of}` },
      ],
      name: ({ model: name }) => name,
      empty:
        "nothing is known to run full; what is live is judged after its first evaluation, fleets once they are trained",
    });
  },
});
