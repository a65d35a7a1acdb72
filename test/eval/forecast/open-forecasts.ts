// Forecasts of open series by Torus and the peers: MASE and the share that the band of 90 % holds.
import { coverage, type Forecast as Errors, mase } from "../metrics/forecast.ts";
import type { Answer, Forecast } from "./judge.ts";
import type { OpenSeries } from "./open-series.ts";
import { fillGaps, peerNames, peers } from "./peers.ts";

export const TORUS = "Torus";
const LEVEL = 0.9;

export interface OpenResult {
  readonly series: string;
  readonly group: string;
  readonly origins: number;
  /** By forecaster. */
  readonly mase: Readonly<Record<string, number>>;
  /** Of the band of Torus; NaN where a forecast was refused. */
  readonly held: number;
  /** The first refusal. */
  readonly refused?: string;
}

export async function forecastOpen(
  forecast: Forecast,
  series: OpenSeries,
  signal: AbortSignal,
): Promise<OpenResult> {
  const { name, group, origins, earlier = [], scale } = series;
  const measured: Record<string, number> = {};
  const all = [...origins, ...earlier];
  const own = await runTorus(forecast, series, { origins: all, signal }).catch((error: Error) => error);
  const observed = all.map((origin) => observedAt(series, origin));
  const score = (predicted: readonly (readonly number[])[]) =>
    mase(pair(predicted, observed), scale) ?? Number.NaN;
  measured[TORUS] =
    own instanceof Error ? Number.NaN : score(own.slice(0, origins.length).map(({ predicted }) => predicted));
  for (const peer of peerNames)
    measured[peer] = score(origins.map((origin) => runPeer(peer, series, origin)));
  const bands = own instanceof Error ? [] : own.map((answer, k) => ({ ...answer, observed: observed[k]! }));
  return {
    series: name,
    group,
    origins: origins.length,
    mase: measured,
    held: coverage(bands) ?? Number.NaN,
    ...(own instanceof Error && { refused: own.message }),
  };
}

function pair(predicted: readonly (readonly number[])[], observed: readonly number[][]): Errors[] {
  return predicted.map((values, k) => ({ predicted: values, observed: observed[k]! }));
}

function observedAt({ values, horizon }: OpenSeries, origin: number): number[] {
  return Array.from(values).slice(origin, origin + horizon);
}

async function runTorus(
  forecast: Forecast,
  series: OpenSeries,
  { origins, signal }: { readonly origins: readonly number[]; readonly signal: AbortSignal },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const origin of origins) answers.push(await forecastAt(forecast, series, { origin, signal }));
  return answers;
}

/** Where the newest points before the origin are missing, the forecast starts earlier, and its first leads are cut. */
async function forecastAt(
  forecast: Forecast,
  { times, values, horizon, memory }: OpenSeries,
  { origin, signal }: { readonly origin: number; readonly signal: AbortSignal },
): Promise<Answer> {
  const present = [];
  for (let i = Math.max(0, origin - memory); i < origin; i++)
    if (Number.isFinite(values[i]!)) present.push(i);
  const missing = origin - 1 - present.at(-1)!;
  const points = present.map((i) => ({ timestamp: times[i]!, value: values[i]! }));
  const body = { series: points, horizon: horizon + missing, p_val: LEVEL };
  const { predicted, lower, upper } = await forecast(body, signal);
  return { predicted: predicted.slice(missing), lower: lower.slice(missing), upper: upper.slice(missing) };
}

function runPeer(peer: keyof typeof peers, series: OpenSeries, origin: number): number[] {
  const { values, season, horizon, memory } = series;
  const before = Array.from(values).slice(Math.max(0, origin - memory), origin);
  return peers[peer]({ values: fillGaps(before, season), season, horizon });
}
