// Output of results: table, names, YAML, JSON, CSV or TSV, as the options choose.
import { invalid } from "../../core/errors.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import type { Context } from "../command/command.ts";
import { printSeries } from "../input/series.ts";
import { type Column, clean, keyOf, renderSeparated, renderTable } from "../terminal/table.ts";
import { withLocalTimes } from "../terminal/times.ts";

interface TableSpec<T> {
  readonly columns: readonly Column<T>[];
  /** The output for a row with `--quiet`. */
  readonly name: (row: T) => string;
  /** Note for an empty list. */
  readonly empty: string;
}

interface InstantSpec<T> {
  /** Seconds since the epoch. */
  readonly at: (row: T) => number | null | undefined;
  /** Text for a missing instant; default `-`. */
  readonly none?: string;
  /** Drop fractions of a second. */
  readonly isWhole?: boolean;
}

/** A column of instants in the zone of the command line, named in its title; ISO 8601 in CSV. */
export function instantColumn<T>({ times }: Context, title: string, spec: InstantSpec<T>): Column<T> {
  const { at, none = "-", isWhole = false } = spec;
  const whole = (seconds: number) => (isWhole ? Math.floor(seconds) : seconds);
  return {
    title: `${title} (${times.zone})`,
    key: keyOf(title),
    value: (row) => {
      const seconds = at(row);
      return typeof seconds === "number" ? times.format(whole(seconds)) : none;
    },
    raw: (row) => times.iso(at(row)),
  };
}

interface OfSeries {
  readonly series?: SeriesTags | undefined;
  readonly share?: number | undefined;
}

/** The series of each row; no column where no row has one. */
export function seriesColumns<T extends OfSeries>(rows: readonly T[]): Column<T>[] {
  if (!rows.some(({ series, share }) => series ?? share)) return [];
  return [{ title: "SERIES", value: describeSubject }];
}

/** `host=a, cpu=0`, or `40 % of all`. */
function describeSubject({ series, share }: OfSeries): string {
  if (share !== undefined) return `${Math.round(100 * share)} % of all`;
  return series ? printSeries(series) : "-";
}

/** Prints a list: JSON with `--json`, CSV or TSV with `--format`, names with `--quiet`, otherwise a table. */
export function answerTable<T>(context: Context, rows: readonly T[], spec: TableSpec<T>): void {
  const { globals, colour } = context;
  const { format } = globals;
  if (format === "csv" || format === "tsv") {
    context.terminal.write(renderSeparated(rows, spec.columns, format));
    return;
  }
  const isEmpty = rows.length === 0;
  if (isEmpty && !globals.json) context.note(spec.empty);
  context.answer(rows, () => {
    if (isEmpty) return "";
    if (globals.quiet) return rows.map((row) => clean(spec.name(row))).join("\n");
    return renderTable(rows, spec.columns, { colour });
  });
}

/** Prints objects as YAML, or as JSON with `--json`. In YAML a single object is not wrapped in a list. */
export async function answerObjects(context: Context, objects: readonly unknown[]): Promise<undefined> {
  if (context.globals.json) {
    context.answer(objects);
    return;
  }
  const { globals, times } = context;
  if (globals.format === "csv" || globals.format === "tsv")
    throw invalid("--format", "csv and tsv are for lists and series: choose json");
  const { stringify } = await import("yaml");
  const shown = times.isChosen ? objects.map((object) => withLocalTimes(object, times)) : objects;
  context.print(stringify(shown.length === 1 ? shown[0] : shown));
}

/** Reports a completed action: a note for people, the server's answer with `--json`. */
export function answerDone(context: Context, answer: unknown, remark: string): void {
  if (context.globals.json) context.answer(answer);
  else context.note(remark);
}
