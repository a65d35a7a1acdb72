// first and last: the earliest and the latest value of an interval.
import { defineMetric } from "./kind.ts";

export const first = defineMetric(
  { name: "first", description: "Earliest value" },
  ({ values }) => values[0]!,
  { ordered: true },
);

export const last = defineMetric(
  { name: "last", description: "Latest value" },
  ({ values }) => values[values.length - 1]!,
  { ordered: true },
);
