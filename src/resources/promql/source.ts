// Sources of series for PromQL, visited one by one; samples are read on demand.
import { TorusError } from "../../core/errors.ts";
import type { Range } from "../../core/series/grid.ts";
import type { FieldSamples } from "../../core/series/samples.ts";
import { executionError } from "../../promql/errors.ts";
import type { Budget } from "../../promql/evaluate/budget.ts";
import type { Samples } from "../../promql/evaluate/values.ts";
import { findRepeated, formatLabels, type Labels, sortByLabels } from "../../promql/labels.ts";
import { exactName, type Matcher, matchesAll } from "../../promql/language/matcher.ts";

/** A series that may match. */
export interface FoundSeries {
  readonly labels: Labels;
  /** Cheap; may be true of a series without samples in the range. */
  hasSamples(range: Range): boolean;
}

/** Series that are read together. */
export interface SeriesPage {
  readonly series: readonly FoundSeries[];
  /** Name of the bucket that they are read from, which may fail; absent: they are stored here. */
  readonly bucket?: string | undefined;
  /**
   * Samples within the range, `toAt` exclusive; series and samples are taken from the budget.
   * @param places ascending, of series of the page
   * @returns the samples of each of these, or fewer where the rest has none
   * @throws TorusError `bucket_*`
   */
  read(places: readonly number[], range: Range, budget: Budget): Promise<readonly FieldSamples[]>;
}

export interface SeriesSource {
  /** Visits the series that may match, and perhaps others. */
  visit(request: VisitRequest, onPage: (page: SeriesPage) => Promise<void>): Promise<void>;
}

export interface VisitRequest {
  readonly matchers: readonly Matcher[];
  readonly signal: AbortSignal;
}

interface SelectRequest extends VisitRequest {
  /** ms since the epoch, `toAt` exclusive. */
  readonly range: Range;
  readonly budget: Budget;
  readonly failures: SourceFailures;
}

/** Buckets that have failed in a query, with their messages; each is tried once. */
export type SourceFailures = Map<string, string>;

/**
 * The series that match, in order of their labels, with their samples; those without any are left out. Where no metric
 * is named exactly, the series of a bucket that fails are left out, too.
 * @throws PromqlError `execution` for too many, or for two with the same labels; TorusError `bucket_*`, `canceled`
 */
export async function selectSeries(
  sources: readonly SeriesSource[],
  { range, budget, failures, ...request }: SelectRequest,
): Promise<Samples[]> {
  const found: Samples[] = [];
  const isBroad = exactName(request.matchers) === undefined;
  for (const source of sources)
    await source.visit(request, async ({ series, bucket, read }) => {
      const places = [...series.keys()].filter((place) =>
        matchesAll(request.matchers, series[place]!.labels),
      );
      if (places.length === 0 || (isBroad && bucket !== undefined && failures.has(bucket))) return;
      const samples = await read(places, range, budget).catch((error: unknown) => {
        if (!isBroad || bucket === undefined || !isSourceFailure(error)) throw error;
        failures.set(bucket, `bucket ${bucket}: ${error.message}`);
      });
      for (const [i, each] of (samples ?? []).entries()) {
        if (each.times.length === 0) continue;
        found.push({ labels: series[places[i]!]!.labels, ...each });
      }
    });
  const sorted = sortByLabels(found);
  const repeated = findRepeated(sorted);
  if (repeated) throw alike(repeated);
  return sorted;
}

function isSourceFailure(error: unknown): error is TorusError {
  return error instanceof TorusError && (error.code.startsWith("bucket_") || error.code === "not_found");
}

function alike(labels: Labels) {
  return executionError(
    `two fields give the series ${formatLabels(labels)}: measurement, field and tags differ in characters that names of metrics do not have`,
  );
}
