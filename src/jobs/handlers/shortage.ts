// Advice on a training that found too few points: when there will be enough, or which parameter to change; pure.
import { TorusError } from "../../core/errors.ts";
import { floorTo, type Grid, type Range } from "../../core/series/grid.ts";
import { formatDate } from "../../core/time/time.ts";

/** Intervals without a point after which a series counts as ended, and before which as begun late. */
const PATIENCE = 5;

export interface Shortage {
  /** The range that was asked for. */
  readonly range: Range;
  /** Trimmed to the observed points. */
  readonly grid: Pick<Grid, "startAt" | "intervalMs" | "length">;
  /** ms since the epoch. */
  readonly nowAt: number;
}

/** Adds the way out to an error `too_little_data` with `found` and `needed`; returns anything else as it is. */
export function adviseOnShortage(error: unknown, shortage: Shortage): unknown {
  if (!(error instanceof TorusError) || error.code !== "too_little_data") return error;
  const { found, needed } = error.details;
  if (typeof found !== "number" || typeof needed !== "number") return error;
  return new TorusError(
    "too_little_data",
    `${error.message}: ${adviceFor(shortage, { found, needed })}`,
    error.details,
  );
}

function adviceFor(
  { range, grid, nowAt }: Shortage,
  { found, needed }: { readonly found: number; readonly needed: number },
): string {
  const { startAt, intervalMs, length } = grid;
  const endAt = startAt + length * intervalMs;
  const patienceMs = PATIENCE * intervalMs;
  if (startAt - range.fromAt < patienceMs) return "choose an earlier from, or set a shorter span";
  const beginning = `the first point in the range is at ${formatDate(startAt)}`;
  if (range.toAt - endAt < patienceMs && nowAt - range.toAt > patienceMs)
    return `${beginning}; choose a later to, or set a shorter span`;
  if (nowAt - endAt > patienceMs)
    return `${beginning} and the last before ${formatDate(endAt)}; set a shorter span`;
  // As dense as so far; rounded up to the end of an interval.
  const missingMs = ((needed - found) / (found / length)) * intervalMs;
  const enoughAt = floorTo(endAt + missingMs, intervalMs) + intervalMs;
  return `${beginning}; enough at ${formatDate(enoughAt)} if points keep coming, or set a shorter span`;
}
