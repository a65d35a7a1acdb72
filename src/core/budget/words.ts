// Sentences of error budgets; pure.
import { formatSi } from "../formats/readable.ts";
import type { Objective } from "./budget.ts";
import type { BudgetSummary } from "./state.ts";

/** Share of what may fail from which missing values could change what is left. */
const TOLD_MISSING = 0.1;

const percent = (share: number) => `${Number((100 * share).toPrecision(share < 0.1 ? 2 : 3))} %`;

/** What is left, in one sentence. */
export function sentenceOf(remaining: number | undefined): string {
  if (remaining === undefined) return "what is left of the error budget is unknown";
  if (remaining <= 0) return `the error budget is exhausted: ${percent(1 - remaining)} of it is used`;
  return `${percent(remaining)} of the error budget is left`;
}

/** Why: sentences of what is left, how fast it goes, and what is not known. */
export function reasonsOf(state: BudgetSummary, { objective }: Objective): string[] {
  const { remaining, bad, total, missing, impossible, burn, rates, exhaustion } = state;
  const left =
    total > 0
      ? `${sentenceOf(remaining)}: ${formatSi(bad)} of ${formatSi(total)} were bad, ${formatSi((1 - objective) * total)} may be`
      : `${sentenceOf(remaining)}: nothing was counted in the window`;
  const span = burn === "slow" ? "3d" : (rates["1h"] ?? 0) >= (rates["6h"] ?? 0) ? "1h" : "6h";
  const spans = { "1h": "the last hour", "6h": "the last 6 hours", "3d": "the last 3 days" };
  return [
    left,
    ...(burn ? [`${burn} burn: ${formatSi(rates[span]!)} times the allowed rate over ${spans[span]}`] : []),
    ...(exhaustion.outlook === "not_within_window" ? ["at this rate it lasts"] : []),
    ...(exhaustion.outlook === "not_enough_data"
      ? ["when it is exhausted is unknown: fewer than 3 days of the last 7 have values"]
      : []),
    ...(missing >= TOLD_MISSING * (1 - objective)
      ? [`${percent(missing)} of the window has no values, and does not count`]
      : []),
    ...(impossible > 0
      ? [
          `${impossible === 1 ? "1 interval does" : `${impossible} intervals do`} not count: a value is negative, or more were good or bad than there were in all`,
        ]
      : []),
  ];
}
