// Metrics that look back (`rate`, `derivative`) over several series: each series has a history of its own, and what
// they give is added up.
import { TorusError } from "../../core/errors.ts";
import type { Columns } from "../../core/series/columns.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { type Column, createColumn } from "./column.ts";
import { addSamples, type Samples, VALUES_PER_STEP } from "./samples.ts";

/** Each has a column of its own in memory, of about a kilobyte. */
const MAX_SERIES = 100_000;

/** Features of the same points by how their metrics take them. */
interface Parted {
  /** The points of all series together. */
  readonly pooled: readonly FeatureQuery[];
  /** Each series on its own. */
  readonly apart: readonly FeatureQuery[];
}

function partFeatures(features: readonly FeatureQuery[]): Parted {
  const looksBack = ({ metric }: FeatureQuery) => requireMetric(metric).isStateful;
  return {
    pooled: features.filter((feature) => !looksBack(feature)),
    apart: features.filter(looksBack),
  };
}

interface ApartColumns {
  /**
   * The columns of a series, one per feature; its points must come in order of time.
   * @throws TorusError `bucket_rejected` where there are more series than can be kept apart
   */
  of(series: string): readonly Column[];
  /** Ends all series. @returns the sums over them, one per feature */
  finish(): readonly Float64Array[];
}

/** Starts the columns of features that are computed series by series; a series is told by any text. */
function createApartColumns(query: ReadQuery, apart: readonly FeatureQuery[]): ApartColumns {
  const metrics = apart.map(({ metric }) => requireMetric(metric));
  const totals = metrics.map((metric) => createColumn(query, metric).finish());
  const bySeries = new Map<string, Column[]>();
  return {
    of(series) {
      const known = bySeries.get(series);
      if (known) return known;
      if (bySeries.size >= MAX_SERIES) throw tooMany();
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

function tooMany(): TorusError {
  const way = "choose some of them with match_all";
  return new TorusError(
    "bucket_rejected",
    `a metric that looks back has more than ${MAX_SERIES} series here: ${way}`,
  );
}

/** The columns of features that share their points, whether they take them together or series by series. */
export interface SharedColumns {
  /** True where some feature takes all series together. */
  readonly withPooled: boolean;
  /** True where some feature takes series apart, so that samples should say theirs. */
  readonly withSeries: boolean;
  /** Adds samples, interval by interval; pauses where `pace` asks for it. @throws as `Column.add` and `ApartColumns.of` */
  add(samples: Samples, pace: () => Promise<void> | undefined): Promise<void>;
  /** Adds samples of all series to the features that take them together, in the same order. */
  addPooled(samples: Samples, pace: () => Promise<void> | undefined): Promise<void>;
  /** Adds samples of one series, in order of time, to the features that take series apart. @throws as `add` */
  addSeries(series: string, samples: Samples, pace: () => Promise<void> | undefined): Promise<void>;
  /** Adds one point, in the order that `add` asks for. @throws as `add` */
  put(at: number, value: number, series: string): void;
  /** Ends the last interval, and sets the columns by the names of their features. */
  finish(columns: Columns): void;
}

export function createSharedColumns(query: ReadQuery): SharedColumns {
  const { pooled, apart } = partFeatures(query.features);
  const together = pooled.map(({ metric }) => createColumn(query, requireMetric(metric)));
  const bySeries = createApartColumns(query, apart);
  return {
    withPooled: pooled.length > 0,
    withSeries: apart.length > 0,
    async add(samples, pace) {
      if (pooled.length > 0) await addSamples(together, samples, pace);
      if (apart.length > 0) await addApart(bySeries, samples, pace);
    },
    addPooled: (samples, pace) => addSamples(together, samples, pace),
    addSeries: (series, samples, pace) => addSamples(bySeries.of(series), samples, pace),
    put(at, value, series) {
      for (const column of together) column.add(at, value);
      if (apart.length > 0) for (const column of bySeries.of(series)) column.add(at, value);
    },
    finish(columns) {
      const totals = bySeries.finish();
      for (const [i, { name }] of pooled.entries()) columns.set(name, together[i]!.finish());
      for (const [i, { name }] of apart.entries()) columns.set(name, totals[i]!);
    },
  };
}

async function addApart(
  bySeries: ApartColumns,
  samples: Samples,
  pace: () => Promise<void> | undefined,
): Promise<void> {
  const { times, values, series } = samples;
  for (let from = 0; from < times.length; from += VALUES_PER_STEP) {
    const to = Math.min(from + VALUES_PER_STEP, times.length);
    for (let i = from; i < to; i++)
      for (const column of bySeries.of(series?.[i] ?? "")) column.add(times[i]!, values[i]!);
    await pace();
  }
}
