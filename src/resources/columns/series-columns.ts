// Columns of folded series: `min_`, `mean_`, `max_`, `expected_`, `lower_` and `upper_` before the name of a feature.
import type { ModelSeriesView } from "../../api/series.ts";
import { type Column, type ColumnAnswer, listColumn, makeTable } from "./columns.ts";

interface Part extends ModelSeriesView {
  /** One per cell; counted, not listed. */
  readonly timestamps: { readonly length: number };
}

const cellTime: Column<Part> = {
  name: "time",
  type: "time",
  read:
    ({ from, step }) =>
    (row) =>
      from + row * step,
};

/** A row per cell; the time is its start. @param version as asked for; absent: any */
export function seriesColumns(
  view: ModelSeriesView,
  { model, version }: { readonly model: string; readonly version?: string | undefined },
): ColumnAnswer {
  const { features = {}, expected = {}, score, bucket_interval, step } = view;
  const columns = [
    cellTime,
    ...Object.entries(features).flatMap(([name, { min, mean, max }]) => [
      listColumn<Part>(`min_${name}`, () => min),
      listColumn<Part>(`mean_${name}`, () => mean),
      listColumn<Part>(`max_${name}`, () => max),
    ]),
    ...Object.entries(expected).flatMap(([name, { mean, lower, upper }]) => [
      listColumn<Part>(`expected_${name}`, () => mean),
      listColumn<Part>(`lower_${name}`, () => lower),
      listColumn<Part>(`upper_${name}`, () => upper),
    ]),
    ...(score ? [listColumn<Part>("score", () => score)] : []),
  ];
  const metadata = { model, version, bucket_interval: String(bucket_interval), step: String(step) };
  return { table: makeTable(columns, [{ ...view, timestamps: { length: view.cells } }], metadata) };
}
