// Command backtest: trains on a part of the past, detects anomalies in the rest, compares thresholds.
import type { BacktestView } from "../../api/backtest.ts";
import { type Client, pathOf } from "../client/client.ts";
import { defineCommand } from "../command/command.ts";
import {
  definedOnly,
  detachOption,
  rangeOptions,
  rangeQuery,
  recordOptions,
  seriesOption,
} from "../command/options.ts";
import { parseLabel, readLabels } from "../input/labels.ts";
import { readSeries } from "../input/series.ts";
import { renderBacktest } from "../output/backtest-report.ts";
import { countOf } from "../terminal/format.ts";
import { runJob } from "../work/follow-job.ts";

export const backtest = defineCommand({
  name: "backtest",
  group: "models",
  summary: "Train on a part of the past, detect anomalies in the rest, compare thresholds",
  details: [
    "The model itself does not change. Labels must lie in the evaluated part.",
    "Of a model with group_by, one series is tested: --series.",
  ],
  arguments: { model: { description: "Model name" } },
  options: {
    ...rangeOptions,
    ...seriesOption,
    "train-to": { value: "DATE", fallback: "the middle", description: "End of the part to train on" },
    labels: { value: "FILE", description: "Known anomalies: a list of {from, to} as JSON or YAML, or CSV" },
    label: { value: "START..END", many: true, description: "One known anomaly" },
    "label-field": { value: "FIELD", description: "Field that is non-zero during anomalies" },
    "label-bucket": {
      value: "BUCKET",
      fallback: "the bucket of the data",
      description: "Bucket of that field",
    },
    "max-threshold": { value: "SCORE", type: "number", description: "Overrides the model's" },
    "min-threshold": { value: "SCORE", type: "number", description: "Overrides the model's" },
    "max-evals": { short: "m", value: "N", type: "integer", description: "Hyper-parameter trials" },
    epochs: { short: "e", value: "N", type: "integer", description: "Passes over the data" },
    input: { short: "i", value: "BUCKET", description: "Bucket to read from; overrides the model's" },
    ...recordOptions,
    plot: { description: "Draw the scores with anomalies and labels" },
    ...detachOption,
  },
  examples: [
    ["torus backtest trips --from 2014-07-01 --to 2015-02-01", "alerts per week for a range of thresholds"],
    ["torus backtest trips -f 2014-07-01 -t 2015-02-01 --label 2014-12-24..2014-12-26 --plot", "with labels"],
    ["torus backtest trips -f 2014-07-01 --label-field label", "with labels from a field of the bucket"],
  ],
  async run(context, { arguments: { model }, options }) {
    const { plot, detach } = options;
    const fromFile = options.labels === undefined ? [] : await readLabels(options.labels, context.terminal);
    const labels = [...fromFile, ...options.label.map(parseLabel)];
    const query = {
      ...rangeQuery(options),
      ...definedOnly<string | number | boolean>({
        series: readSeries(options.series),
        train_to: options["train-to"],
        label_field: options["label-field"],
        label_bucket: options["label-bucket"],
        max_threshold: options["max-threshold"],
        min_threshold: options["min-threshold"],
        max_evals: options["max-evals"],
        epochs: options.epochs,
        input_bucket: options.input,
        include_scores: plot,
        record: options.record,
        hooks: options.hooks,
      }),
    };
    const body = labels.length > 0 ? { body: { labels } } : {};
    const path = `POST ${pathOf("models", [model])}/_backtest`;
    const submit = (client: Client) => client.call<string>(path, { query, ...body });
    const job = await runJob(context, { label: `backtest ${model}`, detach, submit });
    if (!job) return;
    const result = job.result as BacktestView;
    context.answer(result, () => renderBacktest(context, result));
    if (result.recorded !== undefined)
      context.note(
        `stored ${countOf(result.recorded, "anomaly", "anomalies")}: torus list-anomalies ${model}`,
      );
  },
});
