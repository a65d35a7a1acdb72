// Converts rows of a CSV file to points: assigns columns to time, fields and tags.
import { invalid, type TorusError } from "../errors.ts";
import { suggestClosest } from "../input/suggest.ts";
import { type CsvRow, toNumber } from "./csv-reader.ts";
import { createTimeReader, type TimeReader } from "./csv-time.ts";

/** Usual names of the time column. */
const timeNames = ["timestamp", "time", "date", "datetime", "ts", "ds", "_time", "unixtime", "epoch"];

export interface ColumnOptions {
  readonly timeColumn?: string | undefined;
  readonly timeFormat?: string | undefined;
  /** Columns that become fields; absent: all numeric ones other than time and tags. */
  readonly columns?: readonly string[] | undefined;
  readonly tagColumns?: readonly string[] | undefined;
  /** Names of the options, for error messages. */
  readonly flags?: Partial<typeof importFlags>;
}

const importFlags = {
  time: "--time-column",
  columns: "--columns",
  format: "--time-format",
  delimiter: "--delimiter",
};

export interface CsvPoint {
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

interface ColumnIndex {
  readonly name: string;
  readonly index: number;
}

/** Converts rows to points by the columns of a header. */
export class PointMaker {
  readonly #width: number;
  readonly #time: ColumnIndex;
  readonly #tags: readonly ColumnIndex[];
  readonly #readTime: TimeReader;
  #values: readonly ColumnIndex[];
  readonly #chosen: boolean;
  readonly #flags: typeof importFlags;

  /** @throws TorusError `invalid` for a column the header does not have */
  constructor(header: readonly string[], options: ColumnOptions) {
    const { timeColumn, timeFormat, columns, tagColumns = [] } = options;
    const flags = { ...importFlags, ...options.flags };
    this.#flags = flags;
    const find = (name: string, flag: string) => findColumn(header, name, flag);
    this.#width = header.length;
    this.#time = timeColumn === undefined ? guessTime(header) : find(timeColumn, flags.time);
    this.#tags = tagColumns.map((name) => find(name, "--tag-columns"));
    this.#readTime = createTimeReader(timeFormat);
    const taken = new Set([this.#time, ...this.#tags].map(({ index }) => index));
    const others = header.map((name, index) => ({ name, index })).filter(({ index }) => !taken.has(index));
    this.#chosen = columns !== undefined;
    this.#values = columns?.map((name) => find(name, flags.columns)) ?? others;
    if (this.#values.length === 0)
      throw invalid("header", `has no column besides the time: check ${flags.delimiter}`);
  }

  /** Columns that become fields. */
  get fields(): readonly string[] {
    return this.#values.map(({ name }) => name);
  }

  get timeColumn(): string {
    return this.#time.name;
  }

  /** Drops columns with text in the first row, unless columns were chosen. @returns their names */
  dropTexts(row: CsvRow): string[] {
    if (this.#chosen) return [];
    const texts = this.#values.filter(({ index }) => Number.isNaN(toNumber(row.cells[index] ?? "")));
    this.#values = this.#values.filter((place) => !texts.includes(place));
    if (this.#values.length === 0) throw malformed(row, "holds no number beside the time");
    return texts.map(({ name }) => name);
  }

  /** @returns undefined for a row without values. @throws TorusError `invalid` naming line and column */
  make(row: CsvRow): CsvPoint | undefined {
    const { cells } = row;
    if (cells.length !== this.#width)
      throw malformed(row, `has ${cells.length} cells, the header has ${this.#width}`);
    const timestamp = this.#readTime(cells[this.#time.index]!);
    if (timestamp === undefined)
      throw malformed(
        row,
        `column ${this.#time.name} holds no time: set ${this.#flags.time} or ${this.#flags.format}`,
      );
    const fields: Record<string, number> = {};
    for (const { name, index } of this.#values) {
      const value = toNumber(cells[index]!);
      if (Number.isNaN(value))
        throw malformed(row, `column ${name} holds no number: set ${this.#flags.columns}`);
      if (value !== undefined) fields[name] = value;
    }
    if (Object.keys(fields).length === 0) return undefined;
    const tags = this.#tags.filter(({ index }) => cells[index] !== "");
    if (tags.length === 0) return { timestamp, ...fields };
    return {
      timestamp,
      ...fields,
      tags: Object.fromEntries(tags.map(({ name, index }) => [name, cells[index]!])),
    };
  }
}

function malformed({ line }: CsvRow, rule: string): TorusError {
  return invalid(`line ${line}`, rule);
}

function findColumn(header: readonly string[], name: string, flag: string): ColumnIndex {
  const index = header.indexOf(name);
  if (index >= 0) return { name, index };
  const near = suggestClosest(name, header);
  throw invalid(
    flag,
    `the file has no column ${name}; ${near ? `did you mean ${near}?` : `it has ${header.join(", ")}`}`,
  );
}

function guessTime(header: readonly string[]): ColumnIndex {
  const index = Math.max(
    0,
    header.findIndex((name) => timeNames.includes(name.toLowerCase())),
  );
  return { name: header[index]!, index };
}
