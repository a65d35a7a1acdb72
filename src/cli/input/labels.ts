// Labels of a backtest: known anomalies, from a file or the command line.
import { invalid } from "../../core/errors.ts";
import { CsvReader } from "../../core/formats/csv-reader.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readDocument, readText } from "./files.ts";

/** Dates in any format the server accepts. */
export interface Label {
  readonly from: string | number;
  readonly to: string | number;
}

/** `start..end`. @throws TorusError `invalid` */
export function parseLabel(text: string): Label {
  const [from, to, ...more] = text.split("..");
  if (!from || !to || more.length > 0)
    throw invalid("--label", "must be <start>..<end>, as in 2014-12-24..2014-12-26");
  return { from, to };
}

/**
 * A list of `{from, to}`, `{start, end}` or `[from, to]` as JSON or YAML; or CSV with the two in its first columns.
 * @throws TorusError `invalid` naming the entry
 */
export async function readLabels(path: string, terminal: Pick<Terminal, "input">): Promise<Label[]> {
  if (path.endsWith(".csv")) return readCsvLabels(path, terminal);
  const list = await readDocument(path, terminal);
  if (!Array.isArray(list)) throw invalid(path, "must hold a list of {from, to}");
  return list.map((entry, i) => toLabel(entry, `${path}: entry ${i + 1}`));
}

async function readCsvLabels(path: string, terminal: Pick<Terminal, "input">): Promise<Label[]> {
  const reader = new CsvReader();
  const rows = [...reader.push(await readText(path, terminal)), ...reader.end()];
  // A header has no digits; dates have.
  const labelled = rows.filter(({ cells }, i) => i > 0 || /\d/.test(cells[0] ?? ""));
  return labelled.map(({ line, cells }) => toLabel(cells, `${path}: line ${line}`));
}

function toLabel(entry: unknown, place: string): Label {
  const { from, to, start, end } = Object(entry) as Record<string, unknown>;
  const pair = Array.isArray(entry) ? [entry[0], entry[1]] : [from ?? start, to ?? end];
  const [first, last] = pair.map((date) => (date instanceof Date ? date.toISOString() : date));
  if (!isDate(first) || !isDate(last)) throw invalid(place, "must be {from, to} with two dates");
  return { from: first, to: last };
}

function isDate(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}
