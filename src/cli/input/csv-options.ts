// Options of commands that read CSV files: one set, with one meaning.

import type { Options, OptionValues } from "../../core/formats/command-line.ts";
import { type CsvOptions, type FlagNames, onDuplicates } from "../../core/formats/csv/options.ts";
import { TIME_FORMATS } from "../../core/formats/csv-time.ts";

export const fileArgument = {
  file: { description: "CSV file, may be gzip; - reads standard input" },
} as const;

/** The column of timestamps; commands name this option themselves. */
export const timeColumnOption = {
  value: "NAME",
  fallback: "chosen by content",
  description: "Column that holds the time, or several to join, as in Date+Time",
} as const;

/** Names of the options in messages. */
export const csvFlags: FlagNames = {
  time: "--time-column",
  format: "--time-format",
  timezone: "--timezone",
  columns: "--columns",
  tags: "--tag-columns",
  header: "--header",
  delimiter: "--delimiter",
  decimal: "--decimal",
  thousands: "--thousands",
  missing: "--missing",
  skip: "--skip-lines",
  duplicate: "--on-duplicate",
};

export const csvFormatOptions = {
  "time-format": {
    value: "FORMAT",
    fallback: "auto",
    description: TIME_FORMATS,
  },
  timezone: {
    value: "ZONE",
    fallback: "--tz, or UTC",
    description: "Time zone of times without an offset in the file, as in Europe/Berlin",
  },
  "tag-columns": {
    value: "A,B",
    type: "list",
    fallback: "text that tells apart rows of one time",
    description: "Columns whose values are a series each",
  },
  header: { value: "A,B", type: "list", description: "Names of the columns, for a file without a header" },
  delimiter: { value: "CHAR", fallback: "detected", description: "Separator of the columns; \\t = tab" },
  decimal: { value: "CHAR", fallback: "detected", description: "Decimal separator of numbers: . or ," },
  thousands: {
    value: "CHAR",
    fallback: "detected",
    description: "Separator of thousands: . , ' or a blank; empty for none",
  },
  missing: {
    value: "A,B",
    type: "list",
    description: "Further words for a missing value; a line whose time is one is left out",
  },
  "skip-lines": { value: "N", type: "integer", description: "Lines before the header" },
  "on-duplicate": {
    value: "WHICH",
    choices: onDuplicates,
    fallback: "error",
    description: "Of two values of a series at one time: refuse the file, or keep the last or the first",
  },
} as const satisfies Options;

/** The format of a file, from the options of the command. @param tz zone of printed times, if it was chosen */
export function csvFormatOf(
  options: OptionValues<typeof csvFormatOptions>,
  tz: string | undefined,
): Omit<CsvOptions, "nowAt" | "timeColumn" | "columns" | "flags"> {
  const { delimiter } = options;
  return {
    timeFormat: options["time-format"],
    timezone: options.timezone ?? tz,
    isAssumedZone: options.timezone === undefined,
    tagColumns: options["tag-columns"],
    header: options.header,
    delimiter: delimiter === "\\t" ? "\t" : delimiter,
    decimal: options.decimal,
    thousands: options.thousands,
    missing: options.missing,
    skipLines: options["skip-lines"],
    onDuplicate: options["on-duplicate"],
  };
}
