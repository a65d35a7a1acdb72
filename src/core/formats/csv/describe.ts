// Notes on the reading of a CSV file: one sentence for each guess and each column that is left out.
import type { Encoding } from "./decode.ts";
import type { CsvOptions } from "./options.ts";
import type { RowCounts } from "./row-counts.ts";
import type { CsvReading } from "./table.ts";
import { sayTitles } from "./table-names.ts";
import { zoneOfName } from "./times/named-zone.ts";
import { namesOf } from "./times/sampled.ts";
import { type CsvWords, csvWords } from "./words/reading.ts";

const delimiterNames: Readonly<Record<string, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
  " ": "blanks",
};

/** Guesses about the file that are not usual. */
export function describeGuesses(
  reading: CsvReading,
  encoding: Encoding,
  words: CsvWords = csvWords,
): string[] {
  const { dialect, named, roles, timezone } = reading;
  const { time, tags, fields, quantity } = roles;
  const holding = (pattern: RegExp) =>
    fields.filter(({ index }) => named.rows.some(({ cells }) => pattern.test(cells[index]!)));
  const separated = holding(/\d[.,'’\s]\d/);
  const decimal = separated.some(({ style }) => style.decimal === ",");
  const isLocal = named.rows.some(({ cells }) => time.read(cells)?.hasOffset === false);
  const namedZone = zoneOfName([...dialect.comments, ...dialect.titles, ...named.titles].join(" "));
  const isUsual = time.indexes.length === 1 && /^(dates|.*seconds .*|times of the form .*)$/.test(time.label);
  return [
    encoding !== "utf-8" && words.encoding(encoding.toUpperCase()),
    dialect.titles.length > 0 && sayTitles(dialect.titles)(words),
    ...named.notes.map((say) => say(words)),
    !isUsual && `${time.name}: ${words.time(time.label)}`,
    isLocal &&
      timezone === undefined &&
      namedZone !== undefined &&
      namedZone !== "UTC" &&
      words.titleZone(namedZone),
    time.timezone !== undefined && isLocal && words.zone(time.name, time.timezone),
    decimal && words.decimalComma(),
    ...separated.map(({ name, style }) => style.thousands && words.grouped(name, style.thousands)),
    ...holding(/^\(.*\d\)/).map(({ name }) => words.brackets(name)),
    ...fields.map(({ name, states }) => states && words.states(name, states.one, states.zero)),
    ...fields.map((column) => describeSentinel(column, reading, words)),
    ...holding(/^-?\d{17,}$/).map(({ name }) => words.rounded(name)),
    ...fields.map(({ name, unit }) => unit && words.unit(name, unit)),
    quantity && words.quantity(quantity.name, quantity.values),
    ...tags.map(({ name, values }) => words.series(name, values)),
  ].filter((line): line is string => !!line);
}

const sentinel = /^(-9{3,5}([.,][09]+)?|-?9{2,5}[.,]9+)$/;

/** Numbers that many programs write for a missing value, where no option says so. */
function describeSentinel(
  { name, index }: { name: string; index: number },
  { named: { rows }, isMissing }: CsvReading,
  words: CsvWords = csvWords,
) {
  const cells = rows.map((row) => row.cells[index]!).filter((cell) => !isMissing(cell));
  const found = cells.filter((cell) => sentinel.test(cell));
  // One that lies among the others is a measurement, as 999.9 hPa.
  const sizeOf = (cell: string) => Math.abs(Number.parseFloat(cell));
  const isFar = (cell: string) => sentinel.test(cell) || !(1.5 * sizeOf(cell) >= sizeOf(found[0]!));
  return found.length > 0 && cells.every(isFar) ? words.sentinel(name, found[0]!, found.length) : undefined;
}

/** What is left out, by reason. */
export function describeLeftOut(
  { roles }: CsvReading,
  counts: RowCounts,
  onDuplicate: CsvOptions["onDuplicate"],
  words: CsvWords = csvWords,
): string[] {
  const { leftOut, texts } = roles;
  const byReason = Map.groupBy(leftOut, ({ why }) => why);
  const missing = [...counts.missing].map(([word, times]) => `${word} ${times}`);
  return [
    texts.length > 0 && words.texts(namesOf(texts, ", ")),
    ...[...byReason].map(([why, columns]) => words.leftOut(why, namesOf(columns, ", "))),
    counts.empty > 0 && words.emptyRows(counts.empty),
    missing.length > 0 && words.missing(missing.join(", ")),
    ...(["untimed", "totals", "comments", "footnotes"] as const).map(
      (key) => counts[key] > 0 && words[key](counts[key]),
    ),
    counts.isMixed && words.mixedOffsets(),
    counts.duplicates > 0 && words.duplicates(counts.duplicates, onDuplicate ?? "last"),
  ].filter((line): line is string => !!line);
}

interface ColumnUse {
  readonly name: string;
  readonly use: string;
}

/** A table of the columns: name, and what it becomes. */
export function listColumns({ roles, named }: CsvReading, words: CsvWords = csvWords): ColumnUse[] {
  const { time, fields, tags, quantity, texts, leftOut } = roles;
  return named.names.map((name, index) => {
    const at = <T extends { readonly index: number }>(columns: readonly T[]) =>
      columns.find((column) => column.index === index);
    const use = () => {
      const field = at(fields);
      if (time.indexes.includes(index)) return words.useTime(words.time(time.label));
      if (field && quantity) return words.useValue();
      if (field) return words.useField(field.name === name ? undefined : field.name);
      if (at(tags)) return words.useTag();
      if (quantity?.index === index) return words.useQuantity();
      return words.useNone(at(texts) ? "text" : (at(leftOut)?.why ?? "not chosen"));
    };
    return { name: name || `column ${index + 1}`, use: use() };
  });
}

/** The separator of the columns, in words. */
export function nameDelimiter({ dialect: { delimiter } }: CsvReading): string {
  return delimiterNames[delimiter] ?? JSON.stringify(delimiter);
}

/** Names of the fields that the points have. */
export function listFields({ roles }: CsvReading, { quantities }: RowCounts): string[] {
  return roles.quantity ? [...quantities] : roles.fields.map(({ name }) => name);
}
