// Operators between scalars and vectors; series of two vectors find each other by their labels.
import { dropName, type Labels, withLabel } from "../labels.ts";
import type { Binary, ElementOp, Matching } from "../language/expression.ts";
import type { Context } from "./context.ts";
import { VectorMatch } from "./match.ts";
import { isComparison, type Operator, operatorOf } from "./operators.ts";
import {
  type Column,
  emptyColumn,
  isEmpty,
  joinColumns,
  type Scalar,
  type Vector,
  vectorOf,
} from "./values.ts";

type BinaryOp = Pick<Binary, "isBool" | "matching"> & { readonly op: ElementOp };

export function combineScalars(
  { op, isBool }: BinaryOp,
  [left, right]: readonly [Scalar, Scalar],
  { steps, budget }: Context,
): Scalar {
  budget.takeValues(1, steps.count);
  const { apply } = operatorOf(op, isBool);
  return { type: "scalar", values: left.values.map((value, step) => apply(value, right.values[step]!)) };
}

interface ScalarSide {
  readonly vector: Vector;
  readonly scalar: Scalar;
  readonly isScalarLeft: boolean;
}

/** A comparison keeps the samples of the vector, on whichever side it is. */
export async function combineWithScalar(
  { op, isBool }: BinaryOp,
  { vector, scalar, isScalarLeft }: ScalarSide,
  { steps, budget }: Context,
): Promise<Vector> {
  const operator = operatorOf(op, isBool);
  const isFilter = isComparison(op) && !isBool;
  budget.takeValues(vector.columns.length, steps.count);
  const columns: Column[] = [];
  for (const { labels, values, present } of vector.columns) {
    const column = emptyColumn(isFilter ? labels : dropName(labels), steps.count);
    for (let step = 0; step < steps.count; step++) {
      if (present[step] === 0) continue;
      const own = values[step]!;
      const [a, b] = isScalarLeft ? [scalar.values[step]!, own] : [own, scalar.values[step]!];
      if (!operator.keeps(a, b)) continue;
      column.values[step] = isFilter ? own : operator.apply(a, b);
      column.present[step] = 1;
    }
    if (!isEmpty(column)) columns.push(column);
    await budget.pace();
  }
  return vectorOf(joinColumns(columns));
}

/** @throws PromqlError `execution` where several series match one, and no `group_left` or `group_right` allows it */
export async function combineVectors(
  { op, isBool, matching }: BinaryOp,
  { left, right }: { readonly left: Vector; readonly right: Vector },
  context: Context,
): Promise<Vector> {
  const { many: manySide = "left" } = matching;
  const isSwapped = manySide === "right";
  const [many, one] = isSwapped ? [right, left] : [left, right];
  const match = new VectorMatch({ many, one, matching }, context);
  const operator = isSwapped ? swapped(operatorOf(op, isBool)) : operatorOf(op, isBool);
  // Prometheus 2 forgets atan2 here.
  const dropsName = op !== "atan2" && (!isComparison(op) || isBool);
  const labelsOf = (own: Labels, other: Labels) => resultLabels({ own, other, matching, dropsName });
  return vectorOf(await match.combine(operator, labelsOf));
}

/** For operands in the other order. */
function swapped({ apply, keeps }: Operator): Operator {
  return { apply: (a, b) => apply(b, a), keeps: (a, b) => keeps(b, a) };
}

interface LabelSources {
  /** Of the side that may have many series. */
  readonly own: Labels;
  readonly other: Labels;
  readonly matching: Matching;
  readonly dropsName: boolean;
}

function resultLabels({ own, other, matching, dropsName }: LabelSources): Labels {
  const { isOn, labels, many, include } = matching;
  let result = dropsName ? dropName(own) : own;
  if (!many) result = new Map([...result].filter(([name]) => labels.includes(name) === isOn));
  for (const name of include) result = withLabel(result, name, other.get(name) ?? "");
  return result;
}
