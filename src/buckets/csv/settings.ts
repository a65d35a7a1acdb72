// Settings of CSV buckets: the file or folder, and the meaning of its columns.
import { type Static, Type } from "@sinclair/typebox";
import { createTimeReader } from "../../core/formats/csv-time.ts";
import { seriesBySetting } from "../shared/series-by.ts";

const nameRule = "must be a name of 1 to 256 characters";
const Column = (description: string, more = {}) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 256, description, rule: nameRule, ...more }));

export const settings = Type.Object(
  {
    path: Type.String({
      pattern: "^[^\\u0000]{1,4096}$",
      description:
        "File or folder below `storage.data_root` of the server; of a folder the .csv and .tsv files, also as .gz",
      rule: "must be the path of a file or folder below storage.data_root",
    }),
    time_column: Column("Column with the time", { default: "timestamp" }),
    time_format: Column(
      "`auto`, `iso`, `s`, `ms`, `us`, `ns`, `excel` (days of a spreadsheet), or a pattern such as `%d/%m/%Y %H:%M`; times without an offset are UTC",
      { default: "auto" },
    ),
    delimiter: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1,
        description: "Separator of cells; absent: detected from the first line",
        rule: "must be one character",
      }),
    ),
    header: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 10_000,
        description: "Names of the columns, for files without a header line",
        rule: "must be a list of names",
      }),
    ),
    series_by: seriesBySetting("Columns"),
  },
  { additionalProperties: false },
);
export type CsvSettings = Static<typeof settings>;

/** @throws TorusError `invalid` for an unknown time format */
export function checkSettings({ time_format }: CsvSettings): void {
  createTimeReader(time_format, "time_format");
}
