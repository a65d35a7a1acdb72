// min, max, and spread, their difference.
import { defineMetric } from "./kind.ts";

function findMin(values: Float64Array): number {
  let smallest = Infinity;
  for (let i = 0; i < values.length; i++) if (values[i]! < smallest) smallest = values[i]!;
  return smallest;
}

function findMax(values: Float64Array): number {
  let largest = -Infinity;
  for (let i = 0; i < values.length; i++) if (values[i]! > largest) largest = values[i]!;
  return largest;
}

export const min = defineMetric({ name: "min", description: "Smallest value" }, ({ values }) =>
  findMin(values),
);

export const max = defineMetric({ name: "max", description: "Largest value" }, ({ values }) =>
  findMax(values),
);

export const spread = defineMetric(
  { name: "spread", description: "Largest minus smallest value" },
  ({ values }) => findMax(values) - findMin(values),
);
