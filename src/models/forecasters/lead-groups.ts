// Groups of leads: near, a season ahead, and far; members are weighed in each, and shares change smoothly between; pure.
import { piecewise } from "../stats/piecewise.ts";

export const leadGroups = ["near", "season", "far"] as const;

/** First leads of the season and the far group, in intervals. */
export interface GroupBounds {
  readonly season: number;
  readonly far: number;
}

/** Share of the near horizon that is near. */
const NEAR_SHARE = 0.25;

/** @param horizon near horizon of the backtest: a day, or 12 longer intervals */
export function groupsOf(horizon: number): GroupBounds {
  return { season: Math.max(1, Math.round(NEAR_SHARE * horizon)), far: horizon };
}

/** Index of the group of a lead. */
export function groupOf({ season, far }: GroupBounds, lead: number): number {
  return lead < season ? 0 : lead < far ? 1 : 2;
}

/** A value per group at a lead: linear between the middles of the groups. */
export function valueAt({ season, far }: GroupBounds, values: readonly number[], lead: number): number {
  return piecewise([season / 2, (season + far) / 2, 1.5 * far], values, lead);
}
