// Command detect-bucket: a first look at a series of a bucket, whose points stay on the server.
import type { StoredAnomalyView, StoredDetectionView } from "../../api/detection.ts";
import { formatTogether } from "../../core/formats/readable.ts";
import { pathOf } from "../client/client.ts";
import { defineCommand } from "../command/command.ts";
import { definedOnly, openRangeOptions } from "../command/options.ts";
import { answerTable, instantColumn } from "../output/present.ts";
import { formatCount } from "../terminal/format.ts";

export const detectBucket = defineCommand({
  name: "detect-bucket",
  group: "data",
  summary: "Detect anomalies in a series of a bucket, without a model",
  details: ["Compares each interval with all others: trend, season and usual deviation. Nothing is stored."],
  arguments: { bucket: { description: "Bucket name" } },
  options: {
    field: { value: "FIELD", required: true, description: "Field to read" },
    metric: { value: "METRIC", fallback: "avg", description: "How the points of an interval are reduced" },
    measurement: { value: "NAME", description: "Measurement of the field" },
    ...openRangeOptions,
    interval: { short: "i", value: "DURATION", fallback: "auto", description: "Length of one interval" },
    "max-threshold": {
      value: "SCORE",
      type: "number",
      fallback: "by the number of values",
      description: "Score from which it is an anomaly, 0..100",
    },
  },
  examples: [["torus detect-bucket metrics --field load --from now-30d", "its oddest stretches"]],
  async run(context, { arguments: { bucket }, options }) {
    const { field, metric = "avg", measurement, from = "now-7d", to, interval = "auto" } = options;
    const body = {
      feature: { field, metric, ...definedOnly({ measurement }) },
      from,
      ...definedOnly({ to, bucket_interval: interval, max_threshold: options["max-threshold"] }),
    };
    const path = `POST ${pathOf("buckets", [bucket])}/_detect`;
    const found = await context.client.call<StoredDetectionView>(path, { body });
    if (context.globals.json) {
      context.answer(found);
      return;
    }
    context.note(`${formatCount(found.found)} intervals of ${found.bucket_interval} s hold points`);
    const { unit } = found;
    const texts = ({ observed, expected }: StoredAnomalyView) =>
      formatTogether([observed, expected], { unit });
    answerTable<StoredAnomalyView>(context, found.anomalies, {
      columns: [
        instantColumn(context, "START", { at: ({ start }) => start }),
        instantColumn(context, "END", { at: ({ end }) => end }),
        { title: "PEAK", align: "right", value: ({ peak_score }) => peak_score.toFixed(1) },
        { title: "TYPE", value: ({ type }) => type },
        {
          title: "OBSERVED",
          align: "right",
          value: (row) => texts(row)[0]!,
          raw: ({ observed }) => observed,
        },
        {
          title: "EXPECTED",
          align: "right",
          value: (row) => texts(row)[1]!,
          raw: ({ expected }) => expected,
        },
        { title: "WHY", value: ({ reason = "" }) => reason },
      ],
      name: ({ start }) => String(start),
      empty: "no anomalies",
    });
  },
});
