// Operators between numbers.
import type { ElementOp } from "../language/expression.ts";

const results: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "^": power,
  atan2: Math.atan2,
};

const tests: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

export function isComparison(op: string): boolean {
  return Object.hasOwn(tests, op);
}

/** What an operator makes of two numbers. */
export interface Operator {
  /** Of a comparison the left number. */
  readonly apply: (a: number, b: number) => number;
  /** Whether there is a result. */
  readonly keeps: (a: number, b: number) => boolean;
}

/** @param isBool a comparison answers 0 or 1 instead of filtering */
export function operatorOf(op: ElementOp, isBool: boolean): Operator {
  const test = tests[op];
  if (!test) return { apply: results[op]!, keeps: () => true };
  if (isBool) return { apply: (a, b) => Number(test(a, b)), keeps: () => true };
  return { apply: (a) => a, keeps: test };
}

/** IEEE 754 pow, which JavaScript follows but for a base of 1 or -1. */
function power(a: number, b: number): number {
  if (a === 1) return 1;
  if (a === -1 && (b === Infinity || b === -Infinity)) return 1;
  return a ** b;
}
