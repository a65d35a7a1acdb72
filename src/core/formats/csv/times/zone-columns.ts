// Zones of local times in a column beside them: offsets from UTC, or names.
import { isTimezone } from "../../../time/timezone.ts";
import { offsetMs } from "../cell-date.ts";
import type { CsvOptions } from "../options.ts";
import { malformed, quote } from "../words/refusal.ts";
import type { Candidate } from "./certain.ts";
import { zoneOfName } from "./named-zone.ts";
import type { SampledColumn, TimeColumn } from "./sampled.ts";

interface Search {
  readonly columns: readonly SampledColumn[];
  readonly options: CsvOptions;
}

/** The offset from UTC that a cell says, ms. */
function offsetOf(cell: string): number | undefined {
  return offsetMs(zoneOfName(cell) ?? cell);
}

/** Joins local times with a column of their zones, if there is one. @throws TorusError `invalid` for zones not known */
export function withZones(
  time: TimeColumn,
  { column, kind }: Candidate,
  { columns, options }: Search,
): TimeColumn {
  const isLocal = column.cells.some((cell) => kind.read(cell)?.hasOffset === false);
  const found = columns.find(
    ({ name, index, cells }) =>
      /offset|tz|zone/i.test(name) &&
      !time.indexes.includes(index) &&
      cells.length > 0 &&
      (cells.every((cell) => offsetOf(cell) !== undefined) ||
        (/time ?zone|zeitzone|^tz$/i.test(name) && cells.every((cell) => /^[a-z]/i.test(cell)))),
  );
  if (!found || !isLocal || (time.indexes.length === 1 && !kind.hasTime)) return time;
  const { name, index, cells } = found;
  const odd = cells.find((cell) => offsetOf(cell) === undefined);
  if (odd === undefined)
    return {
      ...time,
      name: `${time.name}+${name}`,
      indexes: [...time.indexes, index],
      read: (row) => {
        const [read, ms] = [time.read(row), offsetOf(row[index]!)];
        if (!read || read.hasOffset) return read;
        return ms === undefined ? undefined : { ...read, ms: read.ms - ms, hasOffset: true };
      },
    };
  const other = cells.find((cell) => cell !== cells[0]);
  if (other === undefined && isTimezone(odd)) return { ...time, timezone: odd };
  if (options.timezone !== undefined) return time;
  throw malformed(found, "noForm", name, quote(other ?? odd), "+01:00", [options.flags.timezone]);
}
