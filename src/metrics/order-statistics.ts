// Order statistics: median and percentiles; several of one interval share one partial sort.
import {
  defineMetric,
  type IntervalPoints,
  type Metric,
  type MetricTraits,
  type Places,
  type PlacesOf,
} from "./kind.ts";

/** Builds a metric: the mean of the values at two places in ascending order, or the value if both are one place. */
function defineOrderStatistic(
  about: Pick<Metric, "name" | "description">,
  placesOf: PlacesOf,
  traits: Partial<MetricTraits>,
): Metric {
  const reduce = ({ values }: IntervalPoints) => {
    const [lower, upper] = placesOf(values.length);
    const copy = values.slice();
    const value = selectValue(copy, lower);
    return lower === upper ? value : (value + selectValue(copy, upper, lower + 1)) / 2 + 0;
  };
  return defineMetric(about, reduce, { ...traits, placesOf });
}

export const median = defineOrderStatistic(
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
  return defineOrderStatistic(
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

/** Writes the values of several metrics to `row`, in their order. */
type Reducer = (points: IntervalPoints, row: Float64Array) => void;

/** A reducer of several stateless metrics for intervals with points; their order statistics share one copy. */
export function reduceTogether(metrics: readonly Metric[]): Reducer {
  const ranked = metrics.flatMap(({ placesOf }, i) => (placesOf ? [{ i, placesOf }] : []));
  const isShared = ranked.length > 1;
  const alone = metrics.flatMap((metric, i) => (metric.placesOf && isShared ? [] : [{ i, metric }]));
  return (points, row) => {
    for (const { i, metric } of alone) row[i] = metric.reduce(points);
    if (!isShared) return;
    const { values } = points;
    const means = meansAt(
      values,
      ranked.map(({ placesOf }) => placesOf(values.length)),
    );
    for (const [k, { i }] of ranked.entries()) row[i] = means[k]!;
  };
}

/** @returns for each pair of places the mean of the values that stand there in ascending order */
function meansAt(values: Float64Array, pairs: readonly Places[]): number[] {
  const copy = values.slice();
  const found = new Map<number, number>();
  let from = 0;
  for (const place of [...new Set(pairs.flat())].sort((a, b) => a - b)) {
    found.set(place, selectValue(copy, place, from));
    from = place + 1;
  }
  return pairs.map(([lower, upper]) =>
    lower === upper ? found.get(lower)! : (found.get(lower)! + found.get(upper)!) / 2 + 0,
  );
}

/**
 * The value that stands at `place` (from 0) once all are in ascending order: C. A. R. Hoare's algorithm 65, "Find"
 * (1961), the median of three as pivot. Percentiles of millions of points wait for it, so it does not sort all values.
 * Afterwards no value before `place` is greater and none behind it is less.
 * @param values without NaN
 * @param from at most `place`; no value before it is greater than any value from it on
 */
export function selectValue(values: Float64Array, place: number, from = 0): number {
  arrange(values, place, from);
  // Adding 0 turns -0 into 0.
  return values[place]! + 0;
}

/** A function of its own: inlined into its caller, its loops run several times slower. */
function arrange(values: Float64Array, place: number, from: number): void {
  let low = from;
  let high = values.length - 1;
  // Values laid out against the choice of the pivot would take quadratic time.
  let rounds = 2 * Math.ceil(Math.log2(values.length + 1));
  while (low < high) {
    if (rounds-- === 0) {
      values.subarray(low, high + 1).sort();
      return;
    }
    const pivot = middleOf(values[low]!, values[(low + high) >> 1]!, values[high]!);
    const least = partitionBelow(values, pivot, low, high);
    if (place < least) high = least - 1;
    else if (least > low) low = least;
    else {
      // No value is below the pivot, which may occur many times.
      low = partitionEqual(values, pivot, low, high);
      if (place < low) return;
    }
  }
}

/**
 * Moves the values below the pivot before the others (N. Lomuto's scheme). Every value is swapped and the comparison
 * is only counted: a branch on it would be mispredicted for every other value of a noisy series.
 * @returns where the others begin
 */
function partitionBelow(values: Float64Array, pivot: number, low: number, high: number): number {
  let end = low;
  for (let i = low; i <= high; i++) {
    const value = values[i]!;
    values[i] = values[end]!;
    values[end] = value;
    end += Number(value < pivot);
  }
  return end;
}

/** Moves the values equal to the pivot, the least of all, before the others. @returns where the others begin */
function partitionEqual(values: Float64Array, pivot: number, low: number, high: number): number {
  let end = low;
  for (let i = low; i <= high; i++) {
    const value = values[i]!;
    values[i] = values[end]!;
    values[end] = value;
    end += Number(value <= pivot);
  }
  return end;
}

function middleOf(a: number, b: number, c: number): number {
  if (a < b) return b < c ? b : Math.max(a, c);
  return a < c ? a : Math.max(b, c);
}
