// Matching of two vectors: series with the same values of some labels, at most one of them on one side.
import { executionError } from "../errors.ts";
import { dropLabels, formatLabels, keepLabels, keyOf, type Labels, NAME } from "../labels.ts";
import type { Matching } from "../language/expression.ts";
import type { Context } from "./context.ts";
import type { Operator } from "./operators.ts";
import { type Column, emptyColumn, isEmpty, type Vector } from "./values.ts";

/** Key by which series match. */
export function signatureOf(
  labels: Labels,
  { isOn, labels: names }: Pick<Matching, "isOn" | "labels">,
): string {
  return keyOf(isOn ? keepLabels(labels, new Set(names)) : dropLabels(labels, new Set([...names, NAME])));
}

interface Sides {
  readonly many: Vector;
  readonly one: Vector;
  readonly matching: Matching;
}

type LabelsOf = (own: Labels, other: Labels) => Labels;

export class VectorMatch {
  readonly #bySignature: Map<string, Column[]>;
  readonly #results = new Map<string, Column>();
  /** Steps at which a series of one-to-one matching has its match, by signature. */
  readonly #matched = new Map<string, Uint8Array>();

  constructor(
    private readonly sides: Sides,
    private readonly context: Context,
  ) {
    const { one, matching } = sides;
    this.#bySignature = Map.groupBy(one.columns, ({ labels }) => signatureOf(labels, matching));
  }

  /** @throws PromqlError `execution` for a match of many to many, and for results that are alike */
  async combine(operator: Operator, labelsOf: LabelsOf): Promise<Column[]> {
    const { many, matching } = this.sides;
    await this.#assertUnique();
    for (const column of many.columns) {
      const signature = signatureOf(column.labels, matching);
      for (const other of this.#bySignature.get(signature) ?? [])
        this.#combinePair({ column, other, signature }, operator, labelsOf);
      await this.context.budget.pace();
    }
    return [...this.#results.values()].filter((column) => !isEmpty(column));
  }

  /** At steps where the other side has samples at all, as Prometheus looks at nothing else. */
  async #assertUnique(): Promise<void> {
    const { many, matching } = this.sides;
    const { count } = this.context.steps;
    const groups = [...this.#bySignature.values()].filter((columns) => columns.length > 1);
    if (groups.length === 0) return;
    const isMany = anyPresent(many.columns, count);
    for (const columns of groups)
      for (let step = 0; step < count; step++) {
        if (step % 64 === 63) await this.context.budget.pace();
        if (isMany[step] === 0) continue;
        const [first, second] = columns.filter(({ present }) => present[step] === 1);
        if (!second) continue;
        const side = matching.many === "right" ? "left" : "right";
        const found = `[${formatLabels(second.labels)}, ${formatLabels(first!.labels)}]`;
        throw executionError(
          `found duplicate series for the match group on the ${side} hand-side of the operation: ${found};many-to-many matching not allowed: matching labels must be unique on one side`,
        );
      }
  }

  #combinePair(
    { column, other, signature }: { column: Column; other: Column; signature: string },
    operator: Operator,
    labelsOf: LabelsOf,
  ): void {
    const isOneToOne = !this.sides.matching.many;
    const result = this.#resultOf(labelsOf(column.labels, other.labels));
    const matched = isOneToOne ? this.#matchedOf(signature) : result.present;
    for (let step = 0; step < column.present.length; step++) {
      if (column.present[step] === 0 || other.present[step] === 0) continue;
      const [a, b] = [column.values[step]!, other.values[step]!];
      if (!operator.keeps(a, b)) continue;
      if (matched[step] === 1) throw multipleMatches(isOneToOne);
      matched[step] = 1;
      result.values[step] = operator.apply(a, b);
      result.present[step] = 1;
    }
  }

  #resultOf(labels: Labels): Column {
    const key = keyOf(labels);
    const known = this.#results.get(key);
    if (known) return known;
    const { steps, budget } = this.context;
    budget.takeValues(1, steps.count);
    const column = emptyColumn(labels, steps.count);
    this.#results.set(key, column);
    return column;
  }

  #matchedOf(signature: string): Uint8Array {
    const known = this.#matched.get(signature) ?? new Uint8Array(this.context.steps.count);
    this.#matched.set(signature, known);
    return known;
  }
}

function multipleMatches(isOneToOne: boolean) {
  return executionError(
    isOneToOne
      ? "multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)"
      : "multiple matches for labels: grouping labels must ensure unique matches",
  );
}

/** 1 at steps where any column has a sample. */
export function anyPresent(columns: readonly Column[], count: number): Uint8Array {
  const any = new Uint8Array(count);
  for (const { present } of columns) for (let i = 0; i < count; i++) any[i]! |= present[i]!;
  return any;
}
