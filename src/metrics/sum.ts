// Sums: sum, avg, sum_of_squares.
import { defineMetric } from "./kind.ts";

function addUp(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}

export const sum = defineMetric({ name: "sum", description: "Sum of the values" }, ({ values }) =>
  addUp(values),
);

export const avg = defineMetric(
  { name: "avg", description: "Arithmetic mean" },
  ({ values }) => addUp(values) / values.length,
  { aliases: ["mean", "average"] },
);

export const sumOfSquares = defineMetric(
  { name: "sum_of_squares", description: "Sum of the squared values" },
  ({ values }) => {
    let total = 0;
    for (let i = 0; i < values.length; i++) total += values[i]! * values[i]!;
    return total;
  },
  { unit: "other" },
);
