// Extremes: min, max and spread, the distance between them.
import { defineMetric } from "./kind.ts";

function findMin(values: Float64Array): number {
  let least = Infinity;
  for (let i = 0; i < values.length; i++) if (values[i]! < least) least = values[i]!;
  return least;
}

function findMax(values: Float64Array): number {
  let most = -Infinity;
  for (let i = 0; i < values.length; i++) if (values[i]! > most) most = values[i]!;
  return most;
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
