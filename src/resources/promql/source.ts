// Sources of series for PromQL, visited one by one; samples are read on demand.
import type { Range } from "../../core/series/grid.ts";
import type { FieldSamples } from "../../core/series/samples.ts";
import { executionError } from "../../promql/errors.ts";
import type { Budget } from "../../promql/evaluate/budget.ts";
import type { Samples } from "../../promql/evaluate/values.ts";
import { formatLabels, keyOf, type Labels } from "../../promql/labels.ts";
import { type Matcher, matchesAll } from "../../promql/language/matcher.ts";

/** A series that may match. */
export interface FoundSeries {
  readonly labels: Labels;
  /** Cheap; may be true of a series without samples in the range. */
  hasSamples(range: Range): boolean;
  /** Samples within the range, `toAt` exclusive. @throws TorusError `bucket_*` */
  read(range: Range, budget: Budget): Promise<FieldSamples>;
}

export interface SeriesSource {
  /** Visits the series that may match, and perhaps others. */
  visit(request: VisitRequest, onSeries: (series: FoundSeries) => Promise<void>): Promise<void>;
}

export interface VisitRequest {
  readonly matchers: readonly Matcher[];
  readonly signal: AbortSignal;
}

interface SelectRequest extends VisitRequest {
  /** ms since the epoch, `toAt` exclusive. */
  readonly range: Range;
  readonly budget: Budget;
}

/**
 * The series that match, with their samples; those without any are left out.
 * @throws PromqlError `execution` for too many, or for two with the same labels; TorusError `bucket_*`, `canceled`
 */
export async function selectSeries(
  sources: readonly SeriesSource[],
  { range, budget, ...request }: SelectRequest,
): Promise<Samples[]> {
  const found = new Map<string, Samples>();
  for (const source of sources)
    await source.visit(request, async ({ labels, hasSamples, read }) => {
      if (!matchesAll(request.matchers, labels) || !hasSamples(range)) return;
      budget.take("series");
      const samples = await read(range, budget);
      if (samples.times.length === 0) return;
      const key = keyOf(labels);
      if (found.has(key)) throw alike(labels);
      found.set(key, { labels, ...samples });
    });
  return [...found.values()];
}

function alike(labels: Labels) {
  return executionError(
    `two fields give the series ${formatLabels(labels)}: measurement, field and tags differ in characters that names of metrics do not have`,
  );
}
