// Columns of features that share their points; stateful metrics (`rate`, `derivative`) are computed per series and summed.
import { TorusError } from "../../core/errors.ts";
import type { Columns } from "../../core/series/columns.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { type Column, createColumn } from "./column.ts";
import { addSamples, type Samples, VALUES_PER_STEP, type Yielder } from "./samples.ts";

/** Each series has a column of its own in memory, of about a kilobyte. */
const MAX_SERIES = 100_000;

/** The columns of features that share their points. */
export interface SharedColumns {
  /** True where some feature reduces the points of all series together. */
  readonly withMerged: boolean;
  /** True where some feature is computed per series, so that samples must name theirs. */
  readonly withSeries: boolean;
  /**
   * Adds samples, interval by interval; where no feature is merged, interval by interval of each series is enough.
   * @throws TorusError `bucket_rejected` where samples go back in time, and for more series than fit in memory;
   * what `yieldNow` throws
   */
  add(samples: Samples, yieldNow: Yielder): Promise<void>;
  /** Adds one point, in the order of `add`. @throws as `add` */
  put(at: number, value: number, series: string): void;
  /** Ends the last interval, and sets the columns by the names of their features. */
  finish(columns: Columns): void;
}

/** Series that may still get columns of their own. */
interface SeriesBudget {
  left: number;
}

export function startBudget(): SeriesBudget {
  return { left: MAX_SERIES };
}

/** @param budget shared with the columns of other groups of the same read */
export function createSharedColumns(query: ReadQuery, budget = startBudget()): SharedColumns {
  const isStateful = ({ metric }: FeatureQuery) => requireMetric(metric).isStateful;
  const merged = query.features.filter((feature) => !isStateful(feature));
  const perSeries = query.features.filter(isStateful);
  const combined = merged.map(({ metric }) => createColumn(query, requireMetric(metric)));
  const bySeries = createSeriesColumns(query, perSeries, budget);
  return {
    withMerged: merged.length > 0,
    withSeries: perSeries.length > 0,
    async add(samples, yieldNow) {
      if (merged.length > 0) await addSamples(combined, samples, yieldNow);
      if (perSeries.length > 0) await addBySeries(bySeries, samples, yieldNow);
    },
    put(at, value, series) {
      for (const column of combined) column.add(at, value);
      if (perSeries.length > 0) for (const column of bySeries.of(series)) column.add(at, value);
    },
    finish(columns) {
      const totals = bySeries.finish();
      for (const [i, { name }] of merged.entries()) columns.set(name, combined[i]!.finish());
      for (const [i, { name }] of perSeries.entries()) columns.set(name, totals[i]!);
    },
  };
}

interface SeriesColumns {
  /** The columns of a series, one per feature. @throws TorusError `bucket_rejected` for more than `MAX_SERIES` */
  of(series: string): readonly Column[];
  /** Ends all series. @returns the sums over them, one per feature */
  finish(): readonly Float64Array[];
}

/** Starts the columns of features that are computed per series; any text is a key of a series. */
function createSeriesColumns(
  query: ReadQuery,
  features: readonly FeatureQuery[],
  budget: SeriesBudget,
): SeriesColumns {
  const metrics = features.map(({ metric }) => requireMetric(metric));
  const totals = metrics.map((metric) => createColumn(query, metric).finish());
  const bySeries = new Map<string, Column[]>();
  return {
    of(series) {
      const known = bySeries.get(series);
      if (known) return known;
      if (budget.left-- <= 0) throw tooManySeries();
      const made = metrics.map((metric, i) => createColumn(query, metric, totals[i]));
      bySeries.set(series, made);
      return made;
    },
    finish() {
      for (const columns of bySeries.values()) for (const column of columns) column.finish();
      return totals;
    },
  };
}

export function tooManySeries(): TorusError {
  return new TorusError(
    "bucket_rejected",
    `rate and derivative are computed per series, and there are more than ${MAX_SERIES} series; ` +
      "choose some of them with match_all",
  );
}

async function addBySeries(
  columns: SeriesColumns,
  { times, values, series }: Samples,
  yieldNow: Yielder,
): Promise<void> {
  for (let from = 0; from < times.length; from += VALUES_PER_STEP) {
    const to = Math.min(from + VALUES_PER_STEP, times.length);
    for (let i = from; i < to; i++)
      for (const column of columns.of(series?.[i] ?? "")) column.add(times[i]!, values[i]!);
    await yieldNow();
  }
}
