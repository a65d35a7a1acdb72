// Table of a prediction: of one series, or of a page of the series of a fleet, a row per series and instant.
import type { SeriesTags } from "../../core/model/fleet.ts";
import type { SeriesResult } from "../client/views.ts";
import type { Context } from "../command/command.ts";
import { printSeries } from "../input/series.ts";
import type { Column } from "../terminal/table.ts";
import { answerTable, instantColumn } from "./present.ts";
import { answerSeries, describeConstraint, valueColumns } from "./series.ts";

/** Result for a page of series. */
export interface SeriesPage {
  readonly series: readonly SeriesEntry[];
  readonly page: number;
  readonly per_page: number;
  readonly total: number;
}

type SeriesEntry =
  | (SeriesResult & { readonly tags: SeriesTags; readonly recorded?: number })
  | { readonly tags: SeriesTags; readonly code: string; readonly error: string };

interface PageRow {
  readonly tags: SeriesTags;
  /** Seconds since the epoch. */
  readonly at: number;
  /** Index of the instant in the result of the series. */
  readonly i: number;
  readonly columns: readonly Column<number>[];
}

/** Prints the result of a forecast or an evaluation. */
export function answerPrediction(context: Context, result: SeriesResult | SeriesPage): void {
  if (!("series" in result)) answerSeries(context, result);
  else if (context.globals.json) context.answer(result);
  else answerPage(context, result);
}

function answerPage(context: Context, result: SeriesPage): void {
  const found = result.series.flatMap((entry) => ("error" in entry ? [] : [entry]));
  const rows = found.flatMap((entry): PageRow[] => {
    const columns = valueColumns(entry);
    return entry.timestamps.map((at, i) => ({ tags: entry.tags, at, i, columns }));
  });
  answerTable(context, rows, {
    columns: pageColumns(context, rows),
    name: ({ at }) => String(at),
    empty: "no data in this range",
  });
  for (const { tags, constraint, units } of found)
    if (constraint) context.note(`${printSeries(tags)}: ${describeConstraint(constraint, units)}`);
  for (const entry of result.series)
    if ("error" in entry) context.note(`${printSeries(entry.tags)}: ${entry.error}`);
  if (result.total > result.series.length)
    context.note(`${result.series.length} of ${result.total} series: --series, --page, --per-page`);
}

function pageColumns(context: Context, rows: readonly PageRow[]): Column<PageRow>[] {
  const [first] = rows;
  const tagColumns = Object.keys(first?.tags ?? {}).map(
    (tag): Column<PageRow> => ({ title: tag.toUpperCase(), key: tag, value: ({ tags }) => tags[tag] ?? "" }),
  );
  const values = (first?.columns ?? []).map(
    (column, k): Column<PageRow> => ({
      ...column,
      value: ({ columns, i }) => columns[k]?.value(i) ?? "",
      raw: ({ columns, i }) => (columns[k]?.raw ?? columns[k]?.value)?.(i),
    }),
  );
  return [...tagColumns, instantColumn<PageRow>(context, "TIME", { at: ({ at }) => at }), ...values];
}
