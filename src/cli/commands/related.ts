// Command `torus related`: what deviated beside an anomaly, or together in a range, the most probable cause first.
import type { RelatedScanView, RelatedSeriesView, RelatedView } from "../../api/related.ts";
import { invalid } from "../../core/errors.ts";
import { pathOf } from "../client/client.ts";
import { defineCommand } from "../command/command.ts";
import { definedOnly, openRangeOptions, rangeQuery } from "../command/options.ts";
import { readSeries } from "../input/series.ts";
import { answerTable, instantColumn, seriesColumns } from "../output/present.ts";

export const related = defineCommand({
  name: "related",
  group: "live detection",
  summary: "Show what else moved beside an anomaly, the most probable cause first",
  arguments: {
    anomaly: { description: "Id of the anomaly; default: what moved in a range", optional: true },
  },
  options: {
    ...openRangeOptions,
    tags: { value: "TAGS", description: "In a range: only series with these tags, as in host=a" },
    scan: {
      description: "Score the series of a bucket, also those that no model watches: seconds to minutes",
    },
    bucket: {
      short: "b",
      value: "BUCKET",
      description: "With --scan: the bucket; default: that of the model",
    },
    "bucket-interval": {
      value: "DURATION",
      type: "duration",
      fallback: "1m, or that of the model",
      description: "With --scan: length of an interval, at least the distance of the points",
    },
    limit: {
      value: "N",
      type: "integer",
      fallback: "10",
      description: "Maximum number of series, up to 100",
    },
  },
  examples: [
    ["torus related 0f6c1c9e-6d1f-4d7c-9a55-2a9f1b1d7c11", "what moved with it, and what moved first"],
    ["torus related --from now-2h --tags env=prod", "what moved together in the last two hours"],
    ["torus related --from now-2h --scan --bucket metrics", "the same among all series of a bucket"],
  ],
  async run(context, { arguments: { anomaly }, options }) {
    const { limit = 10, from, to, scan, bucket, "bucket-interval": bucket_interval } = options;
    const tags = readSeries(options.tags, "--tags");
    if (anomaly !== undefined && (from ?? to ?? tags) !== undefined)
      throw invalid("--from", "and --to and --tags are for a range: leave the anomaly out, or them");
    const path = anomaly === undefined ? "/related" : `${pathOf("anomalies", [anomaly])}/related`;
    const ends = anomaly === undefined ? { from: "now-1h", ...rangeQuery(options) } : {};
    const query = {
      ...ends,
      ...definedOnly<string | boolean>({ tags, scan, bucket, bucket_interval }),
      limit,
    };
    const answer = await context.client.call<RelatedView | RelatedScanView>(`GET ${path}`, { query });
    if (context.globals.json) return void context.answer(answer);
    context.note(answer.summary);
    const related: readonly Shown[] = answer.related;
    answerTable(context, related, {
      columns: [
        instantColumn(context, "SINCE", { at: ({ onset }: Shown) => onset }),
        ...(scan
          ? [{ title: "MEASUREMENT", value: ({ measurement }: Shown) => measurement ?? "-" }]
          : [{ title: "MODEL", value: ({ model }: Shown) => model ?? "-" }]),
        ...seriesColumns(related),
        { title: "FEATURE", value: ({ feature, type }) => `${feature} ${type}` },
        { title: "CAUSE", align: "right", value: ({ confidence }) => `${Math.round(100 * confidence)} %` },
        { title: "REASONS", value: ({ reasons }) => reasons.join("; ") },
      ],
      name: ({ anomaly: id, model, feature }) => id ?? model ?? feature,
      empty: "nothing is related",
    });
  },
});

/** A series that live detection scores, or one of a scan. */
type Shown = Omit<RelatedSeriesView, "model"> & { readonly model?: string; readonly measurement?: string };
