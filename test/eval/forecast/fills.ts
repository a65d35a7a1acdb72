// Fills of disks, generated: when a forecast says that the limit is reached, beside the day when it is; and flat ones.

import { findBreach } from "../../../src/core/series/breach.ts";
import { predictSeries } from "../../../src/models/stateless/predict.ts";
import { createRandom } from "../../../wasm/random.ts";

const LIMIT = 90;
const LEVEL = 0.9;
const DAY_MS = 86_400_000;
/** Share of the lead that a date may be off by, and at least an interval. */
const TOLERANCE = 0.2;

export interface Fill {
  readonly name: string;
  readonly column: Float64Array;
  readonly intervalMs: number;
  /** Intervals of a season; 0 = none. */
  readonly period: number;
  /** Intervals until the limit is reached; undefined: never. */
  readonly lead: number | undefined;
}

export interface FillResult {
  readonly fill: Fill;
  /** Intervals until the forecast reaches the limit; undefined: not within the horizon. */
  readonly found: number | undefined;
  readonly isRight: boolean;
}

const intervals = [
  { name: "5 min", perDay: 288 },
  { name: "1 h", perDay: 24 },
  { name: "1 d", perDay: 1 },
] as const;

/** As many fills as asked; every fifth is flat. They differ in interval, length, slope, noise and clean-ups. */
export function makeFills(count: number, seed: number): Fill[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, k): Fill => {
    const { name, perDay } = intervals[k % intervals.length]!;
    const days =
      perDay === 1 ? 40 + Math.floor(80 * random.uniform()) : 10 + Math.floor(18 * random.uniform());
    const leadDays = perDay === 1 ? 10 + 40 * random.uniform() : 2 + 8 * random.uniform();
    const isFlat = k % 5 === 4;
    const start = 20 + 30 * random.uniform();
    const perInterval = isFlat ? 0 : (LIMIT - start) / ((days + leadDays) * perDay);
    const length = days * perDay;
    const noise = [0.05, 0.3, 1][k % 3]!;
    const saw = perDay > 1 && k % 2 === 0 ? 3 : 0;
    const valueAt = (i: number) => start + perInterval * i + (saw * (i % perDay)) / perDay;
    const column = Float64Array.from({ length }, (_value, i) => valueAt(i) + noise * random.normal());
    const lead = isFlat ? undefined : firstAbove(valueAt, length);
    const what = isFlat ? "flat" : saw > 0 ? "with a clean-up each day" : "straight";
    return {
      name: `${name}, ${days} days, ${what}, noise ${noise}`,
      column,
      intervalMs: DAY_MS / perDay,
      period: perDay > 1 ? perDay : 0,
      lead,
    };
  });
}

function firstAbove(valueAt: (i: number) => number, from: number): number {
  for (let lead = 0; ; lead++) if (valueAt(from + lead) > LIMIT) return lead;
}

/** Forecasts a fill for twice its lead, a flat one for as long as it has been. */
export async function judgeFill(fill: Fill, signal: AbortSignal): Promise<FillResult> {
  const { column, intervalMs, period, lead } = fill;
  const horizon = lead === undefined ? column.length : 2 * lead + 2;
  const query = { column, intervalMs, period, horizon, levels: [LEVEL], forecaster: "auto" as const };
  const { predicted, bands } = await predictSeries(query, signal);
  const found = findBreach({ predicted, ...bands[0]! }, { type: "high", threshold: LIMIT }).first;
  if (lead === undefined) return { fill, found, isRight: found === undefined };
  const isRight = found !== undefined && Math.abs(found - lead) <= Math.max(1, TOLERANCE * lead);
  return { fill, found, isRight };
}
