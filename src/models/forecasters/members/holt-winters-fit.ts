// Fit of Holt-Winters smoothing factors by coordinate descent over a small grid.
import { yieldToEventLoop } from "../../../runtime/steps.ts";
import { pickEvenly } from "../../stats/indices.ts";
import type { Seasons } from "../season/season.ts";
import { HoltWinters, type Smoothing, type Start, startOf } from "./holt-winters.ts";

const INITIAL_CHOICE = { level: 0.01, trend: 0, kept: 0.8, day: 0.15, week: 0.2, memory: 0.5 };
type Choice = typeof INITIAL_CHOICE;

/** Values of each coordinate; `trend` is a share of `level`, `kept` the share of the trend that remains after a day. */
const CHOICES: { readonly [K in keyof Choice]: readonly number[] } = {
  level: [0.002, 0.01, 0.03, 0.1, 0.3],
  day: [0.02, 0.08, 0.15, 0.3],
  week: [0.1, 0.25, 0.5],
  memory: [0, 0.5, 0.8],
  trend: [0, 0.01, 0.1],
  kept: [0.8, 0.98],
};
const PASSES = 2;
const MAX_ORIGINS = 24;
const MAX_LEADS = 24;
/** Share of the column, at its start, in which errors are not measured while the state settles. */
const SETTLING_SHARE = 0.3;

interface SmoothingInput {
  /** Column to fit to; NaN = missing. */
  readonly column: Float64Array;
  readonly seasons: Seasons;
  /** Length of the forecasts, in intervals. */
  readonly horizon: number;
  /** Unit of the damping, in intervals; see `levelSpanOf`. */
  readonly levelSpan: number;
  /** Passes over the coordinates; default 2. */
  readonly passes?: number | undefined;
}

/** The smoothing with the lowest mean absolute error; yields to the event loop. @throws TorusError `canceled` */
export async function fitSmoothing(input: SmoothingInput, signal: AbortSignal): Promise<Smoothing> {
  const { seasons, passes = PASSES } = input;
  const keys = (Object.keys(CHOICES) as (keyof Choice)[]).filter(
    (key) => !((key === "day" && !seasons.day) || (key === "week" && !seasons.week)),
  );
  const from = Math.floor(input.column.length * SETTLING_SHARE);
  const settled = { from, start: startOf(input.column, from, seasons) };
  let best = { choice: INITIAL_CHOICE, error: errorOf(input, INITIAL_CHOICE, settled) };
  for (let pass = 0; pass < passes; pass++) {
    for (const key of keys) {
      for (const value of CHOICES[key]) {
        if (value === best.choice[key]) continue;
        await yieldToEventLoop(signal);
        const choice = { ...best.choice, [key]: value };
        const error = errorOf(input, choice, settled);
        if (error < best.error) best = { choice, error };
      }
    }
  }
  return toSmoothing(best.choice, input.levelSpan);
}

function toSmoothing({ kept, ...choice }: Choice, levelSpan: number): Smoothing {
  return { ...choice, trend: choice.trend * choice.level, damping: kept ** (1 / levelSpan) };
}

/** What no choice changes. */
interface Settled {
  /** First origin. */
  readonly from: number;
  readonly start: Start;
}

/** Mean absolute error from origins all over the column; infinite if nothing was observed. */
function errorOf(input: SmoothingInput, choice: Choice, { from, start }: Settled): number {
  const { column, seasons, horizon } = input;
  const leads = pickEvenly(horizon, MAX_LEADS);
  const smoothing = toSmoothing(choice, input.levelSpan);
  const state = new HoltWinters(column, start, { seasons, smoothing });
  const to = Math.max(from, column.length - horizon);
  let [sum, count] = [0, 0];
  for (const origin of pickEvenly(to - from + 1, MAX_ORIGINS).map((k) => from + k)) {
    state.advance(origin);
    for (const [k, predicted] of state.predict(leads).entries()) {
      const error = Math.abs(predicted - (column[origin + leads[k]!] ?? Number.NaN));
      if (!Number.isFinite(error)) continue;
      sum += error;
      count++;
    }
  }
  return count === 0 ? Number.POSITIVE_INFINITY : sum / count;
}
