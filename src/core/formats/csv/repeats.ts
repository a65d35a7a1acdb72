// Repeated times of a series in a CSV file: how they are found, and the error that names the options.
import { DAY_MS, formatDate, HOUR_MS } from "../../time/time.ts";
import type { CsvRow } from "../csv-reader.ts";
import type { Roles, TextColumn } from "./columns.ts";
import { LocalClock } from "./local-clock.ts";
import type { CsvOptions } from "./options.ts";
import { SeenInstants } from "./seen.ts";
import { malformed, quote } from "./words/refusal.ts";

export interface MakerContext {
  readonly roles: Roles;
  readonly options: CsvOptions;
  readonly names: readonly string[];
  readonly delimiter: string;
  readonly isMissing: (cell: string) => boolean;
  readonly isNewestFirst: boolean;
  /** Columns that tell apart rows of one time, for messages. */
  readonly distinguishing: readonly string[];
}

/** The error of a time that repeats, with the options that tell the rows apart or keep one. */
export function repeats(
  row: CsvRow,
  { at, fields }: { readonly at: number; readonly fields: readonly string[] },
  { options, distinguishing, roles }: MakerContext,
) {
  const { flags } = options;
  const field = fields.find((each) => !distinguishing.includes(each)) ?? fields[0]!;
  const timeLike = roles.texts.filter((text) => text.isTimeLike).map(({ name }) => name);
  const written = writtenTime(row, { roles });
  const mayBeRepeated =
    options.timezone === undefined && isAtClockChange(at) && roles.time.read(row.cells)?.hasTime;
  return malformed(row, "second", field, quote(written), formatDate(at), {
    parts: timeLike.length > 0 ? [flags.time, [roles.time.name, ...timeLike].join("+")] : undefined,
    tags: distinguishing.length > 0 ? [flags.tags, distinguishing.join(",")] : undefined,
    timezone: mayBeRepeated ? flags.timezone : undefined,
    duplicate: flags.duplicate,
  });
}

/** The cells of the time. */
export function writtenTime({ cells }: CsvRow, { roles }: Pick<MakerContext, "roles">): string {
  return roles.time.indexes.map((index) => cells[index]).join(" ");
}

/** Early hours of a Sunday: local clocks are put back then. */
function isAtClockChange(at: number): boolean {
  return new Date(at).getUTCDay() === 0 && at % DAY_MS <= 3 * HOUR_MS;
}

/** The series of a row: tags, and in a long table the quantity; its rows follow one another in time. */
export function seriesBy({ quantity }: Roles, tags: readonly TextColumn[]) {
  const keys = quantity ? [...tags, quantity] : tags;
  return (cells: readonly string[]) => keys.map(({ index }) => cells[index]).join("\n");
}

/** @param sample rows from the first one on @param seriesOf the series of a row */
export function createClock(
  sample: readonly CsvRow[],
  context: Omit<MakerContext, "distinguishing">,
  seriesOf: (cells: readonly string[]) => string,
): LocalClock {
  const times = sample.flatMap(({ cells }) => {
    const time = context.options.timezone && context.roles.time.read(cells);
    return time ? [{ time, series: seriesOf(cells) }] : [];
  });
  return new LocalClock(context, times);
}

/** Whether rows of one time remain with these tags. */
export function collides(
  sample: readonly CsvRow[],
  context: Omit<MakerContext, "distinguishing">,
  tags: readonly TextColumn[],
): boolean {
  const { roles, isMissing } = context;
  const seen = new Map<string, SeenInstants>();
  const seriesOf = seriesBy(roles, tags);
  const clock = createClock(sample, context, seriesOf);
  for (const { cells } of sample) {
    const time = roles.time.read(cells);
    if (!time) continue;
    const series = seriesOf(cells);
    const at = Math.round(clock.resolve(time, series) ?? Number.NaN);
    for (const { index } of roles.fields) {
      if (isMissing(cells[index]!) || Number.isNaN(at)) continue;
      if (!seenOf(seen, `${index}\n${series}`).add(at)) return true;
    }
  }
  return false;
}

/** The instants of a field, or of a field of a series. */
export function seenOf(seen: Map<string, SeenInstants>, key: string): SeenInstants {
  const known = seen.get(key) ?? new SeenInstants();
  seen.set(key, known);
  return known;
}
