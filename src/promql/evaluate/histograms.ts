// Classic histograms: series of cumulative counts with their upper bounds as the label `le`; native ones are not stored.
// Rules: https://prometheus.io/docs/prometheus/2.42/querying/functions/#histogram_quantile
import { dropLabels, dropName, keyOf, type Labels } from "../labels.ts";
import type { Context } from "./context.ts";
import { type Column, emptyColumn, isEmpty, joinColumns, type Vector, vectorOf } from "./values.ts";

/** Bounds ascending, the last one infinite, and the counts up to them, which do not fall; none where no bound is infinite. */
interface Buckets {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

/** A function of one histogram. @param params its scalar arguments */
type HistogramFunction = (buckets: Buckets, params: readonly number[]) => number;

const histogramFunctions: Readonly<Record<string, HistogramFunction>> = {
  histogram_quantile: (buckets, [q = 0]) => quantileOf(buckets, q),
  histogram_fraction: (buckets, [lower = 0, upper = 0]) => fractionBetween(buckets, lower, upper),
};

export function isHistogramFunction(name: string): boolean {
  return Object.hasOwn(histogramFunctions, name);
}

const LE = "le";

interface Histogram {
  /** Without `le`. */
  readonly labels: Labels;
  /** Ascending. */
  readonly buckets: { readonly bound: number; readonly column: Column }[];
}

/**
 * One series per histogram; series without a bound are left out.
 * @param params scalar arguments, a value per step
 * @throws PromqlError `execution` where two histograms differ in their name alone
 */
export async function evaluateHistograms(
  name: string,
  { vector, params }: { readonly vector: Vector; readonly params: readonly Float64Array[] },
  { steps, budget }: Context,
): Promise<Vector> {
  const compute = histogramFunctions[name]!;
  const columns: Column[] = [];
  for (const { labels, buckets } of histogramsOf(vector.columns)) {
    budget.takeValues(1, steps.count);
    const column = emptyColumn(dropName(labels), steps.count);
    for (let step = 0; step < steps.count; step++) {
      budget.spend(buckets.length);
      if (budget.isDue) await budget.pace();
      const present = bucketsAt(buckets, step);
      if (!present) continue;
      const own = params.map((values) => values[step]!);
      column.values[step] = compute(present, own);
      column.present[step] = 1;
    }
    if (!isEmpty(column)) columns.push(column);
    await budget.pace();
  }
  return vectorOf(joinColumns(columns));
}

function histogramsOf(columns: readonly Column[]): Histogram[] {
  const histograms = new Map<string, Histogram>();
  for (const column of columns) {
    const bound = parseBound(column.labels.get(LE));
    if (bound === undefined) continue;
    const labels = dropLabels(column.labels, new Set([LE]));
    const key = keyOf(labels);
    const known = histograms.get(key) ?? { labels, buckets: [] };
    known.buckets.push({ bound, column });
    histograms.set(key, known);
  }
  for (const { buckets } of histograms.values())
    buckets.sort((a, b) => (a.bound === b.bound ? 0 : a.bound - b.bound));
  return [...histograms.values()];
}

/** As Go reads a float. */
function parseBound(text = ""): number | undefined {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/**
 * The counts of one step: those of equal bounds are added, and one that falls is raised, as counts read at different
 * times do.
 * @returns undefined without any count
 */
function bucketsAt(buckets: Histogram["buckets"], step: number): Buckets | undefined {
  const present = buckets.filter(({ column }) => column.present[step] === 1);
  if (present.length === 0) return undefined;
  const [bounds, counts]: [number[], number[]] = [[], []];
  if (present.at(-1)!.bound === Infinity)
    for (const { bound, column } of present) {
      if (bounds.at(-1) === bound) counts[counts.length - 1]! += column.values[step]!;
      else {
        bounds.push(bound);
        counts.push(column.values[step]!);
      }
    }
  let most = counts[0] ?? 0;
  for (const [i, count] of counts.entries())
    if (count > most) most = count;
    else if (count < most) counts[i] = most;
  return { bounds, counts };
}

/** Interpolated within the bucket, the first one from 0 on; of the last one its lower bound. */
function quantileOf({ bounds, counts }: Buckets, q: number): number {
  if (Number.isNaN(q)) return Number.NaN;
  if (q < 0) return -Infinity;
  if (q > 1) return Infinity;
  const last = counts.length - 1;
  if (last < 1 || counts[last] === 0) return Number.NaN;
  const rank = q * counts[last]!;
  const found = counts.findIndex((count) => count >= rank);
  if (found === -1 || found === last) return bounds[last - 1]!;
  const end = bounds[found]!;
  if (found === 0 && end <= 0) return end;
  const [start, below] = found === 0 ? [0, 0] : [bounds[found - 1]!, counts[found - 1]!];
  return start + (end - start) * ((rank - below) / (counts[found]! - below));
}

/** Share of the values in (lower, upper]. */
function fractionBetween(buckets: Buckets, lower: number, upper: number): number {
  const total = buckets.counts.at(-1) ?? 0;
  if (total === 0 || Number.isNaN(lower) || Number.isNaN(upper)) return Number.NaN;
  return lower >= upper ? 0 : (countUpTo(buckets, upper) - countUpTo(buckets, lower)) / total;
}

/** All values of an open first bucket count below any finite value, as nothing tells where in it they lie. */
function countUpTo({ bounds, counts }: Buckets, value: number): number {
  const i = bounds.findIndex((bound) => value < bound);
  if (i === -1) return counts.at(-1)!;
  const below = i === 0 ? 0 : counts[i - 1]!;
  const start = i > 0 ? bounds[i - 1]! : bounds[0]! > 0 ? 0 : -Infinity;
  if (start === -Infinity) return value === -Infinity ? 0 : counts[0]!;
  if (value <= start) return below;
  return below + ((counts[i]! - below) * (value - start)) / (bounds[i]! - start);
}
