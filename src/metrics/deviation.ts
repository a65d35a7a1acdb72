// Sample variance and standard deviation (divisor n-1, as InfluxDB's STDDEV); one value alone has neither.
import { defineMetric } from "./kind.ts";

function computeVariance(values: Float64Array): number {
  const n = values.length;
  if (n < 2) return Number.NaN;
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  const mean = total / n;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i]! - mean) ** 2;
  return squares / (n - 1);
}

export const variance = defineMetric(
  { name: "variance", description: "Sample variance (divisor n-1); missing for fewer than two values" },
  ({ values }) => computeVariance(values),
  { unit: "other" },
);

export const stddev = defineMetric(
  {
    name: "stddev",
    description:
      "Sample standard deviation (divisor n-1, as InfluxDB's STDDEV); missing for fewer than two values",
  },
  ({ values }) => Math.sqrt(computeVariance(values)),
  { aliases: ["std_dev", "std_deviation"] },
);
