// Order statistics: median and any percentile.
import { defineMetric, type Metric } from "./kind.ts";

/** A typed array sorts by number, in place: on a copy, because the views are not ours. */
function sortValues(values: Float64Array): Float64Array {
  return values.slice().sort();
}

export const median = defineMetric(
  { name: "median", description: "Middle value; the mean of the middle two (as InfluxDB's MEDIAN)" },
  ({ values }) => {
    const sorted = sortValues(values);
    const middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  },
  { aliases: ["med"] },
);

/** Nearest rank as InfluxDB's PERCENTILE: always one of the values, number round(n * N / 100), first to last. */
function pickPercentile(values: Float64Array, percent: number): number {
  const rank = Math.floor((values.length * percent) / 100 + 0.5);
  return sortValues(values)[Math.min(Math.max(rank, 1), values.length) - 1]!;
}

const percentileName = /^(?:p(\d{1,3}(?:\.\d{1,12})?)|(\d{1,3}(?:\.\d{1,12})?)percentile)$/;

/** The metric for `95percentile`, `p95`, `99.9percentile`, `p99.9`; undefined for any other (lower-case) name. */
export function parsePercentile(name: string): Metric | undefined {
  const match = percentileName.exec(name);
  const percent = Number(match?.[1] ?? match?.[2]);
  if (!match || percent > 100) return undefined;
  return defineMetric(
    {
      name: `${percent}percentile`,
      description: `Value at or below which ${percent} % of the values lie (nearest rank)`,
    },
    ({ values }) => pickPercentile(values, percent),
    { aliases: [`p${percent}`] },
  );
}
