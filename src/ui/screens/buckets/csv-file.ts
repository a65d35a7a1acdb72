// A CSV file as points, and how it was read: the reader of the command import-csv, on the bytes of a file.
import { TextReader } from "../../../core/formats/csv/decode.ts";
import {
  describeGuesses,
  describeLeftOut,
  listColumns,
  listFields,
} from "../../../core/formats/csv/describe.ts";
import type { CsvOptions, FlagNames } from "../../../core/formats/csv/options.ts";
import type { CsvPoint } from "../../../core/formats/csv/points.ts";
import { CsvTable } from "../../../core/formats/csv/table.ts";

/** What was typed to say how the file is to be read; empty: by content. */
export interface ReadingDraft {
  readonly timezone: string;
  readonly timeFormat: string;
  readonly decimal: string;
  readonly tagColumns: string;
}

export interface CsvPlan {
  readonly file: string;
  readonly points: readonly CsvPoint[];
  /** Name of the column of the time. */
  readonly time: string;
  readonly fields: readonly string[];
  /** Each column, and what becomes of it. */
  readonly columns: readonly { readonly name: string; readonly use: string }[];
  /** Guesses, and what is left out, a sentence each. */
  readonly notes: readonly string[];
  /** Seconds since the epoch. */
  readonly first: number;
  readonly last: number;
}

interface FileToRead {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly nowAt: number;
  /** Names of the inputs, for messages. */
  readonly flags: Partial<FlagNames>;
}

/** @returns undefined for a file without points. @throws TorusError naming the line that is wrong */
export function planFile(
  { name, bytes, nowAt, flags }: FileToRead,
  draft: ReadingDraft,
): CsvPlan | undefined {
  const table = new CsvTable({ nowAt, flags, ...toOptions(draft) });
  const text = new TextReader();
  const points = [...table.push(text.push(bytes)), ...table.push(text.end()), ...table.end()];
  const { reading, counts } = table;
  if (!reading || !counts || points.length === 0) return undefined;
  return {
    file: name,
    points,
    time: reading.roles.time.name,
    fields: listFields(reading, counts),
    columns: listColumns(reading),
    notes: [...describeGuesses(reading, text.encoding), ...describeLeftOut(reading, counts, undefined)],
    first: counts.first!,
    last: counts.last!,
  };
}

function toOptions({ timezone, timeFormat, decimal, tagColumns }: ReadingDraft): Omit<CsvOptions, "nowAt"> {
  const tags = tagColumns.split(",").map((name) => name.trim());
  return {
    timezone: timezone.trim() || undefined,
    timeFormat: timeFormat.trim() || undefined,
    decimal: decimal || undefined,
    tagColumns: tagColumns.trim() === "" ? undefined : tags,
  };
}
