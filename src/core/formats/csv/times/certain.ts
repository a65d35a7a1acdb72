// Local times made certain by another column that has the same instants in UTC or since the epoch.
import { HOUR_MS, MINUTE_MS } from "../../../time/time.ts";
import { zoneOfName } from "./named-zone.ts";
import type { SampledColumn } from "./sampled.ts";
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
    const difference = Math.abs((a.kind.read(cell)?.ms ?? NaN) - (b.kind.read(b.column.cells[i]!)?.ms ?? 0));
    // One of them may be without seconds.
    const rest = Math.abs(difference - Math.round(difference / STEP_MS) * STEP_MS);
    return difference <= GREATEST_MS + MINUTE_MS && rest < MINUTE_MS;
  });
}
