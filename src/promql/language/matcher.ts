// Label matchers: a label that is absent has the empty value.
import { badData } from "../errors.ts";
import { type Labels, NAME } from "../labels.ts";
import { compilePattern } from "./regex.ts";

export const matchOps = ["=", "!=", "=~", "!~"] as const;
type MatchOp = (typeof matchOps)[number];

export interface Matcher {
  readonly name: string;
  readonly op: MatchOp;
  readonly value: string;
  matches(value: string): boolean;
}

/** @throws PromqlError `bad_data` for a pattern that is malformed */
export function makeMatcher(name: string, op: MatchOp, value: string): Matcher {
  return { name, op, value, matches: createTest(op, value) };
}

function createTest(op: MatchOp, value: string): Matcher["matches"] {
  if (op === "=") return (text) => text === value;
  if (op === "!=") return (text) => text !== value;
  const pattern = compilePattern(value);
  return op === "=~" ? (text) => pattern.matches(text) : (text) => !pattern.matches(text);
}

/** Whether all matchers match. */
export function matchesAll(matchers: readonly Matcher[], labels: Labels): boolean {
  return matchers.every(({ name, matches }) => matches(labels.get(name) ?? ""));
}

/** A selector must not match series without any label. @throws PromqlError `bad_data` */
export function checkMatchers(matchers: readonly Matcher[], at?: number): void {
  if (matchers.some(({ matches }) => !matches(""))) return;
  throw badData("vector selector must contain at least one non-empty matcher", at);
}

/** The name that all matched series have; undefined where several are possible. */
export function exactName(matchers: readonly Matcher[]): string | undefined {
  return matchers.find(({ name, op }) => name === NAME && op === "=")?.value;
}
