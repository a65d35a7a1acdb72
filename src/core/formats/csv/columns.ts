// Roles of the columns of a CSV file, chosen from a sample of its rows: time, fields, tags, left out.
import type { CsvRow } from "../csv-reader.ts";
import {
  componentOf,
  isIdentity,
  isNumberedName,
  isQuantityName,
  isTimeName,
  isTypeName,
} from "./column-names.ts";
import { type FieldColumn, type Numbers, type TwoStates, toFields } from "./fields.ts";
import { dissect, type NumberStudy, studyNumbers } from "./numbers.ts";
import type { CsvOptions } from "./options.ts";
import { isRowNumber } from "./row-content.ts";
import type { SampledColumn, TimeColumn } from "./times/sampled.ts";
import { chooseTime, findColumn } from "./times/time-column.ts";
import { studyTime } from "./times/time-kinds.ts";
import { refuseWideTimes } from "./wide-times.ts";
import { malformed, quote, refuse } from "./words/refusal.ts";
import { readState, statesOf } from "./words/states.ts";

export interface TextColumn {
  readonly name: string;
  readonly index: number;
  /** Different texts in the sample. */
  readonly values: number;
  /** Whether they are parts of times, by name or content, so that they are not taken for names of series. */
  readonly isTimeLike?: boolean;
}

interface LeftOut {
  readonly name: string;
  readonly index: number;
  /** `text`, `empty`, `a further time`, `numbers of rows`, `without a name`. */
  readonly why: string;
}

export interface Roles {
  readonly time: TimeColumn;
  readonly fields: readonly FieldColumn[];
  readonly tags: readonly TextColumn[];
  /** Columns of text that could become tags. */
  readonly texts: readonly TextColumn[];
  /** The column whose cells name the field of each row. */
  readonly quantity: TextColumn | undefined;
  readonly leftOut: readonly LeftOut[];
}

export interface Sample {
  /** Unique; empty for a column without a name. */
  readonly names: readonly string[];
  /** Rows of points, as wide as the header. */
  readonly rows: readonly CsvRow[];
  /** The first one that is narrower. */
  readonly narrow: CsvRow | undefined;
  readonly delimiter: string;
  readonly isMissing: (cell: string) => boolean;
  /** Whether the file is an annotated one of InfluxDB, with the columns of its group key. */
  readonly groupKey?: ReadonlySet<string> | undefined;
}

/** More different texts are no names of series. */
export const MAX_VALUES = 1000;

/** @throws TorusError `invalid` where the columns do not tell what they are, naming the option that does */
export function findRoles(sample: Sample, options: CsvOptions): Roles {
  const { rows, narrow, names, groupKey } = sample;
  const { flags } = options;
  const columns = sampleColumns(sample);
  if (columns.length < 2) throw refuse("header", "oneColumn", flags.delimiter);
  if (rows.length === 0 && narrow) throw malformed(narrow, "fewCells", narrow.cells.length, names.length);
  if (rows.length === 0) throw refuse("file", "noRows", flags.skip);
  const isUsed = ({ index, cells }: SampledColumn) =>
    cells.length > 0 && !isAnnotation(names[index]!, sample);
  const time = chooseTime({ columns: columns.filter(isUsed), options });
  const tags = (options.tagColumns ?? []).map((name) => toText(findColumn(columns, name, flags.tags)));
  const taken = new Set([...time.indexes, ...tags.map(({ index }) => index)]);
  const sorted = sortColumns(
    columns.filter(({ index }) => !taken.has(index)),
    sample,
    options,
  );
  const textOf = (index: number) => columns[index]!.cells.join();
  const twin = sorted.leftOut.find(
    ({ name, index }) => name.startsWith(`${time.name}_`) && textOf(index) !== textOf(time.indexes[0]!),
  );
  if (twin && !options.timeColumn) throw refuse(flags.time, "severalClocks", time.name, twin.name, time.name);
  const quantity = findQuantity(sorted, sample, options);
  const isSeries = (text: TextColumn) =>
    groupKey?.has(text.name) || (text.values > 1 && isIdentity(text.name) && isFew(text, sample));
  const others = sorted.texts.filter((text) => text !== quantity);
  const series = options.tagColumns ? [] : others.filter(isSeries);
  // Neither columns with semicolons nor dates with points are those of countries with decimal points.
  const hasPoints = time.indexes.some((index) => /^\d\d?\.\d\d?\.\d/.test(columns[index]!.cells[0]!));
  return {
    time,
    fields: toFields(sorted, options, sample.delimiter === "," && !hasPoints),
    tags: [...tags, ...series],
    texts: others.filter((text) => !series.includes(text)),
    quantity,
    leftOut: sorted.leftOut,
  };
}

function sampleColumns({ names, rows, isMissing }: Sample): SampledColumn[] {
  return names.map((name, index) => {
    const present = rows.filter(({ cells }) => !isMissing(cells[index]!));
    const cells = present.map((row) => row.cells[index]!);
    return { name: name || `column ${index + 1}`, index, cells, line: (present[0] ?? rows[0])?.line ?? 1 };
  });
}

/** Whether a column of an annotated file says nothing of the points. */
function isAnnotation(name: string, { groupKey }: Sample): boolean {
  return groupKey !== undefined && /^(|result|table|_start|_stop)$/.test(name);
}

function toText({ name, index, cells }: SampledColumn): TextColumn {
  const clocks = cells.filter((cell) => /^\d{1,2} ?[:h]/.test(cell)).length;
  const isTimeLike = isTimeName(name) || componentOf(name) >= 0 || 2 * clocks >= cells.length;
  return { name, index, values: new Set(cells).size, isTimeLike };
}

export function isFew({ values }: TextColumn, { rows }: Pick<Sample, "rows">): boolean {
  return values <= MAX_VALUES && 2 * values <= Math.max(4, rows.length);
}

interface Sorted {
  numbers: Numbers[];
  readonly states: TwoStates[];
  readonly texts: TextColumn[];
  readonly leftOut: LeftOut[];
}

/** The columns other than time and tags: those that were asked for, or the numeric ones. */
function sortColumns(free: readonly SampledColumn[], sample: Sample, options: CsvOptions): Sorted {
  const { flags } = options;
  const sorted: Sorted = { numbers: [], states: [], texts: [], leftOut: [] };
  const asked = options.columns?.map((name) => findColumn(free, name, flags.columns));
  const leaveOut = ({ name, index }: SampledColumn, why: string) => sorted.leftOut.push({ name, index, why });
  for (const column of asked ?? free) {
    const { cells } = column;
    const study = studyNumbers(cells);
    const isNumeric = 2 * study.count >= cells.length;
    const states = study.count > 0 ? findMixed(column, study, sample) : statesOf(cells);
    const why = asked ? undefined : whyLeftOut(column, isNumeric, sample);
    if (why !== undefined) leaveOut(column, why);
    else if (!asked && isNumberedIdentity(column, sample)) sorted.texts.push(toText(column));
    else if (isNumeric || (states && study.count > 0)) sorted.numbers.push({ column, study, states });
    else if (states) sorted.states.push({ column, states });
    else if (asked) throw malformed(column, "noNumberColumn", column.name, quote(cells[0]!), flags.columns);
    else sorted.texts.push(toText(column));
  }
  for (const each of sorted.numbers.filter(({ column }) => isRowNumber(column)))
    if (sorted.numbers.length > 1) {
      sorted.numbers.splice(sorted.numbers.indexOf(each), 1);
      leaveOut(each.column, "numbers of rows");
    }
  const isText = ({ cells }: SampledColumn) => 2 * studyNumbers(cells).count < cells.length;
  if (asked)
    sorted.texts.push(...free.filter((column) => !asked.includes(column) && isText(column)).map(toText));
  else
    refuseWideTimes(
      sorted.numbers.map(({ column }) => column),
      flags,
      true,
    );
  if (sorted.numbers.length + sorted.states.length > 0) return sorted;
  const held = free.filter(({ cells }) => cells.length > 0);
  const text = held.find(({ name }) => !isIdentity(name)) ?? held[0];
  if (!text) throw refuse("header", "oneColumn", flags.delimiter);
  const ways = [flags.delimiter, flags.decimal, flags.thousands];
  const cell = text.cells.find((cell) => !dissect(cell)) ?? text.cells[0]!;
  throw malformed(text, "noNumbers", text.name, quote(cell), ways);
}

/** Words of series of two states among series of numbers, where a column tells them apart, as in an export of entities. */
function findMixed(
  { index, cells }: SampledColumn,
  { count }: NumberStudy,
  { names, rows, isMissing }: Sample,
) {
  const identity = count === cells.length ? -1 : names.findIndex(isIdentity);
  const states = identity < 0 ? undefined : statesOf(cells.filter((cell) => !dissect(cell)));
  const areStates = new Map<string, boolean>();
  for (const row of states ? rows : []) {
    const [cell, series] = [row.cells[index]!, row.cells[identity]!];
    const isState = readState(cell, states!) !== undefined;
    if (isMissing(cell)) continue;
    if ((areStates.get(series) ?? isState) !== isState) return undefined;
    areStates.set(series, isState);
  }
  return states;
}

/** Whether whole numbers of few values are ids of series, or kinds of rows, as in `sensor_id` and `Record Type`. */
function isNumberedIdentity(column: SampledColumn, sample: Sample): boolean {
  const { name, cells } = column;
  return (
    (isNumberedName(name) || isTypeName(name)) &&
    isFew(toText(column), sample) &&
    cells.every((cell) => /^\d+$/.test(cell))
  );
}

function whyLeftOut(column: SampledColumn, isNumeric: boolean, sample: Sample): string | undefined {
  const { index, cells } = column;
  const name = sample.names[index]!;
  if (isAnnotation(name, sample)) return "of the export";
  if (cells.length === 0) return "empty";
  if (name === "") return "without a name";
  if (isNumeric && !isTimeName(name)) return undefined;
  const kind = studyTime(cells.slice(0, 200), Date.UTC(2100, 0, 1))?.kind;
  const isTime = kind === "date" || kind === "epoch" || (kind === "clock" && !isNumeric);
  return isTime ? "a further time" : undefined;
}

/** In a long table, a text names the quantity of the only number. */
function findQuantity(
  { numbers, states, texts }: Sorted,
  { groupKey }: Sample,
  { columns }: CsvOptions,
): TextColumn | undefined {
  if (numbers.length + states.length !== 1 || columns) return undefined;
  return texts.find(
    ({ name, values }) => (groupKey ? name === "_field" : isQuantityName(name)) && values <= MAX_VALUES,
  );
}
