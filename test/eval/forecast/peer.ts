// Input of peer forecasts.

/** What a peer knows: no value is missing. */
export interface PeerInput {
  readonly values: readonly number[];
  /** Points of a season; 1: none. */
  readonly season: number;
  readonly horizon: number;
}

export type Peer = (input: PeerInput) => number[];

/** Leads 1 to `horizon`. */
export function leadsOf(horizon: number): number[] {
  return Array.from({ length: horizon }, (_, k) => k + 1);
}
