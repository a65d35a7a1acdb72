// CSV refusals: errors with the path, the rule and its facts, from which each language makes a sentence.
import { TorusError } from "../../../errors.ts";
import { type CsvRules, csvRules } from "./rules.ts";

type Rule = keyof CsvRules;

/** An `invalid` error; its message is English. */
export class CsvRefusal<R extends Rule = Rule> extends TorusError {
  /**
   * @param path `line 5`, `header`, `file`, or the name of an option
   * @param facts that the sentence of the rule tells
   */
  constructor(
    readonly path: string,
    readonly rule: R,
    readonly facts: Parameters<CsvRules[R]>,
  ) {
    super("invalid", `${path}: ${sayRule(csvRules, rule, facts)}`, { path });
  }

  /** What is wrong, and the way out, without the path. */
  say(rules: CsvRules): string {
    return sayRule(rules, this.rule, this.facts);
  }
}

function sayRule(rules: CsvRules, rule: Rule, facts: readonly unknown[]): string {
  return (rules[rule] as (...facts: readonly unknown[]) => string)(...facts);
}

export function refuse<R extends Rule>(
  path: string,
  rule: R,
  ...facts: Parameters<CsvRules[R]>
): CsvRefusal<R> {
  return new CsvRefusal(path, rule, facts);
}

/** A refusal of one line. */
export function malformed<R extends Rule>(
  { line }: { readonly line: number },
  rule: R,
  ...facts: Parameters<CsvRules[R]>
): CsvRefusal<R> {
  return refuse(`line ${line}`, rule, ...facts);
}

const MAX_SHOWN = 40;

/** A cell in a message. */
export function quote(cell: string): string {
  const line = cell.replace(/\s+/g, " ");
  return `"${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}...` : line}"`;
}
