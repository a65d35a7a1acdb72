// Local times made certain by another column: the same instants in UTC or since the epoch, or offsets beside them.
import { HOUR_MS, MINUTE_MS } from "../../../time/time.ts";
import { zoneOfName } from "./named-zone.ts";
import type { SampledColumn, TimeColumn } from "./sampled.ts";
import type { TimeKind } from "./time-kinds.ts";

/** A column that may be the time. */
export interface Candidate {
  readonly column: SampledColumn;
  readonly kind: TimeKind;
}

/** Clocks differ from UTC by multiples of it. */
const STEP_MS = 15 * MINUTE_MS;
const GREATEST_MS = 14 * HOUR_MS;

/** A column of instants, if those of another one are without an offset and differ from them as clocks do. */
export function findCertain(local: Candidate, found: readonly Candidate[]): Candidate | undefined {
  if (isCertain(local) || !local.kind.hasTime) return undefined;
  return found.find((each) => isCertain(each) && !each.kind.rival && differAsClocks(local, each));
}

function isCertain({ column: { name, cells }, kind }: Candidate): boolean {
  if (kind.kind !== "date" || !kind.hasTime) return kind.kind === "epoch";
  return zoneOfName(name) !== undefined || cells.every((cell) => kind.read(cell)?.hasOffset);
}

function differAsClocks(a: Candidate, b: Candidate): boolean {
  if (a.column.cells.length !== b.column.cells.length) return false;
  return a.column.cells.every((cell, i) => {
    const difference = (a.kind.read(cell)?.ms ?? Number.NaN) - (b.kind.read(b.column.cells[i]!)?.ms ?? 0);
    // One of them may be without seconds.
    const rest = Math.abs(difference - Math.round(difference / STEP_MS) * STEP_MS);
    return Math.abs(difference) <= GREATEST_MS + MINUTE_MS && rest < MINUTE_MS;
  });
}

const offset = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/;

/** Joins local times with a column of their offsets from UTC, if there is one. */
export function withOffsets(time: TimeColumn, columns: readonly SampledColumn[]): TimeColumn {
  const found = columns.find(
    ({ name, index, cells }) =>
      /offset|tz|zone/i.test(name) &&
      !time.indexes.includes(index) &&
      cells.length > 0 &&
      cells.every((cell) => offset.test(cell)),
  );
  if (!found) return time;
  return {
    ...time,
    name: `${time.name}+${found.name}`,
    indexes: [...time.indexes, found.index],
    read: (cells) => {
      const [read, parts] = [time.read(cells), offset.exec(cells[found.index]!)];
      if (!read || read.hasOffset || !parts) return read?.hasOffset ? read : undefined;
      const [, sign, hours, minutes = "0"] = parts;
      const ms = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
      return { ...read, ms: read.ms - (sign === "-" ? -ms : ms), hasOffset: true };
    },
  };
}
