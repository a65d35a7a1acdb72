// Tool `read_bucket`: aggregates of a bucket, one number per interval and feature.
import { Type } from "@sinclair/typebox";
import type { SeriesTags } from "../../core/model/fleet.ts";
import { readParameters } from "../../resources/buckets/request.ts";
import { defineTool, type ToolResult } from "../tool.ts";
import { cutTable } from "../views/table.ts";
import { countOf } from "../views/values.ts";

/** Rows of an answer without `rows`, and at most. */
const rowLimits = { usual: 100, most: 1000 } as const;
/** Series of an answer without `max_series`, and at most. */
const seriesLimits = { usual: 5, most: 50 } as const;

export const readBucket = defineTool({
  name: "read_bucket",
  title: "Read a bucket",
  description:
    "Values of a bucket over a range: `features` such as `avg(load)` or `max(cpu.load);count(cpu.load)`, one number per " +
    "`bucket_interval`; null where there is no point. Answers hold the first rows; `left_out` counts the " +
    "others, which begin at `next_from`: read on from there, or choose a longer interval.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object(
    {
      bucket: Type.String({ minLength: 1, maxLength: 256, description: "Name of the bucket" }),
      ...readParameters,
      from: Type.Optional(readParameters.from, false),
      to: Type.Optional(readParameters.to, false),
      bucket_interval: Type.Optional(readParameters.bucket_interval, false),
      features: Type.Optional(readParameters.features, false),
      max_series: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: seriesLimits.most,
          description: `Series of the answer, with \`group_by\`; default ${seriesLimits.usual}`,
        }),
      ),
      rows: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: rowLimits.most,
          description: `Rows of the answer, default ${rowLimits.usual}`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: async ({ bucket, rows = rowLimits.usual, ...given }, { buckets, jobs, deadlineMs, signal }) => {
    const params = given.group_by === undefined ? given : { max_series: seriesLimits.usual, ...given };
    const jobId = await buckets.read(bucket, params);
    const result = (await jobs.wait(jobId, { deadlineMs, signal })) as Plain | Grouped;
    return "series" in result ? showGrouped(result, rows) : showPlain(result, rows);
  },
});

interface Plain {
  readonly timestamps: readonly number[];
  readonly observed: Readonly<Record<string, readonly (number | null)[]>>;
}

interface Grouped {
  readonly timestamps: readonly number[];
  readonly series: readonly { readonly tags: SeriesTags; readonly observed: Plain["observed"] }[];
  readonly truncated: boolean;
}

function showPlain(result: Plain, most: number): ToolResult {
  const table = cutTable(result, most);
  return {
    summary: `${countOf(result.timestamps.length, "interval")}, ${table.left_out} left out.`,
    data: { ...table },
  };
}

/** The rows are shared by all series. */
function showGrouped({ timestamps, series, truncated }: Grouped, most: number): ToolResult {
  const rows = Math.max(1, Math.floor(most / Math.max(1, series.length)));
  const tables = series.map(({ tags, observed }) => ({ tags, ...cutTable({ timestamps, observed }, rows) }));
  const more = truncated ? "; there are more series: raise max_series" : "";
  return {
    summary: `${series.length} series of ${countOf(timestamps.length, "interval")}${more}.`,
    data: { series: tables, truncated },
  };
}
