// Scalars over the steps of a query, and the vectors that they are made from and become.
import type { Context } from "./context.ts";
import { type Column, instantOf, type Scalar, type Vector } from "./values.ts";

export function constant(value: number, { steps, budget }: Context): Scalar {
  budget.takeValues(1, steps.count);
  return { type: "scalar", values: new Float64Array(steps.count).fill(value) };
}

export function timesOf({ steps, budget }: Context): Scalar {
  budget.takeValues(1, steps.count);
  return {
    type: "scalar",
    values: new Float64Array(steps.count).map((_, step) => instantOf(steps, step) / 1000),
  };
}

export function ofScalar({ values }: Scalar): Pick<Column, "values" | "present"> {
  return { values, present: new Uint8Array(values.length).fill(1) };
}

/** NaN where there is not exactly one series. */
export async function toScalar({ columns }: Vector, { steps, budget }: Context): Promise<Scalar> {
  budget.takeValues(1, steps.count);
  const values = new Float64Array(steps.count).fill(Number.NaN);
  const found = new Uint8Array(steps.count);
  for (const column of columns) {
    for (let step = 0; step < steps.count; step++) {
      if (column.present[step] === 0) continue;
      values[step] = found[step] === 0 ? column.values[step]! : Number.NaN;
      found[step] = 1;
    }
    await budget.pace();
  }
  return { type: "scalar", values };
}
