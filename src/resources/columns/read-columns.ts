// Columns of a read: the time, the tags of the series, and a column per feature, named like it.
import type { SeriesTags } from "../../core/model/fleet.ts";
import { type Column, type ColumnAnswer, listColumn, makeTable, tagColumns, timeColumn } from "./columns.ts";

/** A read that was submitted. */
export interface ReadSource {
  readonly bucket: string;
  readonly intervalMs: number;
  readonly features: readonly string[];
  /** Tags that part the series; absent: all points are one. */
  readonly groupBy?: readonly string[];
}

interface Part {
  readonly timestamps: readonly number[];
  readonly tags: SeriesTags;
  readonly observed: Readonly<Record<string, readonly (number | null)[]>>;
}

type Result = Omit<Part, "tags"> | Grouped;

interface Grouped extends Pick<Part, "timestamps"> {
  readonly series: readonly Omit<Part, "timestamps">[];
  readonly truncated: boolean;
}

/** @param result of the job `read` */
export function readColumns(
  result: unknown,
  { bucket, intervalMs, features, groupBy = [] }: ReadSource,
): ColumnAnswer {
  const values = features.map((name): Column<Part> => listColumn(name, ({ observed }) => observed[name]));
  const columns = [timeColumn, ...tagColumns(groupBy, [timeColumn, ...values]), ...values];
  const read = result as Result;
  const isGrouped = "series" in read;
  const { timestamps } = read;
  const parts = isGrouped ? read.series.map((one) => ({ timestamps, ...one })) : [{ tags: {}, ...read }];
  const table = makeTable(columns, parts, { bucket, bucket_interval: String(intervalMs / 1000) });
  if (!isGrouped || !read.truncated) return { table };
  return { table, advice: `there are more series than max_series: the answer has ${parts.length}` };
}
