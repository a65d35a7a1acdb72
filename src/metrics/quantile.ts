// Order statistics: median and any percentile.
import { copyValues } from "./copy.ts";
import { defineMetric, type Metric } from "./kind.ts";
import { selectValue } from "./select.ts";

export const median = defineMetric(
  { name: "median", description: "Middle value; the mean of the middle two (as InfluxDB's MEDIAN)" },
  ({ values }) => {
    // A copy, because the views are not ours.
    const own = copyValues(values);
    const middle = own.length >> 1;
    const upper = selectValue(own, middle);
    if (own.length % 2) return upper;
    // The lower one is among those before; but zeros with and without a sign may lie on both sides.
    const lower = selectValue(own, middle - 1, upper === 0 ? own.length : middle);
    return (lower + upper) / 2;
  },
  { aliases: ["med"] },
);

/** Nearest rank as InfluxDB's PERCENTILE: always one of the values, number round(n * N / 100), first to last. */
function pickPercentile(values: Float64Array, percent: number): number {
  const rank = Math.floor((values.length * percent) / 100 + 0.5);
  return selectValue(copyValues(values), Math.min(Math.max(rank, 1), values.length) - 1);
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
