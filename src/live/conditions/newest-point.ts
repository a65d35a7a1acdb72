// Newest point before the history of a window, read only where a silence is about to begin.
import { silenceLimit } from "../../core/model/silence.ts";
import { alignRange } from "../../core/series/grid.ts";
import { findExtent } from "../../models/stats/extent.ts";
import type { OpenBucket } from "../../points/features.ts";
import { readAnySeries } from "../fleet/any-series.ts";
import type { ConditionState } from "./index.ts";
import { beginsSilence, isSilent, type Sighting } from "./silence.ts";

/** Longest range that is read, in intervals. */
const MAX_INTERVALS = 2000;

interface Search extends Omit<Sighting, "isSilent"> {
  readonly before: ConditionState;
}

/**
 * The newest point of an evaluation, also where it lies before the history that was read: a server whose clock runs
 * ahead reads no newer ones.
 * @returns end of its interval, ms since the epoch; undefined where none was seen
 * @throws TorusError `not_found`, `bucket_*`
 */
export async function findNewestPoint(
  open: OpenBucket,
  { before, ...seen }: Search,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { settings, intervalMs, newestAt, windowAt } = seen;
  const { quiet } = before;
  if (!quiet || !beginsSilence(quiet, { ...seen, isSilent: isSilent(before) })) return newestAt;
  const limitMs = silenceLimit(settings, { intervalMs, gapMs: quiet.gapMs });
  const sinceAt = Math.max(quiet.sinceAt, windowAt - limitMs - MAX_INTERVALS * intervalMs);
  const range = alignRange({ fromAt: sinceAt, toAt: windowAt }, intervalMs);
  const grid = await readAnySeries(open, { settings, range, intervalMs }, signal);
  const extent = findExtent(grid, settings.features);
  return extent ? grid.startAt + extent.to * intervalMs : newestAt;
}
