// count: the number of values of any type.
import { defineMetric } from "./kind.ts";

export const count = defineMetric(
  { name: "count", description: "Number of values that are not null, text and booleans too; 0 when empty" },
  ({ values }) => values.length,
  { empty: 0, counts: "any", unit: "other" },
);
