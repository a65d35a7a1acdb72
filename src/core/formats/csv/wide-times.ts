// Tables with a column for each day, month or hour: a row of them is no point of one time.
import { isDate, readTimeOfDay } from "./cell-date.ts";
import { monthOf } from "./month-names.ts";
import type { FlagNames } from "./options.ts";
import { quote, refuse } from "./words/refusal.ts";

/** Fewer can be names of quantities, as `May`. */
const LEAST = 3;
const year = /^(1[5-9]|20|21)\d\d$/;

/**
 * @param columns of numbers
 * @param hasTime whether another column holds the time: a number such as 2019 is then no year
 * @throws TorusError `invalid` where columns are named by times
 */
export function refuseWideTimes(
  columns: readonly { readonly name: string }[],
  flags: FlagNames,
  hasTime: boolean,
): void {
  const isTime = (name: string) =>
    monthOf(name) !== undefined || readTimeOfDay(name) || (!hasTime && year.test(name)) || isDate(name);
  const times = columns
    .map(({ name }) => name)
    .filter(isTime)
    .slice(0, LEAST);
  if (times.length === LEAST) throw refuse("header", "wideTimes", times.map(quote).join(", "), flags.columns);
}
