// Exponential smoothing with a damped trend and an additive season, by a small grid of parameters.
import { leadsOf, type PeerInput } from "./peer.ts";

interface Parameters {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly phi: number;
}

interface State {
  level: number;
  trend: number;
  /** By place in the season. */
  readonly season: number[];
}

const MIN_CYCLES = 2;

export function forecastDamped({ values, season, horizon }: PeerInput): number[] {
  const length = values.length >= MIN_CYCLES * season ? season : 1;
  let best: { error: number; state: State; phi: number } | undefined;
  for (const parameters of gridOf(length)) {
    const state = startOf(values, length);
    const error = run(values, state, parameters);
    if (!best || error < best.error) best = { error, state, phi: parameters.phi };
  }
  const { state, phi } = best!;
  let damped = 0;
  return leadsOf(horizon).map((lead) => {
    damped += phi ** lead;
    return state.level + damped * state.trend + state.season[(values.length - 1 + lead) % length]!;
  });
}

function gridOf(season: number): Parameters[] {
  const gammas = season > 1 ? [0.02, 0.1, 0.3] : [0];
  return [0.05, 0.15, 0.3, 0.6, 0.9].flatMap((alpha) =>
    [0.01, 0.05, 0.2].flatMap((beta) =>
      gammas.flatMap((gamma) => [0.9, 0.98].map((phi) => ({ alpha, beta, gamma, phi }))),
    ),
  );
}

/** From the first two seasons, or the first points. */
function startOf(values: readonly number[], season: number): State {
  if (season === 1)
    return { level: values[0]!, trend: values.length > 1 ? values[1]! - values[0]! : 0, season: [0] };
  const [first, second] = [values.slice(0, season), values.slice(season, 2 * season)].map(
    (cycle) => cycle.reduce((sum, x) => sum + x, 0) / season,
  ) as [number, number];
  const trend = (second - first) / season;
  const middle = (season - 1) / 2;
  const deviationAt = (i: number) =>
    (values[i]! + values[season + i]! - first - second) / 2 - trend * (i - middle);
  return {
    level: first - trend * (middle + 1),
    trend,
    season: Array.from({ length: season }, (_, i) => deviationAt(i)),
  };
}

/** Moves the state through the values. @returns sum of the squared errors of one step ahead */
function run(values: readonly number[], state: State, { alpha, beta, gamma, phi }: Parameters): number {
  let sum = 0;
  for (const [i, value] of values.entries()) {
    const place = i % state.season.length;
    const foretold = state.level + phi * state.trend;
    const error = value - foretold - state.season[place]!;
    sum += error ** 2;
    state.level = foretold + alpha * error;
    state.trend = phi * state.trend + alpha * beta * error;
    state.season[place]! += gamma * (1 - alpha) * error;
  }
  return sum;
}
