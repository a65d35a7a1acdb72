// Commands of labels: ranges of a model that people mark as anomalous or normal.
import type { LabelView } from "../../../api/label.ts";
import { invalid } from "../../../core/errors.ts";
import { pathOf } from "../../client/client.ts";
import { defineCommand } from "../../command/command.ts";
import { definedOnly, openRangeOptions, rangeQuery, seriesOption } from "../../command/options.ts";
import { parseSeriesTags, readSeries } from "../../input/series.ts";
import { answerDone, answerTable, instantColumn, seriesColumns } from "../../output/present.ts";
import { deleteResources, yesOption } from "../../work/deletion.ts";

const model = { description: "Model name" } as const;
const labelsOf = (name: string) => `${pathOf("models", [name])}/labels`;

const listLabels = defineCommand({
  name: "list-labels",
  group: "live detection",
  summary: "List the labels of a model, oldest first",
  arguments: { model },
  options: { ...openRangeOptions, ...seriesOption },
  examples: [["torus list-labels trips --from now-90d", "what people marked in the last 90 days"]],
  async run(context, { arguments: { model: name }, options }) {
    const path = `GET ${labelsOf(name)}`;
    const query = { ...rangeQuery(options), ...definedOnly({ series: readSeries(options.series) }) };
    const labels = await context.client.call<LabelView[]>(path, { query });
    answerTable(context, labels, {
      columns: [
        { title: "ID", value: ({ id }) => id },
        instantColumn(context, "FROM", { at: ({ from }) => from }),
        instantColumn(context, "TO", { at: ({ to }) => to }),
        { title: "LABEL", value: ({ anomaly }) => (anomaly ? "anomaly" : "normal") },
        { title: "FEATURE", value: ({ feature }) => feature ?? "-" },
        ...seriesColumns(labels),
        { title: "NOTE", value: ({ note }) => note ?? "" },
      ],
      name: ({ id }) => id,
      empty: "no labels",
    });
  },
});

const addLabel = defineCommand({
  name: "add-label",
  group: "live detection",
  summary: "Mark a range of a model as anomalous or normal",
  details: [
    "The next training excludes anomalous ranges, and tolerates points like those of normal ones.",
    "Backtests take the labels as the truth.",
  ],
  arguments: { model },
  options: {
    from: { ...openRangeOptions.from, required: true },
    to: { ...openRangeOptions.to, required: true },
    anomaly: { description: "The range is anomalous" },
    normal: { description: "The range is normal, whatever it looks like" },
    feature: { value: "NAME", description: "With --normal: the feature that is normal; default: all" },
    note: { value: "TEXT", description: "Comment for people" },
    series: {
      value: "TAGS",
      description: "Series of a model with group_by, as in host=a,cpu=0; default: all",
    },
  },
  examples: [
    [
      "torus add-label trips --from 2026-01-26 --to 2026-01-28 --anomaly --note 'snow storm'",
      "not trained on",
    ],
    ["torus add-label trips --from now-2h --to now-1h --normal", "no alarm for the like of it"],
  ],
  async run(context, { arguments: { model: name }, options: { anomaly, normal, ...options } }) {
    if (Boolean(anomaly) === Boolean(normal))
      throw invalid("--anomaly, --normal", "give one of them: is the range anomalous?");
    const { from, to, feature, note, series } = options;
    const body = {
      ...definedOnly({ from, to, feature, note }),
      anomaly: Boolean(anomaly),
      ...(series !== undefined && { series: parseSeriesTags(series) }),
    };
    const label = await context.client.call<LabelView>(`POST ${labelsOf(name)}`, { body });
    answerDone(context, label, `added ${label.id}`);
  },
});

const deleteLabel = defineCommand({
  name: "delete-label",
  group: "live detection",
  summary: "Delete a label of a model",
  arguments: { model, id: { description: "Id of the label, as list-labels --quiet shows it" } },
  examples: [
    ["torus delete-label trips 3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10", "the range is like any other"],
  ],
  options: yesOption,
  run(context, { arguments: { model: name, id }, options: { yes } }) {
    const path = `${labelsOf(name)}/${encodeURIComponent(id)}`;
    return deleteResources(context, { noun: "label", names: [id], path, yes });
  },
});

export const labelCommands = [listLabels, addLabel, deleteLabel];
