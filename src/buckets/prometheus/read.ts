// Reading a grid from Prometheus: expressions evaluated at the end of each interval, in slices of the range.
import { type Columns, groupBySource, sliceRange, toGrid } from "../../core/series/columns.ts";
import { countIntervals, type Grid, type Range } from "../../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { createYielder } from "../../runtime/pacer.ts";
import { fillTerms, type Terms } from "../shared/query.ts";
import type { Series } from "./answer.ts";
import { applyPushdown, findPushdown } from "./pushdown.ts";
import { readRaw } from "./raw.ts";
import { selectSeries } from "./selector.ts";
import type { Reader, Store } from "./store.ts";

/** Prometheus refuses more than 11 000 steps. */
const STEPS_PER_QUERY = 10_000;
/** Queries under way at a time. */
const AT_A_TIME = 4;

/** An expression whose value at the end of an interval is the value of the interval. */
interface Expression {
  readonly name: string;
  /** Of a slice of the range: a query may name its ends. */
  toText(slice: Range): string;
  readonly column: Float64Array;
}

/** What a bucket knows of its server. */
export interface Source {
  readonly store: Store;
  /** ms to leave out of a range so that it holds one interval: some servers count its first instant, some do not. */
  findEdge(signal: AbortSignal): Promise<0 | 1>;
}

/** Reads the grid. */
export async function readGrid(
  { store, findEdge }: Source,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Grid> {
  const length = countIntervals(query.range, query.intervalMs);
  const columns: Columns = new Map();
  const raw: FeatureQuery[] = [];
  const expressions: Expression[] = [];
  const isPushed = (feature: FeatureQuery) => feature.query !== undefined || findPushdown(feature.metric);
  const edgeMs = query.features.some(isPushed) && length > 0 ? await findEdge(signal) : 0;
  for (const feature of query.features) {
    const pushdown = feature.query === undefined ? findPushdown(feature.metric) : undefined;
    if (feature.query === undefined && !pushdown) {
      raw.push(feature);
      continue;
    }
    const column = new Float64Array(length).fill(pushdown?.empty ?? Number.NaN);
    columns.set(feature.name, column);
    const lengthMs = query.intervalMs - edgeMs;
    const pushed = pushdown && applyPushdown(pushdown, selectSeries(feature), lengthMs);
    const toText = (slice: Range) => pushed ?? fillTerms(feature.query!, toTerms(slice, lengthMs));
    expressions.push({ name: feature.name, toText, column });
  }
  const reader = { store, signal, pace: createYielder(signal) };
  await readExpressions(reader, query, expressions);
  for (const features of groupBySource(raw)) await readRaw(reader, { ...query, features }, columns);
  return toGrid(query, columns);
}

/** A duration, and instants as seconds since the epoch, as `@` takes them. */
function toTerms({ fromAt, toAt }: Range, lengthMs: number): Terms {
  return { interval: `${lengthMs}ms`, from: String(fromAt / 1000), to: String(toAt / 1000) };
}

async function readExpressions(
  reader: Reader,
  query: ReadQuery,
  expressions: readonly Expression[],
): Promise<void> {
  const { intervalMs } = query;
  for (const slice of sliceRange(query.range, STEPS_PER_QUERY * intervalMs)) {
    // The last instant of the first and of the last interval.
    const steps = { firstAt: slice.fromAt + intervalMs - 1, lastAt: slice.toAt - 1, stepMs: intervalMs };
    for (let from = 0; from < expressions.length; from += AT_A_TIME) {
      const some = expressions.slice(from, from + AT_A_TIME);
      await Promise.all(
        some.map(async (expression) => {
          const series = await reader.store.queryRange(expression.toText(slice), steps, reader.signal);
          placeSamples(reader.store, { query, series }, expression);
        }),
      );
      await reader.pace();
    }
  }
}

/** Samples go where their time says; how many there are means nothing. */
function placeSamples(
  { client }: Store,
  { query, series }: { readonly query: ReadQuery; readonly series: readonly Series[] },
  { name, column }: Expression,
): void {
  if (series.length > 1)
    throw client.refuse(
      "bucket_rejected",
      `the query of ${name} answers ${series.length} series; make them one, as in sum(...)`,
    );
  const [{ times, values } = { times: [], values: [] }] = series;
  for (let i = 0; i < times.length; i++) {
    const index = (times[i]! + 1 - query.range.fromAt) / query.intervalMs - 1;
    if (!Number.isInteger(index) || index < 0 || index >= column.length)
      throw client.refuse("bucket_unavailable", "answered with an interval that was not asked for");
    if (Number.isFinite(values[i])) column[index] = values[i]!;
  }
}
