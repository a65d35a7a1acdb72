// Notes on the reading of a CSV file: one sentence for each guess and each column that is left out.
import type { Encoding } from "./decode.ts";
import type { CsvOptions } from "./options.ts";
import type { RowCounts } from "./row-counts.ts";
import type { CsvReading } from "./table.ts";
import { sayTitles } from "./table-names.ts";

const delimiterNames: Readonly<Record<string, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
  " ": "blanks",
};

/** Guesses about the file that are not usual. */
export function describeGuesses({ dialect, named, roles }: CsvReading, encoding: Encoding): string[] {
  const { time, tags, fields, quantity } = roles;
  const decimal = fields.some(
    ({ style, index }) => style.decimal === "," && hasSeparators(named.rows, index),
  );
  const grouped = fields.filter(
    ({ style, index }) => style.thousands !== "" && hasSeparators(named.rows, index),
  );
  const marked = fields.filter(({ unit }) => unit !== "");
  const further = roles.leftOut.filter(({ why }) => why === "a further time");
  const bracketed = fields.filter(({ index }) =>
    named.rows.some(({ cells }) => /^\(.*\d\)/.test(cells[index]!)),
  );
  const isUsual =
    time.indexes.length === 1 &&
    /^(dates|(milli|micro|nano)?seconds since the epoch|times of the form .*)$/.test(time.label);
  return [
    encoding !== "utf-8" && `the text is ${encoding.toUpperCase()}`,
    dialect.titles.length > 0 && sayTitles(dialect.titles),
    ...named.notes,
    !isUsual && `${time.name}: ${time.label}`,
    further.length > 0 &&
      `${time.name} is the time; ${further.map(({ name }) => name).join(", ")} could be it, too`,
    decimal && "numbers have a decimal comma",
    ...grouped.map(({ name, style }) => `${name}: ${nameOf(style.thousands)} group the thousands`),
    ...bracketed.map(({ name }) => `${name}: numbers in brackets are negative`),
    ...fields.map((column) => describeSentinel(column, named.rows)),
    ...marked.map(({ name, unit }) => `${name}: ${unit} is left out`),
    quantity && `${quantity.name}: ${quantity.values} names of fields`,
    ...tags.map(({ name, values }) => `${name}: ${count(values, "value")}, a series each`),
  ].filter((line) => line !== false && line !== undefined);
}

/** Numbers that many programs write for a missing value, where no option says so. */
function describeSentinel(
  { name, index }: { name: string; index: number },
  rows: CsvReading["named"]["rows"],
) {
  const found = rows.map(({ cells }) => cells[index]!).filter((cell) => /^-9{3,5}([.,][09]+)?$/.test(cell));
  if (found.length === 0) return undefined;
  return `${name}: ${found[0]} is read as a number, ${count(found.length, "time")}: if it means missing, name it as a word for that`;
}

function hasSeparators(rows: CsvReading["named"]["rows"], index: number): boolean {
  return rows.some(({ cells }) => /\d[.,'’\s]\d/.test(cells[index]!));
}

function nameOf(thousands: string): string {
  return { ".": "points", ",": "commas", " ": "blanks", "'": "apostrophes" }[thousands] ?? thousands;
}

/** What is left out, by reason. */
export function describeLeftOut(
  { roles }: CsvReading,
  counts: RowCounts,
  onDuplicate: CsvOptions["onDuplicate"],
): string[] {
  const { leftOut, texts } = roles;
  const byReason = Map.groupBy(leftOut, ({ why }) => why);
  const words = [...counts.missing].map(([word, times]) => `${word} ${times}`);
  return [
    texts.length > 0 && `skipped columns of text: ${texts.map(({ name }) => name).join(", ")}`,
    ...[...byReason].map(
      ([why, columns]) => `skipped columns, ${why}: ${columns.map(({ name }) => name).join(", ")}`,
    ),
    counts.empty > 0 && `${count(counts.empty, "row")} without values skipped`,
    words.length > 0 && `cells read as missing: ${words.join(", ")}`,
    counts.untimed > 0 && `${count(counts.untimed, "row")} skipped, the time is a word for a missing value`,
    counts.totals > 0 && `${count(counts.totals, "row")} of totals or averages skipped`,
    counts.comments > 0 && `${count(counts.comments, "line")} of comment skipped`,
    counts.duplicates > 0 &&
      `${count(counts.duplicates, "row")} at the time of another one of the series: the ${onDuplicate ?? "last"} is kept`,
  ].filter((line) => line !== false);
}

/** A table of the columns: name, and what it becomes. */
export function listColumns({ roles, named }: CsvReading): { readonly name: string; readonly use: string }[] {
  const { time, fields, tags, quantity, texts, leftOut } = roles;
  return named.names.map((name, index) => {
    const field = fields.find((column) => column.index === index);
    const why = texts.some((column) => column.index === index)
      ? "text"
      : leftOut.find((column) => column.index === index)?.why;
    const use = time.indexes.includes(index)
      ? `time: ${time.label}`
      : field
        ? quantity
          ? "value of the field"
          : field.name === name
            ? "field"
            : `field ${field.name}`
        : tags.some((column) => column.index === index)
          ? "tag"
          : quantity?.index === index
            ? "name of the field"
            : `left out: ${why ?? "not chosen"}`;
    return { name: name || `column ${index + 1}`, use };
  });
}

/** The separator of the columns, in words. */
export function nameDelimiter({ dialect: { delimiter } }: CsvReading): string {
  return delimiterNames[delimiter] ?? JSON.stringify(delimiter);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Names of the fields that the points have. */
export function listFields({ roles }: CsvReading, { quantities }: RowCounts): string[] {
  return roles.quantity ? [...quantities] : roles.fields.map(({ name }) => name);
}
