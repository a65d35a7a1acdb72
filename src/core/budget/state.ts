// State of an error budget: remaining share, burn rates, and days of its rolling window; pure.
import { localDayOf, type OffsetAt } from "../calendar/wall-time.ts";
import { DAY_MS, HOUR_MS } from "../time/time.ts";
import type { Objective } from "./budget.ts";
import type { BudgetSeries, Counts } from "./burn.ts";
import { type Exhaustion, forecastExhaustion } from "./exhaustion.ts";

/** Times over which the burn rate is told. */
const burnSpans = ["1h", "6h", "1d", "3d"] as const;
const spanMs = { "1h": HOUR_MS, "6h": 6 * HOUR_MS, "1d": DAY_MS, "3d": 3 * DAY_MS } as const;

/**
 * Alerts by burn rates (The Site Reliability Workbook, chapter 5, "Multiwindow, Multi-Burn-Rate Alerts"): the share of
 * the budget that a time consumes, over the time and over a twelfth of it. Of 30 days they are rates of 14.4, 6 and 1.
 */
const alerts = [
  { span: "1h", share: 0.02, burn: "fast" },
  { span: "6h", share: 0.05, burn: "fast" },
  { span: "3d", share: 0.1, burn: "slow" },
] as const;
const SHORT_SHARE = 1 / 12;

interface BudgetDay {
  /** In days since the epoch, local. */
  readonly day: number;
  readonly bad: number;
  readonly total: number;
  /** Share of the budget of the whole window. */
  readonly consumed: number;
}

/** A state without its days. */
export interface BudgetSummary {
  /** Share of the budget; below 0: overspent. Undefined where nothing was counted in the whole window. */
  readonly remaining: number | undefined;
  readonly bad: number;
  readonly total: number;
  /** Intervals without values, as a share of the window. */
  readonly missing: number;
  readonly impossible: number;
  /** Undefined where nothing was counted. */
  readonly rates: Readonly<Record<(typeof burnSpans)[number], number | undefined>>;
  readonly burn: "fast" | "slow" | undefined;
  readonly exhaustion: Exhaustion;
}

export interface BudgetState extends BudgetSummary {
  /** Oldest first. */
  readonly days: readonly BudgetDay[];
}

/** @param offsetAt of the days */
export function stateOf(series: BudgetSeries, objective: Objective, offsetAt: OffsetAt): BudgetState {
  const { counts, startAt, stepMs } = series;
  const { bad, total } = sumOf(counts, 0);
  const allowed = (1 - objective.objective) * total;
  const rateOver = (ms: number) => rateOf(series, objective, ms);
  const rates = Object.fromEntries(burnSpans.map((span) => [span, rateOver(spanMs[span])]));
  const alert = alerts.find(({ span, share }) => {
    const threshold = Math.max(1, (share * objective.windowMs) / spanMs[span]);
    const isAbove = (ms: number) => (rateOver(ms) ?? 0) > threshold;
    return spanMs[span] <= objective.windowMs && isAbove(spanMs[span]) && isAbove(spanMs[span] * SHORT_SHARE);
  });
  const known = counts.total.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0);
  return {
    remaining: total > 0 ? 1 - bad / allowed : undefined,
    ...{ bad, total, impossible: counts.impossible },
    missing: (counts.total.length - known - counts.impossible) / counts.total.length,
    rates: rates as BudgetState["rates"],
    burn: alert?.burn,
    exhaustion: forecastExhaustion(series, objective.objective, alert && spanMs[alert.span]),
    days: daysOf({ counts, startAt, stepMs }, { allowed, offsetAt }),
  };
}

function sumOf({ bad, total }: Counts, from: number): { readonly bad: number; readonly total: number } {
  const sum = { bad: 0, total: 0 };
  for (let i = Math.max(0, from); i < total.length; i++) {
    if (Number.isNaN(total[i])) continue;
    sum.bad += bad[i]!;
    sum.total += total[i]!;
  }
  return sum;
}

/** Burn rate over the newest time, one step at least; undefined where nothing was counted. */
function rateOf({ counts, stepMs }: BudgetSeries, { objective }: Objective, ms: number): number | undefined {
  const { bad, total } = sumOf(counts, counts.total.length - Math.max(1, Math.round(ms / stepMs)));
  return total > 0 ? bad / total / (1 - objective) : undefined;
}

function daysOf(
  { counts: { bad, total }, startAt, stepMs }: BudgetSeries,
  { allowed, offsetAt }: { readonly allowed: number; readonly offsetAt: OffsetAt },
): BudgetDay[] {
  const days = new Map<number, { bad: number; total: number }>();
  for (let i = 0; i < total.length; i++) {
    if (Number.isNaN(total[i])) continue;
    const day = localDayOf(startAt + i * stepMs, offsetAt);
    const sum = days.get(day) ?? { bad: 0, total: 0 };
    days.set(day, { bad: sum.bad + bad[i]!, total: sum.total + total[i]! });
  }
  return [...days].map(([day, sum]) => ({ day, ...sum, consumed: allowed > 0 ? sum.bad / allowed : 0 }));
}
