// Context of an evaluation, and the selections that a query needs before it starts.
import type { Expression, Place, VectorSelector } from "../language/expression.ts";
import type { Matcher } from "../language/matcher.ts";
import type { Budget } from "./budget.ts";
import { endOf, type Samples, type Steps } from "./values.ts";

export interface Context {
  readonly steps: Steps;
  /** Of the whole query, for `start()` and `end()`; ms since the epoch. */
  readonly startAt: number;
  readonly endAt: number;
  /** Age of the oldest sample that still is the value of a series. */
  readonly lookbackMs: number;
  samplesOf(selector: VectorSelector): readonly Samples[];
  /** Of the whole query; its `pace` ends what is aborted. */
  readonly budget: Budget;
}

/** Samples that a selector needs, both ends included; ms since the epoch. */
export interface Selection {
  readonly matchers: readonly Matcher[];
  readonly fromAt: number;
  readonly toAt: number;
}

type Ends = Pick<Context, "startAt" | "endAt">;

/** Instant that a selection looks at; undefined: the time of evaluation, before its offset. */
export function fixedInstant({ at }: Place, { startAt, endAt }: Ends): number | undefined {
  if (at === "start") return startAt;
  return at === "end" ? endAt : at;
}

/** Steps of a subquery: multiples of its interval that its windows may need. */
export function stepsWithin(
  { offsetMs, rangeMs, at, stepMs = DEFAULT_STEP_MS }: Place & { rangeMs: number; stepMs?: number },
  outer: Steps,
  ends: Ends,
): Steps {
  const fixed = fixedInstant({ offsetMs, ...(at !== undefined && { at }) }, ends);
  const from = (fixed ?? outer.startAt) - offsetMs - rangeMs;
  const to = (fixed ?? endOf(outer)) - offsetMs;
  const startAt = Math.ceil(from / stepMs) * stepMs;
  return { startAt, stepMs, count: Math.max(0, Math.floor((to - startAt) / stepMs) + 1) };
}

/** Of subqueries without one, as Prometheus has it with its default evaluation interval. */
const DEFAULT_STEP_MS = 60_000;

/** The selections of a query by selector. */
export function planSelections(
  expression: Expression,
  context: Pick<Context, "steps" | "startAt" | "endAt" | "lookbackMs">,
): Map<VectorSelector, Selection> {
  const selections = new Map<VectorSelector, Selection>();
  const { lookbackMs } = context;
  const add = (selector: VectorSelector, steps: Steps, backMs: number) => {
    const fixed = fixedInstant(selector, context);
    const fromAt = (fixed ?? steps.startAt) - selector.offsetMs - backMs;
    const toAt = (fixed ?? endOf(steps)) - selector.offsetMs;
    selections.set(selector, { matchers: selector.matchers, fromAt, toAt });
  };
  const visit = (inner: Expression, steps: Steps): void => {
    if (inner.type === "vector") add(inner, steps, lookbackMs);
    else if (inner.type === "range") add(inner.selector, steps, inner.rangeMs);
    else if (inner.type === "subquery") visit(inner.of, stepsWithin(inner, steps, context));
    else for (const part of partsOf(inner)) visit(part, steps);
  };
  visit(expression, context.steps);
  return selections;
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.type) {
    case "call":
      return expression.args;
    case "aggregation":
      return expression.param ? [expression.param, expression.of] : [expression.of];
    case "binary":
      return [expression.left, expression.right];
    case "unary":
    case "paren":
      return [expression.of];
    default:
      return [];
  }
}
