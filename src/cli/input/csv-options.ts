// Options of commands that read CSV files.
import type { Options, OptionValues } from "../../core/formats/command-line.ts";
import type { CsvOptions } from "./csv-batches.ts";

export const fileArgument = {
  file: { description: "CSV file, may be gzip; - reads standard input" },
} as const;

/** The column of timestamps; commands name this option themselves. */
export const timeColumnOption = {
  value: "NAME",
  fallback: "timestamp, time, date, ..., or the first one",
  description: "Column that holds the time",
} as const;

export const csvFormatOptions = {
  "time-format": {
    value: "FORMAT",
    fallback: "auto",
    description: "auto, iso, s, ms, us, ns, or a pattern such as '%d/%m/%Y %H:%M'",
  },
  delimiter: { value: "CHAR", fallback: "detected", description: "Separator of the columns; \\t = tab" },
} as const satisfies Options;

/** The format of a file, from the options of the command. */
export function csvFormatOf(
  options: OptionValues<typeof csvFormatOptions>,
): Pick<CsvOptions, "timeFormat" | "delimiter"> {
  const { "time-format": timeFormat, delimiter } = options;
  return { timeFormat, delimiter: delimiter === "\\t" ? "\t" : delimiter };
}
