// Points from the rows of a CSV file by the roles of its columns; each row becomes a point, is counted, or is refused.
import type { CsvRow } from "../csv-reader.ts";
import { alignCells } from "./align.ts";
import { isImpossible, isOfOtherYear, isReadYear, type WrittenTime } from "./cell-date.ts";
import type { Roles } from "./columns.ts";
import type { FieldColumn } from "./fields.ts";
import type { LocalClock } from "./local-clock.ts";
import { dissect, readNumber } from "./numbers.ts";
import { createClock, type MakerContext, repeats, seenOf, seriesBy, writtenTime } from "./repeats.ts";
import { noRows } from "./row-counts.ts";
import type { SeenInstants } from "./seen.ts";
import { isTold } from "./words/missing.ts";
import { type CsvRefusal, malformed, quote, refuse } from "./words/refusal.ts";
import { readState } from "./words/states.ts";
import { namesTotal } from "./words/totals.ts";

export interface CsvPoint {
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const plainNumber = /^[+-]?[\d.,]+$/;
/** Missing words that are counted. */
const MAX_WORDS = 20;

/** Turns rows into points, one series after the other checked for times that repeat. */
export class PointMaker {
  readonly counts = noRows();
  /** Of each field of each series. */
  readonly #seen = new Map<string, Map<string, SeenInstants>>();
  readonly #clock: LocalClock;
  readonly #seriesOf: (cells: readonly string[]) => string;
  /** Whether the first time has an offset. */
  #hasOffset: boolean | undefined;
  /** Whether a point was not seen, so that it may group thousands. */
  #isOpen: boolean;
  /** Columns that are empty in the sample. */
  readonly #empty: Roles["leftOut"];

  /** @param sample rows from the first one on */
  constructor(
    private readonly context: MakerContext,
    sample: readonly CsvRow[],
  ) {
    const { options, roles, names } = context;
    this.#seriesOf = seriesBy(roles, roles.tags);
    this.#clock = createClock(sample, context, this.#seriesOf);
    this.#isOpen = !options.decimal && roles.fields.every(({ isWhole }) => isWhole);
    const isEmpty = ({ why, index }: Roles["leftOut"][number]) => why === "empty" && names[index] !== "";
    this.#empty = options.columns ? [] : roles.leftOut.filter(isEmpty);
  }

  /** @returns undefined for a row that is no point, which is counted. @throws TorusError `invalid` naming line and cell */
  make(row: CsvRow): CsvPoint | undefined {
    const { counts } = this;
    const cells = alignCells(row, this.context, counts);
    if (!cells) return undefined;
    const time = this.#readTime(row, cells);
    if (!time) return undefined;
    this.#checkOffset(row, time);
    this.#checkEmpty(row, cells);
    const fields = this.#readFields(row, cells);
    if (!fields) {
      counts.empty++;
      return undefined;
    }
    const tags = this.#readTags(cells);
    const series = this.#seriesOf(cells);
    const at = this.#clock.resolve(time, series);
    if (at === undefined) {
      const { flags, timezone } = this.context.options;
      const cell = quote(writtenTime(row, this.context));
      throw malformed(row, "skippedHour", this.context.roles.time.name, cell, timezone!, flags.timezone);
    }
    if (!this.#isNew(row, at, { fields, series }) && this.context.options.onDuplicate === "first")
      return undefined;
    const timestamp = at / 1000;
    counts.first = Math.min(counts.first ?? timestamp, timestamp);
    counts.last = Math.max(counts.last ?? timestamp, timestamp);
    return { timestamp, ...fields, ...(Object.keys(tags).length > 0 && { tags }) };
  }

  #readTime(row: CsvRow, cells: readonly string[]): WrittenTime | undefined {
    const { roles, isMissing } = this.context;
    const { time } = roles;
    const read = time.read(cells);
    if (read && isReadYear(read.ms)) return read;
    const own = time.indexes.map((index) => cells[index]!);
    if (own.every(isMissing) && roles.fields.every(({ index }) => isMissing(cells[index]!)))
      this.counts.empty++;
    else if (own.some(isMissing) && !own.includes("")) this.counts.untimed++;
    else if (own.some(namesTotal)) this.counts.totals++;
    else if (own.join("") === "") throw malformed(row, "noTimeCell", time.name);
    else throw this.#explainTime(row, own);
    return undefined;
  }

  #explainTime(row: CsvRow, own: readonly string[]): CsvRefusal {
    const { roles, options } = this.context;
    const { flags } = options;
    const { name, label, read } = roles.time;
    const cell = own.join(" ").trim();
    if (read(row.cells) || own.some(isOfOtherYear) || /^1[0-8]\d\d( \d+)*$/.test(cell))
      return malformed(row, "otherYear", name, quote(cell));
    const impossible = own.find(isImpossible) ?? /^\d{4}( \d+)+$/.exec(cell)?.[0];
    if (impossible !== undefined) return malformed(row, "noSuchTime", name, quote(impossible));
    const missing = /^\D/.test(cell) ? flags.missing : undefined;
    return malformed(row, "otherTime", name, quote(cell), label, [flags.time, flags.format], missing);
  }

  /** Values behind the sample would be lost. */
  #checkEmpty(row: CsvRow, cells: readonly string[]): void {
    const { options, isMissing } = this.context;
    const found = this.#empty.find(({ index }) => !isMissing(cells[index]!));
    if (found)
      throw malformed(row, "otherForm", found.name, quote(cells[found.index]!), [options.flags.columns]);
  }

  /** A point among numbers without one may group thousands. */
  #checkPoint(cell: string, name: string): void {
    const { decimal, thousands } = this.context.options.flags;
    if (/^\D?[1-9]\d{0,2}\.\d{3}$/.test(cell))
      throw refuse(decimal, "twoReadings", name, quote(cell), [
        `${decimal} .`,
        `${decimal} , ${thousands} '.'`,
      ]);
    this.#isOpen = false;
  }

  /** Times with and without an offset in one file need the zone of the latter said. */
  #checkOffset(row: CsvRow, { hasOffset }: WrittenTime): void {
    const { options, roles } = this.context;
    this.#hasOffset ??= hasOffset;
    this.counts.isLocal ||= !hasOffset;
    if (hasOffset === this.#hasOffset) return;
    const cell = quote(writtenTime(row, this.context));
    if (options.timezone === undefined)
      throw malformed(row, "offset", roles.time.name, cell, hasOffset, options.flags.timezone);
    this.counts.isMixed = true;
  }

  #readFields(row: CsvRow, cells: readonly string[]): Record<string, number> | undefined {
    const { isMissing, roles } = this.context;
    const fields: Record<string, number> = {};
    let hasValue = false;
    for (const column of roles.fields) {
      const cell = cells[column.index]!;
      if (isMissing(cell)) this.#countMissing(cell);
      else {
        fields[this.#nameField(row, cells, column)] = this.#readValue(row, cell, column);
        hasValue = true;
      }
    }
    return hasValue ? fields : undefined;
  }

  #nameField(row: CsvRow, cells: readonly string[], { name }: FieldColumn): string {
    const { quantity } = this.context.roles;
    if (!quantity) return name;
    const own = cells[quantity.index]!;
    if (!/^(|time|timestamp|tags)$/.test(own)) {
      this.counts.quantities.add(own);
      return own;
    }
    throw malformed(row, "noFieldName", quantity.name, quote(own));
  }

  #readValue(row: CsvRow, cell: string, { name, style, unit, states, isMixed }: FieldColumn): number {
    const { flags } = this.context.options;
    const state = states && readState(cell, states);
    if (state !== undefined) return state;
    if (states && !isMixed)
      throw malformed(row, "otherState", name, quote(cell), states.one, states.zero, flags.missing);
    const value = readNumber(cell, style);
    if (this.#isOpen && cell.includes(".")) this.#checkPoint(cell, name);
    const isPlain = plainNumber.test(cell);
    const own = isPlain ? "" : (dissect(cell)?.unit ?? "");
    // Zero is the same in all units.
    if (Number.isFinite(value) && (own === unit || (isPlain && value === 0))) return value;
    const shown = quote(cell);
    if (Math.abs(value) === Infinity) throw malformed(row, "tooGreat", name, shown);
    if (Number.isFinite(value)) throw malformed(row, "otherUnit", name, shown, own, unit);
    if (dissect(cell)) throw malformed(row, "otherForm", name, shown, [flags.decimal, flags.thousands]);
    throw malformed(row, "noNumber", name, shown, flags.missing, flags.columns);
  }

  #countMissing(cell: string): void {
    if (!isTold(cell)) return;
    const { missing } = this.counts;
    if (missing.has(cell) || missing.size < MAX_WORDS) missing.set(cell, (missing.get(cell) ?? 0) + 1);
  }

  #readTags(cells: readonly string[]): Record<string, string> {
    const tags: Record<string, string> = {};
    for (const { name, index } of this.context.roles.tags) if (cells[index]) tags[name] = cells[index];
    return tags;
  }

  /** Counts the point. @throws TorusError `invalid` for a time that repeats, unless the options allow it */
  #isNew(
    row: CsvRow,
    at: number,
    { fields, series }: { fields: Record<string, number>; series: string },
  ): boolean {
    if (this.context.options.onDuplicate === "keep") {
      this.counts.points++;
      return true;
    }
    // As exact as instants are stored.
    const instant = Math.round(at);
    const seen = this.#seen.get(series) ?? new Map<string, SeenInstants>();
    this.#seen.set(series, seen);
    const repeated = Object.keys(fields).filter((field) => !seenOf(seen, field).add(instant));
    if (repeated.length === 0) this.counts.points++;
    else if ((this.context.options.onDuplicate ?? "error") === "error")
      throw repeats(row, { at, fields: repeated }, this.context);
    else this.counts.duplicates++;
    return repeated.length === 0;
  }
}
