// Order statistics: median and any percentile.
import { defineMetric, type Metric, type MetricTraits } from "./kind.ts";
import { createMeans, type PlacesOf } from "./means.ts";

/** Builds a metric of the values at two places in ascending order: their mean, or the value if it is one place. */
function defineQuantile(
  about: Pick<Metric, "name" | "description">,
  placesOf: PlacesOf,
  traits: Partial<MetricTraits>,
): Metric {
  const meansOf = createMeans([placesOf]);
  return defineMetric(about, ({ values }) => meansOf(values)[0]!, { ...traits, placesOf });
}

export const median = defineQuantile(
  { name: "median", description: "Middle value; the mean of the middle two (as InfluxDB's MEDIAN)" },
  (count) => [(count - 1) >> 1, count >> 1],
  { aliases: ["med"] },
);

/** Nearest rank as InfluxDB's PERCENTILE: always one of the values, number round(n * N / 100), first to last. */
function placeOfPercent(count: number, percent: number): number {
  const rank = Math.floor((count * percent) / 100 + 0.5);
  return Math.min(Math.max(rank, 1), count) - 1;
}

const percentileName = /^(?:p(\d{1,3}(?:\.\d{1,12})?)|(\d{1,3}(?:\.\d{1,12})?)percentile)$/;

/** The metric for `95percentile`, `p95`, `99.9percentile`, `p99.9`; undefined for any other (lower-case) name. */
export function parsePercentile(name: string): Metric | undefined {
  const match = percentileName.exec(name);
  const percent = Number(match?.[1] ?? match?.[2]);
  if (!match || percent > 100) return undefined;
  return defineQuantile(
    {
      name: `${percent}percentile`,
      description: `Value at or below which ${percent} % of the values lie (nearest rank)`,
    },
    (count) => {
      const place = placeOfPercent(count, percent);
      return [place, place];
    },
    { aliases: [`p${percent}`] },
  );
}
