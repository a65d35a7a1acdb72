// A CSV file as points, and how it was read: the reader of the command import-csv, on the bytes of a file.
import { TextReader } from "../../../core/formats/csv/decode.ts";
import {
  describeGuesses,
  describeLeftOut,
  listColumns,
  listFields,
} from "../../../core/formats/csv/describe.ts";
import { type CsvOptions, type FlagNames, onDuplicates } from "../../../core/formats/csv/options.ts";
import type { CsvPoint } from "../../../core/formats/csv/points.ts";
import { CsvTable } from "../../../core/formats/csv/table.ts";
import type { CsvWords } from "../../../core/formats/csv/words/reading.ts";
import { zoneName } from "../../state/preferences.ts";

/** What was typed for options, lists separated by commas; empty: by content, `none`: no separator of thousands. */
export type ReadingDraft = Readonly<Partial<Record<keyof FlagNames, string>>>;

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
  readonly flags: FlagNames;
  readonly words: CsvWords;
}

/** @returns undefined for a file without points. @throws TorusError naming the line that is wrong */
export function planFile(
  { name, bytes, nowAt, flags, words }: FileToRead,
  draft: ReadingDraft,
): CsvPlan | undefined {
  const options = toOptions(draft);
  const table = new CsvTable({ nowAt, flags, ...options });
  const text = new TextReader();
  const points = [...table.push(text.push(bytes)), ...table.push(text.end()), ...table.end()];
  const { reading, counts } = table;
  if (!reading || !counts || points.length === 0) return undefined;
  return {
    file: name,
    points,
    time: reading.roles.time.name,
    fields: listFields(reading, counts),
    columns: listColumns(reading, words),
    notes: [
      ...describeGuesses(reading, text.encoding, words),
      ...describeLeftOut(reading, counts, options.onDuplicate, words),
    ],
    first: counts.first!,
    last: counts.last!,
  };
}

function toOptions(draft: ReadingDraft): Omit<CsvOptions, "nowAt" | "flags"> {
  const text = (key: keyof FlagNames) => draft[key]?.trim() || undefined;
  const words = (key: keyof FlagNames) =>
    text(key)
      ?.split(",")
      .map((word) => word.trim());
  const skip = text("skip");
  return {
    timeColumn: text("time"),
    columns: words("columns"),
    header: words("header"),
    delimiter: draft.delimiter?.replace("\\t", "\t") || undefined,
    timezone: text("timezone"),
    isAssumedZone: draft.timezone === zoneName.value,
    timeFormat: text("format"),
    decimal: text("decimal"),
    thousands: draft.thousands === "none" ? "" : draft.thousands || undefined,
    tagColumns: words("tags"),
    missing: words("missing"),
    skipLines: skip === undefined ? undefined : Number(skip),
    onDuplicate: onDuplicates.find((each) => each === draft.duplicate),
  };
}
