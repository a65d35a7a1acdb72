// Commands of the series of a model with `group_by`: a list, and one of them.
import type { FleetSeriesDetailView, FleetSeriesView } from "../../../api/fleet.ts";
import { formatSeries } from "../../../core/model/series-text.ts";
import { shownStates } from "../../../core/series/series-status.ts";
import { pathOf } from "../../client/client.ts";
import { defineCommand } from "../../command/command.ts";
import { definedOnly, pageOptions } from "../../command/options.ts";
import { parseSeriesTags, printSeries } from "../../input/series.ts";
import { answerObjects, answerTable, instantColumn } from "../../output/present.ts";
import { formatNumber, formatScore } from "../../terminal/format.ts";

const model = { description: "Model name" } as const;

const listSeries = defineCommand({
  name: "list-series",
  group: "models",
  summary: "List the series of a model with group_by",
  arguments: { model },
  options: {
    state: { value: "STATE", choices: shownStates, description: "Only series in this state" },
    q: { value: "TEXT", description: "Only series with this text in the value of a tag" },
    sort: { value: "FIELD:1|-1", fallback: "tags:1", description: "By tags, score or newest_point" },
    ...pageOptions,
  },
  examples: [
    ["torus list-series cpu --sort score:-1 --per-page 10", "the oddest ten"],
    ["torus list-series cpu --state silent", "series whose points have stopped"],
  ],
  async run(context, { arguments: { model: name }, options }) {
    const { "per-page": per_page, ...filter } = options;
    const query = definedOnly<string | number>({ ...filter, per_page });
    const path = `GET ${pathOf("models", [name])}/series`;
    const answer = await context.client.open(path, { query });
    const series = (await answer.json()) as FleetSeriesView[];
    const total = Number(answer.headers.get("x-total-count") ?? series.length);
    answerTable(context, series, {
      columns: [
        { title: "SERIES", value: ({ tags }) => printSeries(tags) },
        { title: "STATE", value: ({ state }) => state },
        {
          title: "SCORE",
          align: "right",
          value: ({ score }) => formatScore(score),
          raw: ({ score }) => score,
        },
        {
          title: "FITTED",
          align: "right",
          value: ({ fitted }) => formatNumber(fitted),
          raw: ({ fitted }) => fitted,
        },
        instantColumn(context, "NEWEST POINT", { at: ({ newest_point }) => newest_point }),
      ],
      name: ({ tags }) => formatSeries(tags),
      empty: "no series",
    });
    if (total > series.length && !context.globals.json && !context.globals.quiet)
      context.note(`${series.length} of ${total} series: --page, --per-page`);
  },
});

const showSeries = defineCommand({
  name: "show-series",
  group: "models",
  summary: "Show a series of a model with group_by: state, score, what live detection has found",
  arguments: { model, series: { description: "All tags of group_by, as in host=a,cpu=0" } },
  examples: [["torus show-series cpu host=a,cpu=0", "as YAML"]],
  async run(context, { arguments: { model: name, series } }) {
    const text = formatSeries(parseSeriesTags(series, "SERIES"));
    const path = `GET ${pathOf("models", [name])}/series/${encodeURIComponent(text)}`;
    await answerObjects(context, [await context.client.call<FleetSeriesDetailView>(path)]);
  },
});

export const seriesCommands = [listSeries, showSeries];
