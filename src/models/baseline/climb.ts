// Days that climb from midnight to midnight and go on over it, as of a counter that is reset each week; pure.
import { medianOf } from "../stats/median.ts";
import type { DayTable } from "./day-table.ts";

/** Largest change over midnight, as a share of the climb: a series that falls back each midnight changes by all of it. */
const MAX_CHANGE_SHARE = 0.1;
/** Least climb, as a multiple of what it differs by from day to day: less is noise. */
const MIN_DIFFERENCES = 4;
/** Fewer days, of which each weekday is known twice: a third week is further from them than they are from their mean. */
const FEW_DAYS = 21;

/**
 * Whether few days are parts of one climb. With each day of the week at a level of its own such values fall back at every
 * midnight, by as much as the levels of the training are wrong for the week that is judged.
 */
export function climbsPastMidnight(table: DayTable): boolean {
  if (table.length >= FEW_DAYS) return false;
  const climbs = table.map(({ values }) => values.at(-1)! - values[0]!);
  const changes = table.map(({ day, values }, k) => {
    const before = table[k - 1];
    return before?.day === day - 1 ? Math.abs(values[0]! - before.values.at(-1)!) : Number.NaN;
  });
  const climb = medianOf(climbs);
  const difference = medianOf(climbs.map((own) => Math.abs(own - climb)));
  return (
    Math.abs(climb) > MIN_DIFFERENCES * difference && medianOf(changes) < MAX_CHANGE_SHARE * Math.abs(climb)
  );
}
