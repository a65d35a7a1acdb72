// Roles of the columns of a CSV file, chosen from a sample of its rows: time, fields, tags, left out.
import type { CsvRow } from "../csv-reader.ts";
import { componentOf, isIdentity, isNumberedName, isQuantityName, timeRank } from "./column-names.ts";
import { type FieldColumn, type Numbers, type TwoStates, toFields } from "./fields.ts";
import { dissect, type NumberStudy, plainStyle, studyNumbers } from "./numbers.ts";
import type { CsvOptions, FlagNames } from "./options.ts";
import { isRowNumber } from "./row-content.ts";
import type { SampledColumn, TimeColumn } from "./times/sampled.ts";
import { chooseTime, findColumn } from "./times/time-column.ts";
import { studyTime } from "./times/time-kinds.ts";
import { explainWideTimes } from "./wide-times.ts";
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
/** Columns of annotated files that say nothing of the points. */
const annotationNames = new Set(["", "result", "table", "_start", "_stop"]);

/** @throws TorusError `invalid` where the columns do not tell what they are, naming the option that does */
export function findRoles(sample: Sample, options: CsvOptions, flags: FlagNames): Roles {
  const columns = sampleColumns(sample);
  if (columns.length < 2) throw refuse("header", "oneColumn", flags.delimiter);
  const { rows, narrow, names } = sample;
  if (rows.length === 0 && narrow) throw malformed(narrow, "fewCells", narrow.cells.length, names.length);
  if (rows.length === 0) throw refuse("file", "noRows", flags.skip);
  const time = chooseTime({ columns: columns.filter(isUsed(sample)), options, flags });
  const asked = options.tagColumns?.map((name) => findColumn(columns, name, flags.tags)) ?? [];
  const tags = asked.map(toText);
  const taken = new Set([...time.indexes, ...tags.map(({ index }) => index)]);
  const free = columns.filter(({ index }) => !taken.has(index));
  const sorted = sortColumns(free, { sample, options, flags });
  const textOf = (index: number) => columns[index]!.cells.join();
  const twin = sorted.leftOut.find(
    ({ name, index }) => name.startsWith(`${time.name}_`) && textOf(index) !== textOf(time.indexes[0]!),
  );
  if (twin && !options.timeColumn) throw refuse(flags.time, "severalClocks", time.name, twin.name, time.name);
  const quantity = findQuantity(sorted, { options, isAnnotated: sample.groupKey !== undefined });
  const keyed = options.tagColumns ? [] : sorted.texts.filter(({ name }) => sample.groupKey?.has(name));
  const certain = options.tagColumns
    ? []
    : sorted.texts.filter(
        (text) => text !== quantity && text.values > 1 && isIdentity(text.name) && isFew(text, sample),
      );
  const chosen = new Set([...keyed, ...certain].filter((text) => text !== quantity));
  // Neither columns with semicolons nor dates with points are those of countries with decimal points.
  const hasPoints = time.indexes.some((index) => /^\d\d?\.\d\d?\.\d/.test(columns[index]!.cells[0] ?? ""));
  const isPointUsual = sample.delimiter === "," && !hasPoints;
  return {
    time,
    fields: toFields(sorted, { options, flags, isPointUsual }),
    tags: [...tags, ...chosen],
    texts: sorted.texts.filter((text) => text !== quantity && !chosen.has(text)),
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

function isUsed({ names, groupKey }: Sample): (column: SampledColumn) => boolean {
  return ({ index, cells }) => cells.length > 0 && !(groupKey && annotationNames.has(names[index]!));
}

function toText({ name, index, cells }: SampledColumn): TextColumn {
  const clocks = cells.filter((cell) => /^\d{1,2} ?[:h]/.test(cell)).length;
  const isTimeLike = timeRank(name) < Infinity || componentOf(name) >= 0 || 2 * clocks >= cells.length;
  return { name, index, values: new Set(cells).size, isTimeLike };
}

export function isFew({ values }: TextColumn, { rows }: Pick<Sample, "rows">): boolean {
  return values <= MAX_VALUES && 2 * values <= Math.max(4, rows.length);
}

interface Context {
  readonly sample: Sample;
  readonly options: CsvOptions;
  readonly flags: FlagNames;
}

interface Sorted {
  numbers: Numbers[];
  readonly states: TwoStates[];
  readonly texts: TextColumn[];
  readonly leftOut: LeftOut[];
}

/** The columns other than time and tags: those that were asked for, or the numeric ones. */
function sortColumns(free: readonly SampledColumn[], { sample, options, flags }: Context): Sorted {
  const sorted: Sorted = { numbers: [], states: [], texts: [], leftOut: [] };
  const asked = options.columns?.map((name) => findColumn(free, name, flags.columns));
  for (const column of asked ?? free) {
    const study = studyNumbers(column.cells);
    const states = study ? findMixed(column, study, sample) : statesOf(column.cells);
    const why = asked ? undefined : whyLeftOut(column, sample);
    if (why === undefined && !asked && study && isNumberedIdentity(column, sample))
      sorted.texts.push(toText(column));
    else if (why !== undefined) sorted.leftOut.push({ name: column.name, index: column.index, why });
    else if (study && (states || 2 * study.count >= column.cells.length))
      sorted.numbers.push({ column, study, states });
    else if (states) sorted.states.push({ column, states });
    else if (asked && column.cells.length > 0) throw noNumber(column, flags);
    else if (asked) sorted.numbers.push({ column, study: nothing });
    else sorted.texts.push(toText(column));
  }
  for (const { column } of sorted.numbers.filter((each) => isRowNumber(each.column))) {
    if (sorted.numbers.length < 2) break;
    sorted.numbers = sorted.numbers.filter((each) => each.column !== column);
    sorted.leftOut.push({ name: column.name, index: column.index, why: "numbers of rows" });
  }
  const wide = asked
    ? undefined
    : explainWideTimes(
        sorted.numbers.map(({ column }) => column.name),
        flags,
        true,
      );
  if (wide) throw wide;
  if (asked)
    for (const column of free)
      if (!asked.includes(column) && isText(column)) sorted.texts.push(toText(column));
  if (sorted.numbers.length + sorted.states.length > 0) return sorted;
  const held = free.filter(
    ({ name, cells }) =>
      cells.length > 0 && [...sorted.texts, ...sorted.leftOut].some((each) => each.name === name),
  );
  const text = held.find(({ name }) => !isIdentity(name)) ?? held[0];
  if (text)
    throw malformed(text, "noNumbers", text.name, quote(text.cells[0]!), [
      flags.delimiter,
      flags.decimal,
      flags.thousands,
    ]);
  throw refuse("header", "oneColumn", flags.delimiter);
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

/** Whether whole numbers of few values are ids of series, as in `sensor_id`. */
function isNumberedIdentity(column: SampledColumn, sample: Sample): boolean {
  const { name, cells } = column;
  return isNumberedName(name) && isFew(toText(column), sample) && cells.every((cell) => /^\d+$/.test(cell));
}

const nothing: NumberStudy = {
  styles: [plainStyle],
  unit: "",
  example: undefined,
  hasPlain: false,
  count: 0,
};

function isText({ cells }: SampledColumn): boolean {
  return cells.length > 0 && 2 * cells.filter((cell) => dissect(cell)).length < cells.length;
}

function noNumber({ name, cells, line }: SampledColumn, flags: FlagNames) {
  return malformed({ line }, "noNumberColumn", name, quote(cells[0]!), flags.columns);
}

function whyLeftOut(column: SampledColumn, { names, groupKey }: Sample): string | undefined {
  const name = names[column.index]!;
  if (groupKey && annotationNames.has(name)) return "of the export";
  if (column.cells.length === 0) return "empty";
  if (name === "") return "without a name";
  const isNumeric = 2 * column.cells.filter((cell) => dissect(cell)).length >= column.cells.length;
  const kind =
    isNumeric && timeRank(name) === Infinity
      ? undefined
      : studyTime(column.cells.slice(0, 200), Date.UTC(2100, 0, 1));
  if (kind && kind.kind !== "weak" && (!isNumeric || kind.kind === "epoch" || kind.kind === "date"))
    return "a further time";
  return undefined;
}

/** In a long table, a text names the quantity of the only number. */
function findQuantity(
  { numbers, states, texts }: Sorted,
  { options, isAnnotated }: { readonly options: CsvOptions; readonly isAnnotated: boolean },
): TextColumn | undefined {
  if (numbers.length + states.length !== 1 || options.columns) return undefined;
  return texts.find(
    ({ name, values }) => (isAnnotated ? name === "_field" : isQuantityName(name)) && values <= MAX_VALUES,
  );
}
