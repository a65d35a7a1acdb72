// Notes on the reading of a CSV file, and the preview of a dry run.
import {
  describeGuesses,
  describeLeftOut,
  listColumns,
  nameDelimiter,
} from "../../core/formats/csv/describe.ts";
import type { CsvPoint } from "../../core/formats/csv/points.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import type { Context } from "../command/command.ts";
import type { CsvBatches } from "../input/csv-batches.ts";
import { renderTable } from "../terminal/table.ts";

/** Guesses that are not usual, and rows that are left out. */
export function describeFile({ reading, counts, options, encoding }: CsvBatches): string[] {
  const { texts, leftOut, ...roles } = reading.roles;
  // Columns of text are no loss where numbers are analysed.
  const left = describeLeftOut(
    { ...reading, roles: { ...roles, texts: [], leftOut: [] } },
    { ...counts, empty: 0 },
    options.onDuplicate,
  );
  return [...describeGuesses(reading, encoding), ...left];
}

/** The zone of local times, where only that of printed ones was given. @param timezone that was given for the file */
export function describeZone(
  { reading, counts, options }: CsvBatches,
  timezone: string | undefined,
): string | undefined {
  const isTaken =
    counts.isLocal &&
    timezone === undefined &&
    reading.roles.time.timezone === undefined &&
    options.timezone !== undefined;
  return isTaken ? `times without an offset are read in ${options.timezone}, that of --tz` : undefined;
}

/** The columns, the reading, and the first points as they are stored. */
export function previewFile(context: Context, batches: CsvBatches, points: readonly CsvPoint[]): string {
  const { reading } = batches;
  const { times } = context;
  const columns = renderTable(
    listColumns(reading),
    [
      { title: "COLUMN", value: ({ name }) => name },
      { title: "IS READ AS", value: ({ use }) => use },
    ],
    context,
  );
  const fields = [...new Set(points.flatMap(({ timestamp: _, tags: __, ...fields }) => Object.keys(fields)))];
  const hasTags = points.some(({ tags }) => tags);
  const rows = renderTable(
    points,
    [
      { title: `TIME (${times.zone})`, value: ({ timestamp }) => times.format(timestamp) },
      ...(hasTags
        ? [{ title: "TAGS", value: ({ tags }: CsvPoint) => (tags ? describeSeries(tags) : "-") }]
        : []),
      ...fields.map((name) => ({
        title: name,
        align: "right" as const,
        value: (point: CsvPoint) => String(point[name] ?? "-"),
      })),
    ],
    context,
  );
  return [`columns, separated by ${nameDelimiter(reading)}:`, columns, "", "first points:", rows].join("\n");
}
