// Tables with a column for each day, month or hour: a row of them is no point of one time.
import { isDate, readTimeOfDay } from "./cell-date.ts";
import { monthOf } from "./month-names.ts";
import type { FlagNames } from "./options.ts";
import { type CsvRefusal, quote, refuse } from "./words/refusal.ts";

/** Fewer can be names of quantities, as `May`. */
const LEAST = 3;
const year = /^(1[5-9]|20|21)\d\d$/;

/**
 * The error of columns that are named by times; undefined where there are too few.
 * @param names of numeric columns
 * @param hasTime whether another column holds the time: a number such as 2019 is then no year
 */
export function explainWideTimes(
  names: readonly string[],
  flags: FlagNames,
  hasTime: boolean,
): CsvRefusal | undefined {
  const isTime = (name: string) =>
    monthOf(name) !== undefined ||
    readTimeOfDay(name) !== undefined ||
    (!hasTime && year.test(name)) ||
    isDate(name);
  const times = names.filter(isTime);
  if (times.length < LEAST) return undefined;
  const shown = times.slice(0, LEAST).map(quote).join(", ");
  return refuse("header", "wideTimes", shown, flags.columns);
}
