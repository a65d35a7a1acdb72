// The ends of an interval: its first and its last value in time.
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
