// Expressions of PromQL as a typed tree; times and spans in milliseconds.
import type { Matcher } from "./matcher.ts";

export type Expression =
  | NumberLiteral
  | StringLiteral
  | VectorSelector
  | RangeSelector
  | Subquery
  | Call
  | Aggregation
  | Binary
  | Unary
  | Paren;

interface NumberLiteral {
  readonly type: "number";
  readonly value: number;
}

interface StringLiteral {
  readonly type: "string";
  readonly value: string;
}

/** Where a selection looks, relative to the time of evaluation. */
export interface Place {
  /** Subtracted from the time of evaluation. */
  readonly offsetMs: number;
  /** In place of the time of evaluation: an instant since the epoch, or an end of the query's range. */
  readonly at?: number | "start" | "end";
}

export interface VectorSelector extends Place {
  readonly type: "vector";
  readonly matchers: readonly Matcher[];
}

/** `a[5m]`; its place is that of the selector. */
export interface RangeSelector {
  readonly type: "range";
  readonly selector: VectorSelector;
  readonly rangeMs: number;
}

export interface Subquery extends Place {
  readonly type: "subquery";
  readonly of: Expression;
  readonly rangeMs: number;
  /** Absent: the default interval. */
  readonly stepMs?: number;
}

export interface Call {
  readonly type: "call";
  readonly name: string;
  readonly args: readonly Expression[];
}

export interface Aggregation {
  readonly type: "aggregation";
  readonly op: AggregateOp;
  readonly of: Expression;
  /** Of topk, bottomk, quantile and count_values. */
  readonly param?: Expression;
  readonly grouping: readonly string[];
  readonly isWithout: boolean;
}

export const aggregateOps = [
  "sum",
  "avg",
  "min",
  "max",
  "count",
  "stddev",
  "stdvar",
  "topk",
  "bottomk",
  "quantile",
  "group",
  "count_values",
] as const;
export type AggregateOp = (typeof aggregateOps)[number];

export const arithmetic = ["+", "-", "*", "/", "%", "^", "atan2"] as const;
export const comparisons = ["==", "!=", "<", "<=", ">", ">="] as const;
export const setOps = ["and", "or", "unless"] as const;
export type SetOp = (typeof setOps)[number];
export type ElementOp = (typeof arithmetic)[number] | (typeof comparisons)[number];

export interface Binary {
  readonly type: "binary";
  readonly op: ElementOp | SetOp;
  readonly left: Expression;
  readonly right: Expression;
  /** A comparison answers 0 or 1 instead of filtering. */
  readonly isBool: boolean;
  readonly matching: Matching;
}

/** How the series of two vectors find each other. */
export interface Matching {
  /** False: by all labels but `labels`. */
  readonly isOn: boolean;
  readonly labels: readonly string[];
  /** Side with many series per match. */
  readonly many?: "left" | "right";
  /** Labels that the many sides' results take from the other side. */
  readonly include: readonly string[];
  /** Whether the query says any of it. */
  readonly isExplicit: boolean;
}

interface Unary {
  readonly type: "unary";
  readonly op: "+" | "-";
  readonly of: Expression;
}

interface Paren {
  readonly type: "paren";
  readonly of: Expression;
}

export type ValueType = "scalar" | "string" | "vector" | "matrix";

/** Without parentheses around it. */
export function unwrap(expression: Expression): Expression {
  let inner = expression;
  while (inner.type === "paren") inner = inner.of;
  return inner;
}
