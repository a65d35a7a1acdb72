// Peer forecasts of a series from its points alone: repeated values, drift, Theta, and damped exponential smoothing.
import { forecastDamped } from "./damped.ts";
import { leadsOf, type Peer, type PeerInput } from "./peer.ts";
import { forecastTheta } from "./theta.ts";

export function forecastLast({ values, horizon }: PeerInput): number[] {
  return leadsOf(horizon).map(() => values.at(-1)!);
}

/** The newest season again; the last value where a season is not there yet. */
export function forecastSeasonalNaive({ values, season, horizon }: PeerInput): number[] {
  const length = values.length < season ? 1 : season;
  const newest = values.slice(-length);
  return leadsOf(horizon).map((lead) => newest[(lead - 1) % length]!);
}

/** The line through the first and the last value. */
export function forecastDrift({ values, horizon }: PeerInput): number[] {
  const last = values.at(-1)!;
  const slope = values.length < 2 ? 0 : (last - values[0]!) / (values.length - 1);
  return leadsOf(horizon).map((lead) => last + slope * lead);
}

export const peers = {
  "last value": forecastLast,
  "seasonal naive": forecastSeasonalNaive,
  drift: forecastDrift,
  Theta: forecastTheta,
  "damped ETS": forecastDamped,
} as const satisfies Readonly<Record<string, Peer>>;

export type PeerName = keyof typeof peers;
export const peerNames = Object.keys(peers) as PeerName[];

/** Missing values take that of the season before, or the one before them; those at the start are left out. */
export function fillGaps(values: ArrayLike<number>, season: number): number[] {
  const all = Array.from(values);
  const first = all.findIndex(Number.isFinite);
  const filled = first < 0 ? [] : all.slice(first);
  for (const [i, value] of filled.entries())
    if (!Number.isFinite(value)) filled[i] = i >= season ? filled[i - season]! : filled[i - 1]!;
  return filled;
}
