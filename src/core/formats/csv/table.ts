// A CSV file as points, streamed: the reading is chosen from its first part, and holds for the rest.
import { CsvReader, type CsvRow } from "../csv-reader.ts";
import { isTimeName } from "./column-names.ts";
import { findRoles, isFew, type Roles, type Sample, type TextColumn } from "./columns.ts";
import { type Dialect, findDialect } from "./dialect.ts";
import type { FieldColumn } from "./fields.ts";
import { refuseForeign } from "./foreign.ts";
import { type CsvOptions, checkOptions } from "./options.ts";
import { type CsvPoint, PointMaker } from "./points.ts";
import { collides, type MakerContext } from "./repeats.ts";
import { isFootnote } from "./row-content.ts";
import type { RowCounts } from "./row-counts.ts";
import { findNames, type NamedRows } from "./table-names.ts";
import { createMissing } from "./words/missing.ts";
import { CsvRefusal, refuse } from "./words/refusal.ts";

/** Characters that the reading is chosen from. */
const SAMPLE_CHARS = 1_000_000;

/** Most footnotes of a table. */
const MAX_FOOTNOTES = 20;

/** How a file is read. */
export interface CsvReading {
  readonly dialect: Dialect;
  /** Where the names of the columns are from, and rows beside them that are left out. */
  readonly named: NamedRows;
  readonly roles: Roles;
  /** Zone of times without an offset; undefined: UTC. */
  readonly timezone: string | undefined;
  readonly isMissing: (cell: string) => boolean;
}

/** Turns the text of a file, in pieces, into points. */
export class CsvTable {
  #held = "";
  #reader: CsvReader | undefined;
  #maker: PointMaker | undefined;
  #reading: CsvReading | undefined;
  /** Refusals of the last rows, which are footnotes where no point follows. */
  readonly #footnotes: CsvRefusal[] = [];

  /** @throws TorusError `invalid` naming the option */
  constructor(private readonly options: CsvOptions) {
    checkOptions(options);
  }

  /** Undefined until enough was read. */
  get reading(): CsvReading | undefined {
    return this.#reading;
  }

  get counts(): RowCounts | undefined {
    return this.#maker?.counts;
  }

  /** @throws TorusError `invalid` naming line and cell, and the option that says otherwise */
  *push(text: string): Generator<CsvPoint> {
    if (this.#reader) return yield* this.#take(this.#place(this.#reader.push(text)));
    this.#held += text;
    if (this.#held.length >= SAMPLE_CHARS) yield* this.#begin(false);
  }

  *end(): Generator<CsvPoint> {
    if (!this.#reader) yield* this.#begin(true);
    else yield* this.#take(this.#place(this.#reader.end()));
    this.#maker!.counts.footnotes = this.#footnotes.length;
  }

  *#begin(isWhole: boolean): Generator<CsvPoint> {
    const text = this.#held;
    this.#held = "";
    if (text.trim() === "") throw refuse("line 1", "empty");
    refuseForeign(text);
    const dialect = findDialect(text, this.options);
    this.#reader = new CsvReader(dialect.delimiter, dialect.line, true);
    const rows = this.#reader.push(text.slice(dialect.offset));
    if (isWhole) rows.push(...this.#reader.end());
    yield* this.#take(this.#choose(rows, dialect));
  }

  #choose(rows: readonly CsvRow[], dialect: Dialect): readonly CsvRow[] {
    const isMissing = createMissing(this.options.missing, rows[0]?.cells);
    const named = findNames(rows, { dialect, options: this.options, isMissing });
    const sample: Sample = { ...named, delimiter: dialect.delimiter, isMissing };
    const roles = findRoles(sample, this.options);
    // A name tells of the file, a zone that is given perhaps of all files.
    const options = { ...this.options, timezone: roles.time.timezone ?? this.options.timezone };
    const context = { ...sample, roles, options, isNewestFirst: descends(sample.rows, roles) };
    const told = tellApart(sample, context);
    this.#reading = { dialect, named, roles: told.roles, timezone: options.timezone, isMissing };
    this.#maker = new PointMaker({ ...context, ...told }, sample.rows);
    return named.body;
  }

  #place(rows: readonly CsvRow[]): readonly CsvRow[] {
    return rows.flatMap((row) => this.#reading!.named.place(row) ?? []);
  }

  *#take(rows: readonly CsvRow[]): Generator<CsvPoint> {
    for (const row of rows) {
      const point = this.#make(row);
      if (!point) continue;
      if (this.#footnotes[0]) throw this.#footnotes[0];
      yield point;
    }
  }

  #make(row: CsvRow): CsvPoint | undefined {
    try {
      return this.#maker!.make(row);
    } catch (refusal) {
      const mayBeFootnote =
        refusal instanceof CsvRefusal && isFootnote(row.cells) && this.#footnotes.length < MAX_FOOTNOTES;
      if (!mayBeFootnote) throw this.#footnotes[0] ?? refusal;
      this.#footnotes.push(refusal);
      return undefined;
    }
  }
}

/** Whether most rows are earlier than the one before. */
function descends(rows: readonly CsvRow[], { time }: Roles): boolean {
  const times = rows.map(({ cells }) => time.read(cells)?.ms).filter((ms) => ms !== undefined);
  return times.reduce((sum, ms, i) => sum + Math.sign(ms - (times[i - 1] ?? ms)), 0) < 0;
}

/** Makes columns of text tags where rows of one time differ in them: as few as possible. */
function tellApart(
  sample: Sample,
  context: Omit<MakerContext, "distinguishing">,
): { readonly roles: Roles; readonly distinguishing: readonly string[] } {
  const { roles, options } = context;
  const withValues = ({ name, index }: FieldColumn): TextColumn => ({
    name,
    index,
    values: new Set(sample.rows.map(({ cells }) => cells[index])).size,
  });
  const isClear = (tags: readonly TextColumn[]) => !collides(sample.rows, context, [...roles.tags, ...tags]);
  if (isClear([]))
    return { roles, distinguishing: roles.texts.filter((text) => !text.isTimeLike).map(({ name }) => name) };
  const states = roles.fields.filter((field) => field.states && !field.isMixed);
  // Of two states, one field at least is to be left.
  const candidates =
    states.length < roles.fields.length ? [...roles.texts, ...states.map(withValues)] : roles.texts;
  const few = candidates
    .filter((text) => text.values > 1 && !text.isTimeLike && isFew(text, sample))
    .toSorted((a, b) => a.values - b.values);
  const pairs = few.slice(0, 8).flatMap((a, i) => few.slice(i + 1, 8).map((b) => [a, b]));
  const found = [...few.map((text) => [text]), ...pairs, few].find(isClear);
  if (found && !options.tagColumns) {
    const isOther = ({ index }: { readonly index: number }) => !found.some((text) => text.index === index);
    const [texts, fields] = [roles.texts.filter(isOther), roles.fields.filter(isOther)];
    return { roles: { ...roles, fields, tags: [...roles.tags, ...found], texts }, distinguishing: [] };
  }
  const numbers = roles.fields.length > 1 ? roles.fields.map(withValues) : [];
  const isKey = (column: TextColumn) =>
    !isTimeName(column.name) && isFew(column, sample) && isClear([column]);
  return { roles, distinguishing: (found ?? numbers.filter(isKey).slice(0, 1)).map(({ name }) => name) };
}
