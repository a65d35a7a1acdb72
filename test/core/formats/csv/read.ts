// Reads a text as a CSV file: points, reading, and the error of a refused one.
import { csvFlags } from "../../../../src/cli/input/csv-options.ts";
import { describeGuesses, describeLeftOut } from "../../../../src/core/formats/csv/describe.ts";
import type { CsvOptions } from "../../../../src/core/formats/csv/options.ts";
import type { CsvPoint } from "../../../../src/core/formats/csv/points.ts";
import { CsvTable } from "../../../../src/core/formats/csv/table.ts";
import { errorOf } from "../../expect.ts";

const NOW = Date.UTC(2026, 0, 1);

export interface Read {
  readonly points: readonly CsvPoint[];
  readonly table: CsvTable;
  /** Guesses and what is left out. */
  readonly notes: readonly string[];
}

export function read(text: string, options: Partial<CsvOptions> = {}): Read {
  const table = new CsvTable({ nowAt: NOW, flags: csvFlags, ...options });
  const points = [...table.push(text), ...table.end()];
  const [reading, counts] = [table.reading!, table.counts!];
  const left = describeLeftOut(reading, counts, options.onDuplicate);
  return { points, table, notes: [...describeGuesses(reading, "utf-8"), ...left] };
}

/** `2024-03-04T00:00:00Z value=1 host:a` of each point. */
export function lines(text: string, options: Partial<CsvOptions> = {}): string[] {
  return read(text, options).points.map(({ timestamp, tags = {}, ...fields }) => {
    const at = new Date(timestamp * 1000).toISOString().replace(".000Z", "Z");
    const values = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    return [at, ...values, ...Object.entries(tags).map(([name, value]) => `${name}:${value}`)].join(" ");
  });
}

export function refusal(text: string, options: Partial<CsvOptions> = {}): string {
  return errorOf(() => read(text, options)).message;
}
