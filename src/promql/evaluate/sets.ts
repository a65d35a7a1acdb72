// Set operators between vectors: and, or, unless; step by step.
import type { Matching, SetOp } from "../language/expression.ts";
import type { Context } from "./context.ts";
import { anyPresent, signatureOf } from "./match.ts";
import { type Column, isEmpty, joinColumns, type Vector, vectorOf } from "./values.ts";

export async function combineSets(
  { op, matching }: { readonly op: SetOp; readonly matching: Matching },
  { left, right }: { readonly left: Vector; readonly right: Vector },
  { steps, budget }: Context,
): Promise<Vector> {
  const isOr = op === "or";
  const [filtered, filter] = isOr ? [right, left] : [left, right];
  const bySignature = Map.groupBy(filter.columns, ({ labels }) => signatureOf(labels, matching));
  const masks = new Map<string, Uint8Array>();
  for (const [signature, columns] of bySignature) {
    budget.takeValues(1, steps.count);
    masks.set(signature, anyPresent(columns, steps.count));
    await budget.pace();
  }
  const isKept = op === "and" ? 1 : 0;
  budget.takeValues(filtered.columns.length, steps.count);
  const kept: Column[] = [];
  for (const column of filtered.columns) {
    const mask = masks.get(signatureOf(column.labels, matching));
    const masked = mask ? keepWhere(column, mask, isKept) : isKept === 0 ? column : undefined;
    if (masked && !isEmpty(masked)) kept.push(masked);
    await budget.pace();
  }
  return vectorOf(isOr ? joinColumns([...left.columns, ...kept]) : kept);
}

function keepWhere(column: Column, mask: Uint8Array, wanted: 0 | 1): Column {
  const present = column.present.map((own, step) => (own === 1 && mask[step] === wanted ? 1 : 0));
  return { ...column, present };
}
