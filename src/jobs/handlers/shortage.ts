// Advice for a training with too few points: the date of enough points, the intervals left out, or a parameter to change.
import { TorusError } from "../../core/errors.ts";
import { floorTo, type Grid, type Range } from "../../core/series/grid.ts";
import { formatDate } from "../../core/time/time.ts";
import { countMarks, markIntervals } from "../../models/stats/marks.ts";

/** Empty intervals at the end of a range after which a series counts as ended, or at its start as begun late. */
const MAX_EMPTY_INTERVALS = 5;

export interface Shortage {
  /** The requested range. */
  readonly range: Range;
  /** Trimmed to the observed points. */
  readonly grid: Pick<Grid, "startAt" | "intervalMs" | "length">;
  /** What the training left out: known events, anomalies and labels. */
  readonly excluded: readonly Range[];
  /** ms since the epoch. */
  readonly nowAt: number;
}

/** Adds advice to an error `too_little_data` with `found` and `needed`; returns other errors unchanged. */
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
  { range, grid, excluded, nowAt }: Shortage,
  { found, needed }: { readonly found: number; readonly needed: number },
): string {
  const { startAt, intervalMs, length } = grid;
  const leftOut = countMarks(markIntervals(grid, excluded));
  if (leftOut > 0 && (found === 0 || found + leftOut >= needed))
    return `${leftOut} of the ${length} intervals are left out by known_events, anomalies or labels: choose a longer range, or change these`;
  const endAt = startAt + length * intervalMs;
  const maxEmptyMs = MAX_EMPTY_INTERVALS * intervalMs;
  if (startAt - range.fromAt < maxEmptyMs) return "choose an earlier from, or set a shorter span";
  const beginning = `the first point in the range is at ${formatDate(startAt)}`;
  if (range.toAt - endAt < maxEmptyMs && nowAt - range.toAt > maxEmptyMs)
    return `${beginning}; choose a later to, or set a shorter span`;
  if (found === 0 || nowAt - endAt > maxEmptyMs)
    return `${beginning} and the last before ${formatDate(endAt)}; set a shorter span`;
  // Assumes the density so far; rounded up to the end of an interval.
  const missingMs = ((needed - found) / (found / length)) * intervalMs;
  const enoughAt = floorTo(endAt + missingMs, intervalMs) + intervalMs;
  return `${beginning}; enough at ${formatDate(enoughAt)} if points keep arriving, or set a shorter span`;
}
