// Dates at which a feature reaches a limit, by the history that was read.
import { findOutlook, type Outlook } from "../../core/capacity/outlook.ts";
import type { Limit } from "../../core/capacity/reach.ts";
import type { Feature } from "../../core/model/feature.ts";
import type { Grid } from "../../core/series/grid.ts";
import { DAY_MS } from "../../core/time/time.ts";
import { trimForFeature } from "../../models/stats/extent.ts";
import { bandWidth } from "../../models/stats/normal.ts";
import { finishInSteps } from "../../runtime/steps.ts";

interface LimitDates {
  readonly outlook: Outlook;
  /** ms since the epoch */
  readonly firstAt: number;
  /** By the edges of the band. */
  readonly earliestAt: number;
  /** Absent: later than the history is long. */
  readonly latestAt?: number;
}

interface Question {
  readonly feature: Feature;
  readonly limit: Limit;
  /** Confidence of the band, 0..1. */
  readonly level: number;
}

/**
 * The dates; yields to the event loop between its steps.
 * @returns undefined where the feature does not certainly move towards the limit
 * @throws TorusError `canceled`
 */
export async function findDates(
  grid: Grid,
  { feature, limit, level }: Question,
  signal: AbortSignal,
): Promise<LimitDates | undefined> {
  const part = trimForFeature(grid, feature);
  if (!part) return undefined;
  const { startAt, length, intervalMs } = part;
  const series = { column: part.columns[feature.name]!, perDay: DAY_MS / intervalMs };
  const outlook = await finishInSteps(findOutlook(series, limit, bandWidth(level)), signal);
  if (!outlook) return undefined;
  const { expected, earliest, latest } = outlook;
  const dateOf = (lead: number) => Math.round(startAt + (length + lead) * intervalMs);
  return {
    outlook,
    firstAt: dateOf(expected),
    earliestAt: dateOf(earliest),
    ...(latest !== undefined && { latestAt: dateOf(latest) }),
  };
}
