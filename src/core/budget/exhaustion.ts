// Exhaustion of an error budget: when nothing is left, with what leaves the rolling window by then; pure.
import { DAY_MS } from "../time/time.ts";
import type { BudgetSeries } from "./burn.ts";

/** Days that tell how many requests fail: a week, so that each day of it counts once. */
const DAYS = 7;
const MIN_DAYS = 3;
/** Steps of a day that must be known. */
const MIN_KNOWN = 0.5;
/** Student's t by degrees of freedom from 2 on: one edge of the 90 % band. */
const edges = [2.92, 2.353, 2.132, 2.015, 1.943] as const;

export type Exhaustion =
  /** Nothing is left now. */
  | { readonly outlook: "exhausted" }
  | {
      readonly outlook: "expected" | "not_within_window";
      /** ms since the epoch; absent: not within the length of the window. */
      readonly at?: number;
      readonly earliestAt?: number;
      readonly latestAt?: number;
    }
  | { readonly outlook: "not_enough_data" };

/** Rounding of sums, relative to them. */
const ROUNDING = 1e-9;

/** What a step adds to the window. */
interface Flow {
  readonly bad: number;
  readonly total: number;
}

/**
 * Supposes that requests fail as in the last days, or while an alert burns, as over its time.
 * @param objective share that is to be good
 * @param burningMs time of the alert that burns; undefined: none does
 */
export function forecastExhaustion(
  series: BudgetSeries,
  objective: number,
  burningMs: number | undefined,
): Exhaustion {
  const { counts, startAt, stepMs } = series;
  const rest = restsOf(series);
  const [whole] = rest;
  if (!whole || whole.total <= 0) return { outlook: "not_enough_data" };
  const allowed = (1 - objective) * (1 - ROUNDING);
  if (whole.bad >= allowed * whole.total) return { outlook: "exhausted" };
  const days = recentDays(series);
  if (days.length < MIN_DAYS) return { outlook: "not_enough_data" };
  const usual = bandOf(days, DAY_MS / stepMs);
  const burning = burningMs === undefined ? undefined : flowOver(series, burningMs);
  const endAt = startAt + counts.total.length * stepMs;
  const dateOf = (flowAt: (lead: number) => Flow) => {
    for (let lead = 1; lead <= counts.total.length; lead++) {
      const flow = flowAt(lead);
      const { bad, total } = rest[lead]!;
      if (bad + lead * flow.bad >= allowed * (total + lead * flow.total)) return endAt + lead * stepMs;
    }
    return undefined;
  };
  const at = dateOf((lead) => burning ?? usual(lead, 0));
  const earliestAt = dateOf((lead) => worse(usual(lead, 1), burning));
  const latestAt = dateOf((lead) => usual(lead, -1));
  return {
    outlook: at === undefined ? "not_within_window" : "expected",
    ...(at !== undefined && { at }),
    ...(earliestAt !== undefined && { earliestAt: Math.min(earliestAt, at ?? earliestAt) }),
    ...(at !== undefined && latestAt !== undefined && { latestAt: Math.max(at, latestAt) }),
  };
}

const worse = (usual: Flow, burning: Flow | undefined): Flow =>
  burning && burning.bad > usual.bad ? burning : usual;

/** By the number of steps that have left the window: what is left of it. One longer than the series. */
function restsOf({ counts: { bad, total } }: BudgetSeries): Flow[] {
  const rest: Flow[] = [{ bad: 0, total: 0 }];
  for (let i = total.length - 1; i >= 0; i--) {
    const { bad: failed, total: all } = rest.at(-1)!;
    const isKnown = !Number.isNaN(total[i]);
    rest.push(isKnown ? { bad: failed + bad[i]!, total: all + total[i]! } : { bad: failed, total: all });
  }
  return rest.reverse();
}

/** Means of a step over the newest time, of the steps that are known. */
function flowOver(
  { counts: { bad, total }, stepMs }: BudgetSeries,
  ms: number,
  skippedMs = 0,
): Flow & { known: number } {
  const steps = Math.max(1, Math.round(ms / stepMs));
  const to = total.length - Math.round(skippedMs / stepMs);
  const sum = { bad: 0, total: 0, known: 0 };
  for (let i = Math.max(0, to - steps); i < to; i++) {
    if (Number.isNaN(total[i])) continue;
    sum.bad += bad[i]!;
    sum.total += total[i]!;
    sum.known++;
  }
  const { known } = sum;
  return { bad: sum.bad / (known || 1), total: sum.total / (known || 1), known: known / steps };
}

/** The newest days of 24 hours, as far as most of each is known. */
function recentDays(series: BudgetSeries): Flow[] {
  const days = Array.from({ length: DAYS }, (_, i) => flowOver(series, DAY_MS, i * DAY_MS));
  return days.filter(({ known }) => known >= MIN_KNOWN);
}

/** Mean of the days, and the edges of its band for a mean over a number of steps to come. */
function bandOf(days: readonly Flow[], perDay: number): (lead: number, side: -1 | 0 | 1) => Flow {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const bad = mean(days.map((day) => day.bad));
  const total = mean(days.map((day) => day.total));
  const variance = days.reduce((sum, day) => sum + (day.bad - bad) ** 2, 0) / (days.length - 1);
  const edge = edges[days.length - MIN_DAYS]!;
  return (lead, side) => {
    // A part of a day is as uncertain as a day.
    const error = Math.sqrt(variance * (1 / Math.max(1, lead / perDay) + 1 / days.length));
    return { bad: Math.max(0, bad + side * edge * error), total };
  };
}
